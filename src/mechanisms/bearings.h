// Whether the wheels of gears, racks and the like run in bearings. Called when a world is made.
#pragma once

#include <string>

namespace impuls {

struct BodySet;
struct JointSet;
struct WorldIds;

// Throws InputError for a wheel whose axis can tilt against the frame: how far it has turned about that axis
// is then not defined (swung by half a turn, it may have turned by any angle), and the joint would push
// without bounds.
void require_bearings(const std::string& file, const WorldIds& ids, const BodySet& bodies,
                      const JointSet& joints);

}  // namespace impuls
