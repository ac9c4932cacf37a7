// Runs a random world and says what went wrong in it (random_scene.h).
#include <algorithm>
#include <cmath>
#include <ctime>

#include "base/energy_gain.h"
#include "faults/child.h"
#include "faults/drives.h"
#include "faults/random_scene.h"
#include "impuls/world.h"
#include "support/slow_build.h"

namespace impuls::faults {

namespace {

constexpr int kMostSteps = 400, kLastingSteps = 10;
constexpr double kTornShare = 0.01, kCrushedShare = 0.05;  // of size
constexpr double kLongestStep = kSlowBuild ? 20 : 1;       // s of CPU for twelve bodies at most

double seconds_used() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class RandomWatch {
  public:
    explicit RandomWatch(World& world) : gain_(lifting_energy(world)) {
        const Frame& frame = world.frame();
        for (const BodyDesc& body : frame.structure->bodies)
            sizes_.push_back(body.kind == BodyKind::Dynamic ? shape_size(body.shape) / std::sqrt(3.0) : 0);
        for (const JointDesc& joint : frame.structure->joints)
            joint_sizes_.push_back(joint_size(*frame.structure, joint));
        deep_for_.resize(sizes_.size());
    }

    void note(const Frame& frame, RandomVerdict& verdict) {
        gain_.note(frame.energy);
        verdict.gain = gain_.largest();
        for (std::size_t k = 0; k < frame.joints.size(); ++k)
            verdict.joint_error = std::max(verdict.joint_error, frame.joints[k].error / joint_sizes_[k]);
        note_depths(frame, verdict);
        for (std::size_t k = 0; k < frame.positions.size(); ++k)
            if (sizes_[k] > 0 && is_outside(frame, k))
                verdict.wrong[static_cast<std::size_t>(Wrong::Lost)] = true;
    }

  private:
    // The smaller of the bodies that it joins.
    double joint_size(const Scene& scene, const JointDesc& joint) const {
        double size = 0;
        for (std::size_t k = 0; k < scene.bodies.size(); ++k)
            if (scene.bodies[k].name == joint.a || scene.bodies[k].name == joint.b)
                size = size > 0 ? std::min(size, sizes_[k]) : sizes_[k];
        return size;
    }

    // Penetration counts when it lasts: the least depth of kLastingSteps steps in a row.
    void note_depths(const Frame& frame, RandomVerdict& verdict) {
        std::vector<double> depths(sizes_.size());
        for (const Contact& c : frame.contacts)
            for (const std::uint32_t k : {c.a, c.b}) {
                const std::uint32_t other = k == c.a ? c.b : c.a;
                if (sizes_[k] == 0 || (sizes_[other] > 0 && sizes_[other] < sizes_[k])) continue;
                depths[k] = std::max(depths[k], c.depth / sizes_[k]);
            }
        for (std::size_t k = 0; k < sizes_.size(); ++k) {
            std::vector<double>& last = deep_for_[k];
            last.push_back(depths[k]);
            if (last.size() > kLastingSteps) last.erase(last.begin());
            if (last.size() == kLastingSteps)
                verdict.penetration =
                    std::max(verdict.penetration, *std::min_element(last.begin(), last.end()));
        }
    }

    // Behind a static plane by more than its size.
    bool is_outside(const Frame& frame, std::size_t k) const {
        for (const BodyDesc& wall : frame.structure->bodies)
            if (std::holds_alternative<Plane>(wall.shape) &&
                dot(rotate(wall.orientation, {0, 1, 0}), frame.positions[k] - wall.position) < -2 * sizes_[k])
                return true;
        return false;
    }

    EnergyGain gain_;
    std::vector<double> sizes_{}, joint_sizes_{};
    std::vector<std::vector<double>> deep_for_{};
};

RandomVerdict follow_random(std::uint64_t seed, const std::string& preset) {
    Scene scene = random_scene(seed);
    scene.settings.method = parse_method(preset);
    World world(scene);
    RandomWatch watch(world);
    RandomVerdict verdict;
    const auto mark = [&](Wrong what) { verdict.wrong[static_cast<std::size_t>(what)] = true; };
    watch.note(world.frame(), verdict);
    for (int k = 0; k < kMostSteps && world.time() < 3; ++k) {
        const double before = seconds_used();
        const bool ok = world.step().ok;
        if (seconds_used() - before > kLongestStep) mark(Wrong::Slow);
        if (!ok) {
            mark(Wrong::Failed);
            break;
        }
        watch.note(world.frame(), verdict);
    }
    if (!(verdict.gain <= EnergyGain::kAllowed)) mark(Wrong::Gained);
    if (!(verdict.joint_error <= kTornShare)) mark(Wrong::Torn);
    if (!(verdict.penetration <= kCrushedShare)) mark(Wrong::Crushed);
    return verdict;
}

}  // namespace

bool RandomVerdict::is_fine() const {
    return std::none_of(wrong.begin(), wrong.end(), [](bool w) { return w; });
}

std::string RandomVerdict::text() const {
    std::string all;
    for (std::size_t k = 0; k < wrong.size(); ++k)
        if (wrong[k]) all += (all.empty() ? "" : ", ") + std::string(kWrongNames[k]);
    char numbers[120];
    std::snprintf(numbers, sizeof numbers, " (gain %.2g, joint error %.2g, penetration %.2g)", gain,
                  joint_error, penetration);
    return all + numbers;
}

RandomVerdict judge_random(std::uint64_t seed, const std::string& preset) {
    const auto child = run_in_child(kSlowBuild ? 200 : 20, [&] { return follow_random(seed, preset); });
    if (child.is_whole) return child.message;
    RandomVerdict endless;
    endless.wrong[static_cast<std::size_t>(child.note.starts_with("did not") ? Wrong::Slow : Wrong::Failed)] =
        true;
    return endless;
}

}  // namespace impuls::faults
