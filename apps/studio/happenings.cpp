// What happened when (happenings.h).
#include "studio/happenings.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "impuls/scene.h"

namespace impuls::studio {
namespace {

constexpr std::size_t kMost = 5000;
constexpr std::size_t kApart = 3;    // frames
constexpr double kNearLimit = 1e-3;  // of the range between the limits

bool is_at_limit(const AxisDesc& axis, double position) {
    const double low = axis.lower.value_or(-std::numeric_limits<double>::infinity());
    const double high = axis.upper.value_or(std::numeric_limits<double>::infinity());
    const double range = std::isfinite(high - low)
                             ? high - low
                             : std::fmax(axis.lower ? std::fabs(low) : 0, axis.upper ? std::fabs(high) : 0);
    return position <= low + kNearLimit * range || position >= high - kNearLimit * range;
}

}  // namespace

const std::vector<Happening>& Happenings::look(Timeline& timeline) {
    for (; next_ < timeline.size() && list_.size() < kMost; ++next_) {
        const std::size_t known = list_.size();
        look_at(next_, *timeline.frame(next_));
        for (std::size_t k = known; k < list_.size(); ++k) list_[k].time = timeline.time(list_[k].frame);
    }
    return list_;
}

void Happenings::add(Happening happening) {
    if (list_.size() < kMost) list_.push_back(std::move(happening));
}

void Happenings::look_at(std::size_t k, const Frame& frame) {
    const Scene& scene = *frame.structure;
    std::map<std::pair<std::string, std::string>, double> pushes;
    for (const Contact& contact : frame.contacts) {
        const double force = std::sqrt(dot(contact.force, contact.force));
        if (force > 0 && contact.a < scene.bodies.size() && contact.b < scene.bodies.size())
            pushes[std::minmax(scene.bodies[contact.a].name, scene.bodies[contact.b].name)] += force;
    }
    for (const auto& [pair, force] : pushes) {
        const auto [touch, is_new] = touching_.try_emplace(pair, k);
        if (is_new && k > 0) add({k, 0, "impact", pair.first, pair.second, force});
        touch->second = k;
    }
    for (auto touch = touching_.begin(); touch != touching_.end();) {
        if (k < touch->second + kApart) {
            ++touch;
            continue;
        }
        add({touch->second + 1, 0, "separation", touch->first.first, touch->first.second, 0});
        touch = touching_.erase(touch);
    }
    std::size_t axis_number = 0;
    for (const JointDesc& joint : scene.joints) {
        visit_axes(joint.joint, [&](const char* name, const AxisDesc& axis) {
            if (axis_number >= frame.axes.size()) return;
            const AxisState& state = frame.axes[axis_number++];
            if (!axis.lower && !axis.upper) return;
            const std::string key = joint.name + '\n' + name;
            if (!is_at_limit(axis, state.position)) {
                at_limit_.erase(key);
            } else if (at_limit_.insert(key).second && k > 0) {
                add({k, 0, "limit", joint.name, name, std::fabs(state.force)});
            }
        });
    }
    if (frame.structure == structure_) return;
    structure_ = frame.structure;
    std::set<std::string> joints;
    for (const JointDesc& joint : scene.joints) joints.insert(joint.name);
    for (const std::string& name : joints_)
        if (!joints.count(name)) add({k, 0, "break", name, "", 0});
    joints_ = std::move(joints);
}

}  // namespace impuls::studio
