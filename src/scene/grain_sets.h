// What a scene's sets of grains are made of: kinds (shapes that many share), and for each grain its kind and
// size, drawn by its number alone, so that it does not matter when it is made. Called by validation, of
// commands too, by worlds, and by whoever draws.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/grain_shape.h"
#include "impuls/scene.h"
#include "scene/check.h"
#include "scene/parts.h"

namespace impuls {

// Of all sets, in their order.
struct GrainKinds {
    struct Kind {
        granular::GrainShape shape{};
        std::uint32_t set = 0;
    };
    struct Part {  // of a set's mixture
        double share = 1;
        std::uint32_t first = 0, count = 1;  // kinds
        GrainSizes sizes{};
    };
    std::vector<Kind> kinds{};
    std::vector<std::vector<Part>> parts{};  // by set
};
GrainKinds make_grain_kinds(const std::vector<GrainsDesc>& sets);

struct DrawnGrain {
    std::uint32_t kind = 0;
    double size = 1;
    Quat orientation{};
};
DrawnGrain draw_grain(const GrainKinds& kinds, const GrainsDesc& desc, std::uint32_t set,
                      std::int64_t number);
// Radius of the largest grain that the set may have, m.
double largest_grain(const GrainKinds& kinds, std::uint32_t set);

void check_grains(const GrainsDesc& desc, const ReportProblem& report);
// The sets of a part of a scene, moved, named and with a material, behind those of earlier parts.
void expand_grains(const ScenePart& part, std::vector<GrainsDesc>& out);

// Where the grains of a block or a scatter begin; fewer than asked for where there is no more room.
std::vector<Vec3> grain_places(const GrainKinds& kinds, const GrainsDesc& desc, std::uint32_t set);

}  // namespace impuls
