// The laws, one declaration each, grouped by the file that holds them, and the little scenes they share.
// Included by laws.cpp and those files.
#pragma once

#include <string>
#include <vector>

#include "impuls/scene.h"
#include "impuls/world.h"
#include "validate/laws.h"

namespace impuls {

inline constexpr double kGravity = 9.81;

// A scene with one material "m" and this gravity and time step.
Scene law_scene(double dt, const Vec3& gravity = {0, -kGravity, 0}, double friction = 0,
                double restitution = 0);
// A static plane through the origin with normal +y.
BodyDesc law_ground();
BodyDesc law_body(const std::string& name, const Shape& shape, const Vec3& position);
// A cube of 1 kg with the given moment of inertia that touches nothing.
BodyDesc law_part(const std::string& name, const Vec3& position, double inertia, double mass = 1);
JointDesc law_joint(const std::string& a, const std::string& b, const Joint& joint);
// Axis k of all joints' axes, as the last frame has it.
const AxisState& law_axis(World& world, std::size_t k = 0);
// Steps until `seconds`; stops at a failure, which then shows in the law's value.
void run_until(World& world, double seconds);

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
// blocks.cpp
std::vector<LawResult> check_blocks();
// collisions.cpp
std::vector<LawResult> check_elastic_collision();
std::vector<LawResult> check_inelastic_collision();
std::vector<LawResult> check_conservation();

}  // namespace impuls
