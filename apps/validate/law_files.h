// The laws, one declaration each, grouped by the file that holds them. Included by law_list.cpp and those
// files.
#pragma once

#include <vector>

#include "validate/law_scenes.h"
#include "validate/laws.h"

namespace impuls {

// free_motion.cpp
std::vector<LawResult> check_free_fall();
std::vector<LawResult> check_projectile();
// rotation.cpp
std::vector<LawResult> check_precession();
std::vector<LawResult> check_dzhanibekov();
std::vector<LawResult> check_heavy_top();
// pendulum.cpp
std::vector<LawResult> check_pendulum();
std::vector<LawResult> check_physical_pendulum();
std::vector<LawResult> check_joint_reaction();
// joints.cpp
std::vector<LawResult> check_motor();
std::vector<LawResult> check_slider();
std::vector<LawResult> check_spring();
std::vector<LawResult> check_limit();
std::vector<LawResult> check_gear();
std::vector<LawResult> check_screw();
std::vector<LawResult> check_pulley();
// joint_kinds.cpp
std::vector<LawResult> check_cylindrical();
std::vector<LawResult> check_universal();
std::vector<LawResult> check_hinge2();
std::vector<LawResult> check_fixed();
std::vector<LawResult> check_planar();
std::vector<LawResult> check_point_on_line();
std::vector<LawResult> check_point_on_plane();
std::vector<LawResult> check_rack_and_pinion();
std::vector<LawResult> check_six_dof();
// joint_paths.cpp
std::vector<LawResult> check_rotation_3();
std::vector<LawResult> check_rotation_2();
std::vector<LawResult> check_rotation_1();
std::vector<LawResult> check_rail();
std::vector<LawResult> check_surfaces();
std::vector<LawResult> check_guides();
// mechanisms.cpp
std::vector<LawResult> check_chain();
std::vector<LawResult> check_four_bars();
std::vector<LawResult> check_forty_four_bars();
std::vector<LawResult> check_bricard();
std::vector<LawResult> check_pendulum_path();
// squeezer.cpp, governor.cpp
std::vector<LawResult> check_squeezer();
std::vector<LawResult> check_governor();
// contact.cpp
std::vector<LawResult> check_restitution();
std::vector<LawResult> check_incline();
std::vector<LawResult> check_rolling();
std::vector<LawResult> check_weight();
// contact_laws.cpp
std::vector<LawResult> check_static_friction();
std::vector<LawResult> check_rolling_friction();
std::vector<LawResult> check_torsional_friction();
std::vector<LawResult> check_conveyor();
std::vector<LawResult> check_poisson();
std::vector<LawResult> check_cradle();
// forces.cpp
std::vector<LawResult> check_spring_forces();
std::vector<LawResult> check_damper_force();
std::vector<LawResult> check_cable_force();
std::vector<LawResult> check_constant_forces();
std::vector<LawResult> check_drag();
std::vector<LawResult> check_attraction();
// hollow_and_timed.cpp
std::vector<LawResult> check_tube();
std::vector<LawResult> check_timed();
// blocks.cpp
std::vector<LawResult> check_blocks();
// preset_impacts.cpp, preset_rolling.cpp, preset_friction.cpp
std::vector<LawResult> check_preset_impacts();
std::vector<LawResult> check_preset_rolling();
std::vector<LawResult> check_preset_friction();
// collisions.cpp
std::vector<LawResult> check_elastic_collision();
std::vector<LawResult> check_inelastic_collision();
std::vector<LawResult> check_conservation();
// deformable.cpp
std::vector<LawResult> check_catenary();
std::vector<LawResult> check_elastica();
std::vector<LawResult> check_plate();
std::vector<LawResult> check_bar();
// force_level.cpp
std::vector<LawResult> check_force_level();

}  // namespace impuls
