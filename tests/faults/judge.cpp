// Runs in child processes, and their verdicts (judge.h).
#include "faults/judge.h"

#include <cmath>
#include <cstring>

#include "faults/child.h"
#include "impuls/scene_file.h"
#include "support/full_size.h"
#include "support/places.h"

namespace impuls::faults {

namespace {

// What a child sends home, followed by the note's text.
struct Message {
    double values[8] = {};
    double references[8] = {};
    char note[400] = {};
};

double error_of(double value, double reference) {
    const double error = std::abs(value - reference);
    return reference != 0 ? error / std::abs(reference) : error;
}

Scene scene_of(const FaultScene& fault, std::size_t preset, const Variant& variant) {
    Scene scene = load_scene(
        in_project(std::string("scenes/faults/") + (fault.file ? fault.file : fault.name) + ".json"));
    scene.settings.method = parse_method(std::string(kPresets[preset]) + fault.method);
    if (variant.change) variant.change(scene);
    return scene;
}

// The worst of all variants, law by law. A run that was refused with a reason is not wrong; one that failed
// is.
Message run_all(const FaultScene& fault, std::size_t preset) {
    Message message;
    for (std::size_t l = 0; l < fault.laws.size(); ++l)
        if (!std::isnan(fault.laws[l].bars[preset])) message.references[l] = fault.laws[l].reference();
    double worst[8];
    std::fill(worst, worst + 8, -1.0);
    for (const Variant& variant : fault.variants) {
        const Track track = follow(scene_of(fault, preset, variant),
                                   is_long() ? fault.long_seconds : fault.seconds, fault.quantities);
        if (!track.is_whole())
            std::strncpy(message.note, (track.failure + track.refusal).c_str(), sizeof message.note - 1);
        for (std::size_t l = 0; l < fault.laws.size(); ++l) {
            if (std::isnan(fault.laws[l].bars[preset])) continue;
            const double reference = message.references[l];
            const double value = !track.refusal.empty()   ? reference
                                 : !track.failure.empty() ? std::numeric_limits<double>::infinity()
                                                          : fault.laws[l].value(track);
            const double error = error_of(value, reference);
            if (!(error <= worst[l])) worst[l] = error, message.values[l] = value;
        }
    }
    return message;
}

}  // namespace

bool is_judged(const FaultScene& fault, std::size_t preset) {
    const bool is_accurate = preset == 1;
    if (kSlowBuild && (!fault.is_light || is_accurate)) return false;
    if (fault.is_long_by_accurate && is_accurate && !is_long()) return false;
    for (const FaultLaw& law : fault.laws)
        if (!std::isnan(law.bars[preset])) return true;
    return false;
}

Judgement judge(const FaultScene& fault, std::size_t preset) {
    const int cpu_limit = fault.cpu_limit * (is_long() || kSlowBuild ? 10 : 1);
    const auto child = run_in_child(cpu_limit, [&] { return run_all(fault, preset); });
    const Message& message = child.message;
    Judgement judgement;
    judgement.cpu_seconds = child.cpu_seconds;
    judgement.note = child.is_whole ? message.note : child.note;
    for (std::size_t l = 0; l < fault.laws.size(); ++l) {
        const FaultLaw& law = fault.laws[l];
        if (std::isnan(law.bars[preset])) continue;
        Finding finding{.law = &law, .value = message.values[l], .reference = message.references[l]};
        if (!child.is_whole) finding.value = std::numeric_limits<double>::infinity();
        finding.error = error_of(finding.value, finding.reference);
        finding.bar = law.bars[preset];
        finding.holds = finding.error <= finding.bar;
        judgement.findings.push_back(finding);
    }
    return judgement;
}

}  // namespace impuls::faults
