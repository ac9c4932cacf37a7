// The list of laws. To add one: its function in one of the files beside this one, a line in law_files.h and
// one here.
#include "validate/law_files.h"

namespace impuls {

const std::vector<Law>& laws() {
    static const std::vector<Law> list{
        {"free_fall", "a body dropped from rest falls by g t^2 / 2", check_free_fall},
        {"projectile", "range and apex of a throw", check_projectile},
        {"precession", "a symmetric top without torque precesses at L / I1", check_precession},
        {"dzhanibekov", "time between the flips of an asymmetric body", check_dzhanibekov},
        {"heavy_top", "steady precession of a spinning top on a ball joint", check_heavy_top},
        {"pendulum", "period at finite amplitude, by the complete elliptic integral", check_pendulum},
        {"physical_pendulum", "period of a swinging rod", check_physical_pendulum},
        {"joint_reaction", "force in the pivot of a hanging and of a swinging body", check_joint_reaction},
        {"motor", "a motor of limited torque reaches its speed in I w / T", check_motor},
        {"slider", "a slider on an incline goes down at g sin", check_slider},
        {"spring", "frequency and energy of a spring along an axis", check_spring},
        {"limit", "height after the rebound from a limit", check_limit},
        {"gear", "ratio and acceleration of two wheels in mesh", check_gear},
        {"screw", "way in one turn, and a nut that runs down", check_screw},
        {"pulley", "Atwood's machine", check_pulley},
        {"cylindrical", "slides at g sin and turns at T / I, each by itself", check_cylindrical},
        {"universal", "speed of a cardan shaft over a turn", check_universal},
        {"hinge2", "torque that turns a spinning wheel, and sag of its suspension", check_hinge2},
        {"fixed", "two bodies turn as one, and a cantilever carries its moment", check_fixed},
        {"planar", "a puck goes down an inclined plane and turns in it", check_planar},
        {"point_on_line", "a bead on a turning rod moves out as cosh", check_point_on_line},
        {"point_on_plane", "a rod falls over on a smooth table", check_point_on_plane},
        {"rack_and_pinion", "way of the rack, and acceleration of both", check_rack_and_pinion},
        {"six_dof", "frequency of a torsional pendulum, and what locked axes carry", check_six_dof},
        {"rotation_3", "bodies with parallel orientations, else free", check_rotation_3},
        {"rotation_2", "bodies with a common axis, else free", check_rotation_2},
        {"rotation_1", "an axis at a fixed angle goes round at a constant rate", check_rotation_1},
        {"rail", "period of a bead on a circle and on a cycloid", check_rail},
        {"surfaces", "a conical pendulum on a sphere, and a way about a torus", check_surfaces},
        {"guides", "what follows and what is dragged with a largest force", check_guides},
        {"chain", "a chain of rods on ball joints keeps its energy", check_chain},
        {"four_bars", "linkages through singular positions keep their energy", check_four_bars},
        {"four_bars_40", "the same with forty linkages in a row", check_forty_four_bars},
        {"bricard", "an overconstrained mechanism moves and keeps its energy", check_bricard},
        {"squeezer", "Andrews' squeezer turns as published: seven bodies, ten hinges, a spring",
         check_squeezer},
        {"governor", "arms, collar and speed of a flyball governor", check_governor},
        {"pendulum_path", "where a pendulum is after 10 s, and its energy", check_pendulum_path},
        {"restitution", "heights after n bounces fall as e^2n", check_restitution},
        {"incline", "angle of slip, and acceleration of a sliding box", check_incline},
        {"rolling", "a sphere rolls down at 5/7 g sin, slips beyond tan = 7/2 mu", check_rolling},
        {"weight", "contact forces add up to the weight", check_weight},
        {"static_friction", "a block starts at mu_s and slides on with mu_d", check_static_friction},
        {"rolling_friction", "a rolling sphere slows down by 5/7 g r/R", check_rolling_friction},
        {"torsional_friction", "a spinning sphere slows down by 5/2 g r/R^2", check_torsional_friction},
        {"conveyor", "a running surface takes a box along with mu g", check_conveyor},
        {"poisson", "restitution by Newton and by Poisson, with friction", check_poisson},
        {"cradle", "as many touching balls leave as come", check_cradle},
        {"fast", "contact laws under the preset fast, with bounds of its own", check_blocks},
        {"elastic_collision", "velocities after an elastic impact of two spheres", check_elastic_collision},
        {"inelastic_collision", "velocities after an impact with restitution e", check_inelastic_collision},
        {"conservation", "momentum and energy of many colliding spheres", check_conservation},
    };
    return list;
}

}  // namespace impuls
