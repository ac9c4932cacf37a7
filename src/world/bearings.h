// Whether the wheels of gears, racks and the like run in bearings. Called when a world is made.
#pragma once

namespace impuls {

struct Scene;
struct WorldState;

// Throws InputError for a wheel whose axis can tilt against the frame: how far it has turned about that axis
// is then not defined (swung by half a turn, it may have turned by any angle), and the joint would push
// without bounds.
void require_bearings(const Scene& scene, const WorldState& s);

}  // namespace impuls
