// What joints' errors are measured against, one definition for all steppers and for warnings: a length counts
// relative to the radius of gyration of the bodies that the joint holds, an angle as it is. Radii of gyration
// know nothing of shapes, and scale with lengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "constraints/problem.h"
#include "steppers/island.h"

namespace impuls {

// A joint whose equations are off by more is torn open: to be drawn together by displacements, not by
// velocities of gap / h. Relative to its size, or rad. Fitted, on which scenes is not
// recorded; doubled: JointSize.tells_torn_joints fails, which asks for this number; ragdolls keep their bits.
inline constexpr double kTornOpen = 0.05;

// The smaller size of a joint's bodies that can turn, m; infinite when there is none.
double joint_size(const WorldView& view, const Island& island, const IslandJoint& joint);

// Of a world's joint, as above; 0 when there is none.
double joint_size(const JointSet& joints, std::size_t j, const BodySet& bodies);

// m that a radian counts as between these nodes (Row::length): the same, 0 when none can turn.
double angle_size(const WorldView& view, const Island& island, std::initializer_list<std::uint32_t> nodes);

// The smallest size of the island's bodies that can turn, m; 0 when there is none.
double smallest_size(const WorldView& view, const Island& island);

// Whether the equations among rows [first, end), made for one joint of this size, are off too far. Rows of
// axes (limits, motors, springs) do not count.
bool is_torn(const Rows& rows, const AxisLog& log, std::size_t first, std::size_t end, double size);

}  // namespace impuls
