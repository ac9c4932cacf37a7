// Sharing surfaces (surface_cache.h).
#include "areal/surface_cache.h"

#include <algorithm>

namespace impuls::areal {
namespace {

// Placed anywhere: the surface is in the collider's own axes.
bool has_same_surface(const Collider& a, const Collider& b) {
    return a.kind == b.kind && a.half == b.half && a.radius == b.radius && a.polyhedron == b.polyhedron &&
           a.surface == b.surface;
}

}  // namespace

Surface SurfaceCache::of(const Collider& collider, double resolution) {
    const std::lock_guard lock(mutex_);
    const auto at = std::find_if(entries_.begin(), entries_.end(), [&](const auto& entry) {
        return entry->resolution == resolution && has_same_surface(entry->collider, collider);
    });
    if (at != entries_.end()) return (*at)->surface;
    entries_.push_back(
        std::make_unique<Entry>(Entry{collider, resolution, surface_of(collider, resolution)}));
    return entries_.back()->surface;
}

}  // namespace impuls::areal
