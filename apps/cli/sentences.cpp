// What things are, in a sentence each (sentences.h). Those of two families that share a name have the family
// before it.
#include "cli/sentences.h"

#include <string>
#include <utility>

namespace impuls::cli {
namespace {

constexpr std::pair<const char*, const char*> kSentences[] = {
    {"sphere", "a ball"},
    {"capsule", "a round bar along y with round ends"},
    {"tube", "a hollow round bar"},
    {"bowl", "a hollow part of a sphere, open at the top"},
    {"funnel", "a hollow cone, open at both ends"},
    {"torus", "a ring"},
    {"cylinder", "a round bar or a disc, along y"},
    {"cone", "any direction alike, as Coulomb says"},
    {"plane", "all below y = 0 of its frame, without end; static or kinematic"},
    {"ellipsoid", "a ball stretched along three axes"},
    {"convex", "the convex hull of points"},
    {"mesh", "a solid bounded by triangles, from a file or written out"},
    {"height_field", "ground of given heights over a grid; static or kinematic"},
    {"point", "a mass without extent, or a nail; touches nothing"},
    {"compound", "several shapes fixed to one body"},
    {"ball", "holds two points together, as a shoulder does"},
    {"hinge", "lets b turn about an axis, as a door does"},
    {"slider", "lets b slide along an axis, as a drawer does"},
    {"cylindrical", "lets b slide along an axis and turn about it"},
    {"universal", "a cross between two shafts: turns about an axis of a and one of b"},
    {"hinge2", "a wheel: steered about one axis, spinning about another, sprung if wanted"},
    {"fixed", "holds b to a as if they were one"},
    {"planar", "lets b slide in a plane of a and turn about its normal"},
    {"distance", "keeps two points at a distance: a rod, a rope or a spring"},
    {"point_on_line", "a point of b slides along a line of a"},
    {"point_on_plane", "a point of b stays in a plane of a"},
    {"screw", "a nut on a thread: b turns, and moves by the pitch in each turn"},
    {"gear", "two wheels in mesh: b turns by a ratio of what a turns"},
    {"rack_and_pinion", "a pinion a drives a rack b"},
    {"pulley", "a rope from a over two wheels to b"},
    {"six_dof", "three translations and three rotations, each locked or free"},
    {"rotation_3", "b keeps its orientation against a and moves freely"},
    {"rotation_2", "an axis of b stays parallel to one of a"},
    {"rotation_1", "an axis of b keeps its angle to one of a"},
    {"rail", "a point of b runs on a smooth curve of a"},
    {"point_on_ellipsoid", "a point of b stays on an ellipsoid of a"},
    {"point_on_torus", "a point of b stays on a torus of a"},
    {"follower", "b moves as fast as a, as far as its force allows"},
    {"joint drag", "draws a point of b to a point of a, as a hand does"},
    {"spring", "draws two points together or pushes them apart, by how far they are from its length"},
    {"damper", "resists what changes the distance of two points"},
    {"rod", "a stiff spring that holds two points at a distance"},
    {"torsion_spring", "turns b back to an angle against a"},
    {"cable", "a rope over fixed eyes: it pulls and never pushes"},
    {"constant", "a force at a point of b"},
    {"torque", "a torque on b"},
    {"pull", "a force of constant size from one point towards another"},
    {"drag", "resistance of the air or water that b moves through"},
    {"attraction", "draws two bodies together, as planets do"},
    {"grab", "draws a point of b to a target, with at most a largest force"},
    {"put", "puts bodies, joints, forces, materials into the world, or others in their places"},
    {"remove", "takes bodies, joints, forces, materials out"},
    {"set_body", "moves a body, or gives it a velocity"},
    {"set_force", "a force and torque on a body until they are set anew"},
    {"apply_impulse", "a kick"},
    {"set_active", "puts a body aside, or back"},
    {"set_joint", "switches a joint on or off"},
    {"set_axis", "changes motor, servo, limits or spring of an axis"},
    {"enable_force", "switches a force on or off"},
    {"set_settings", "another gravity, other events"},
    {"set_method", "another method from now on"},
    {"command drag", "a hand that draws a point of a body to a place"},
    {"batch", "several commands at once: all or none"},
    {"default", "begin here: stacks stand, mechanisms stay closed, and energy does not grow"},
    {"accurate", "for numbers that are to be trusted: shorter substeps, some times slower"},
    {"fast", "for crowds of thousands: looks right, numbers are rough"},
    {"erleben", "the velocity-based method of Erleben's thesis, for comparison"},
    {"bender", "the impulse-based method of Bender's text, for comparison"},
    {"aero", "forces integrated with error control, as in AERO, for comparison"},
    {"force", "forces as a differential equation, with error control"},
    {"impulse", "impulses in substeps as short as the loads ask for"},
    {"velocity", "one solve of all velocities in each substep (Erleben 2005)"},
    {"blocks", "many bodies at once, in lanes, for crowds"},
    {"semi_implicit", "implicit midpoint for rotation: second order, keeps energy and angular momentum"},
    {"rk4", "classical Runge-Kutta for rotation: fourth order"},
    {"reference", "the same with the step halved until nothing changes: slow, for comparison"},
    {"dormand_prince", "force stepper: fifth order with error control, for smooth motion"},
    {"rosenbrock", "force stepper: fourth order with error control, for stiff springs"},
    {"runge_kutta", "force stepper: classical Runge-Kutta in steps of one length"},
    {"verlet", "force stepper: second order, symplectic, in steps of one length"},
    {"semi_implicit_euler", "force stepper: first order, symplectic, in steps of one length"},
    {"midpoint", "force stepper: implicit, keeps the energy of stiff springs"},
    {"gear", "force stepper: predictor and corrector, for smooth forces that are dear"},
    {"sequential", "contact by contact and joint by joint, in sweeps"},
    {"pgs", "projected Gauss-Seidel, row by row"},
    {"blocked_pgs", "sweeps with the normals of a manifold solved together"},
    {"direct", "pivoting, exact to rounding; small islands only"},
    {"sparse", "joints at once by a sparse factorisation, contacts in sweeps between"},
    {"simultaneous", "all impacts of a moment at once"},
    {"propagating", "one after the other, as a shock runs through"},
    {"impacts sequential", "force stepper: point after point, as AERO does"},
    {"pyramid", "several directions, as a polygon"},
    {"tree", "a tree of boxes"},
    {"sweep_and_prune", "sorted along an axis"},
    {"grid", "cells of equal size"},
    {"brute_force", "every pair: slow, for comparison"},
    {"friction box", "two directions, each by itself"},
    {"box", "a block with right angles"},
    {"solver tree", "as sparse, in time linear in the number of joints"},
    {"impulse_iteration", "as sequential; with closure preview each joint looks ahead for itself"},
};

}  // namespace

const char* sentence(std::string_view name, std::string_view family) {
    const std::string whole = std::string(family) + " " + std::string(name);
    for (const auto& [key, text] : kSentences)
        if (key == whole) return text;
    for (const auto& [key, text] : kSentences)
        if (key == name) return text;
    return "";
}

}  // namespace impuls::cli
