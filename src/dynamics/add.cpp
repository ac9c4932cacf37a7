// Names to numbers, for what is new (add.h).
#include "dynamics/add.h"

#include <fmt/format.h>

#include <vector>

namespace impuls {
namespace {

std::uint32_t body_named(const WorldIds& ids, const std::string& body) {
    return body.empty() ? kNoBody : ids.body_ids.dense(ids.body_ids.find(body));
}

}  // namespace

const MaterialDesc& material_of(const Scene& parts, const std::string& name) {
    for (const auto& material : parts.materials)
        if (material.name == name) return material;
    std::vector<std::string> known;
    for (const auto& material : parts.materials) known.push_back(material.name);
    throw InputError(fmt::format("there is no material '{}'{}", name, did_you_mean(name, known)));
}

void add_body(BodySet& bodies, WorldIds& ids, const BodyDesc& desc, const Scene& parts) {
    const MaterialDesc& material = material_of(parts, desc.material);
    bodies.add(desc, material, static_cast<std::uint32_t>(&material - parts.materials.data()));
    ids.body_ids.add(desc.name);
}

void add_joint(JointSet& joints, WorldIds& ids, const BodySet& bodies, const JointDesc& desc) {
    joints.add(desc, bodies, body_named(ids, desc.a), body_named(ids, desc.b), body_named(ids, desc.frame));
    ids.joint_ids.add(desc.name);
}

void add_force(ForceSet& forces, WorldIds& ids, const BodySet& bodies, const ForceDesc& desc,
               const Shape& shape_b) {
    forces.add(desc, bodies, body_named(ids, desc.a), body_named(ids, desc.b), shape_b);
    ids.force_ids.add(desc.name);
}

}  // namespace impuls
