// A hand that draws b's point p to a target q: F = k (q - p) - c p', |F| <= F_max. Below the bound it is
// three terms along the axes of the world; at the bound a plain force of the size F_max, which cannot be
// stiff. It has no potential energy, since the target moves: the hand gives and takes. Called for the command
// Drag, too.
#include "dynamics/force.h"

namespace impuls {

JointFrames force_frames(const GrabForce& desc) {
    return {{desc.anchor, {}}, {desc.anchor, {}}};
}

void add_terms(const GrabForce& desc, const ForceGeometry& g, ForceTerms& out) {
    const Vec3 way = desc.target - g.b.X_WF.position;
    const Vec3 speed = g.b.v + cross(g.b.w, g.b.arm());
    const Vec3 force = way * desc.stiffness - speed * desc.damping;
    const double size = length(force), most = desc.max_force.value_or(kUnbounded);
    if (size > most) return out.push(g.b, force * (most / size), {});
    for (const Vec3& d : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        const Rate rate = Rate{}.add(g.b.node, d, cross(g.b.arm(), d));
        out.add(rate, dot(d, force), desc.stiffness, desc.damping).keeps_rate = true;
    }
}

}  // namespace impuls
