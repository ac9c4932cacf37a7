// What must hold for a set of grains beyond the ranges of its fields (grain_sets.h): shapes that are convex,
// sizes that ascend, boxes that have room.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "geometry/grains.h"
#include "geometry/particle_net.h"
#include "scene/grain_sets.h"

namespace impuls {
namespace {

bool check_shape_of(const GrainShapeDesc& shape, const std::string& at, const ReportProblem& report) {
    if (const auto* e = std::get_if<EllipsoidGrain>(&shape)) {
        const auto known = grain_vertex_counts();
        if (std::find(known.begin(), known.end(), e->vertices) != known.end()) return true;
        report(at + "/vertices",
               fmt::format("{} is none of 4, 6, 12, 18, 22, 42, 52, 62, 72, 82, 102, 202, 302, 462",
                           e->vertices));
        return false;
    }
    if (const auto* p = std::get_if<PlatonicGrain>(&shape)) {
        if (p->faces == 4 || p->faces == 6 || p->faces == 8 || p->faces == 12 || p->faces == 20) return true;
        report(at + "/faces", fmt::format("{} is none of 4, 6, 8, 12, 20", p->faces));
        return false;
    }
    if (const auto* h = std::get_if<HullGrain>(&shape)) {
        const std::string problem = granular::convexity_problem(h->points);
        if (!problem.empty()) report(at + "/points", problem);
        return problem.empty();
    }
    return true;
}

bool check_sizes(const GrainSizes& sizes, const std::string& at, const ReportProblem& report) {
    if (const auto* u = std::get_if<UniformSizes>(&sizes); u && u->low > u->high) {
        report(at + "/low", fmt::format("{} is above high, {}", u->low, u->high));
        return false;
    }
    const auto* s = std::get_if<SieveSizes>(&sizes);
    if (!s) return true;
    if (s->openings.size() < 2 || s->openings.size() != s->passing.size()) {
        report(at + "/passing",
               fmt::format("{} openings and {} shares that pass; it takes two at least, and as many",
                           s->openings.size(), s->passing.size()));
        return false;
    }
    const bool ascends = std::is_sorted(s->openings.begin(), s->openings.end(), std::less_equal<>()) &&
                         std::is_sorted(s->passing.begin(), s->passing.end());
    if (!ascends)
        report(at + "/openings", "openings and what passes must ascend");
    else if (s->passing.front() != 0 || s->passing.back() != 1)
        report(at + "/passing", "nothing passes the first opening (0), everything the last (1)");
    else
        return true;
    return false;
}

void check_place(const GrainsDesc& desc, const ReportProblem& report) {
    Vec3 lower, upper;
    std::visit([&](const auto& place) { lower = place.lower, upper = place.upper; }, desc.place);
    for (int k = 0; k < 3; ++k)
        if (!(upper[k] > lower[k]))
            return report("/place/upper", fmt::format("must be above lower along {}", "xyz"[k]));
    const auto* feed = std::get_if<FeedPlace>(&desc.place);
    if (feed && feed->rate.has_value() == feed->rest.has_value())
        return report("/place", "a feed has either a rate or a speed of rest");
    const GrainKinds kinds = make_grain_kinds({desc});
    const double radius = largest_grain(kinds, 0);
    for (int k = 0; k < 3; ++k)
        if (upper[k] - lower[k] < 2 * radius)
            return report("/place/upper",
                          fmt::format("the box is {:.3g} m wide along {}, and grains up to {:.3g} m",
                                      upper[k] - lower[k], "xyz"[k], 2 * radius));
    if (feed) return;
    const std::size_t room = grain_places(kinds, desc, 0).size();
    if (static_cast<std::int64_t>(room) < desc.count)
        report("/place", fmt::format("there is room for {} grains of up to {:.3g} m, not for {}{}", room,
                                     2 * radius, desc.count,
                                     std::holds_alternative<ScatterPlace>(desc.place)
                                         ? "; a block or a higher box takes more"
                                         : ""));
}

}  // namespace

std::string grain_wall_problem(const BodyDesc& body, const GranularDesc& granular) {
    if (body.kind != BodyKind::Dynamic || !body.collides) return "";
    if (is_of_particles(body.shape))
        return "grains do not meet particles: set \"collides\": false to let them pass each other";
    if (granular.integrator != GrainIntegrator::Verlet)
        return "bodies that move freely among grains need granular.integrator verlet; set \"collides\": "
               "false to "
               "let it pass through them";
    return "";
}

void refuse_beside_grains(const std::vector<BodyDesc>& bodies, const GranularDesc& granular) {
    for (std::size_t k = 0; k < bodies.size(); ++k)
        if (const std::string problem = grain_wall_problem(bodies[k], granular); !problem.empty())
            throw InputError(fmt::format("bodies/{}/kind: {}", k, problem));
}

void check_grains(const GrainsDesc& desc, const ReportProblem& report) {
    bool is_sound = true;
    if (desc.mixture.empty()) {
        is_sound = check_shape_of(desc.shape, "/shape", report) && check_sizes(desc.sizes, "/sizes", report);
    }
    for (std::size_t k = 0; k < desc.mixture.size(); ++k) {
        const std::string at = fmt::format("/mixture/{}", k);
        is_sound = check_shape_of(desc.mixture[k].shape, at + "/shape", report) && is_sound;
        is_sound = check_sizes(desc.mixture[k].sizes, at + "/sizes", report) && is_sound;
    }
    if (is_sound) check_place(desc, report);
}

}  // namespace impuls
