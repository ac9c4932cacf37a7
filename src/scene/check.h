// What must hold for one body, joint, material or contact beyond the ranges of its fields.
// Called by scene validation, and by a world before it applies a command.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>

#include "impuls/scene.h"

namespace impuls {

// Called with a path relative to the thing ("/shape/radius") and a message.
using ReportProblem = std::function<void(const std::string& path, const std::string& message)>;

// Ranges of all fields, then the rules; each returns whether all is well. References are not looked at.
bool check_material(const MaterialDesc& material, const ReportProblem& report);
bool check_contact(const ContactDesc& contact, const ReportProblem& report);

// The rules alone, for values whose fields were checked. `check_shape_too` is false when the same shape was
// checked before.
void check_body_rules(const BodyDesc& body, bool check_shape_too, const ReportProblem& report);
bool check_axis(const AxisDesc& axis, const ReportProblem& report);
void check_force_rules(const ForceDesc& force, const ReportProblem& report);
void check_joint_rules(const JointDesc& joint, const ReportProblem& report);
// What is wrong with a joint or force that holds a particle; "": nothing.
std::string particle_end_problem(const JointDesc& joint);
std::string particle_end_problem(const ForceDesc& force);
void check_material_rules(const MaterialDesc& material, const ReportProblem& report);
void check_contact_rules(const ContactDesc& contact, const ReportProblem& report);
// What an elastic layer of one of these materials lacks; "": nothing. Above that Poisson's ratio it is as
// good as rigid (dynamics/laws/layer.h).
inline constexpr double kMostLayerPoisson = 0.45;
std::string layer_problem(const ArealContact& contact, std::initializer_list<const MaterialDesc*> of);
void check_repeat(const Repeat& repeat, const ReportProblem& report);

// Why a body cannot be in a scene with grains that are advanced so; "": it can. Of bodies that a command
// puts: throws InputError.
std::string grain_wall_problem(const BodyDesc& body, const GranularDesc& granular);
void refuse_beside_grains(const std::vector<BodyDesc>& bodies, const GranularDesc& granular);

// Whether two entries of `contacts` mean the same two materials.
bool is_same_pair(const ContactDesc& x, const ContactDesc& y);

}  // namespace impuls
