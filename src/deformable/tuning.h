// A constant that whoever advances particles by links in short substeps shares (sheet.cpp, steppers/strips).
#pragma once

namespace impuls::deformable {

// Edges that a free fall along a sheet passes in a substep: h = kFallPace l / sqrt(g L). Fitted on hanging
// sheets of 50 x 50 and 100 x 100 nodes (docs/internals/deformable.md); from 1.3 times this on stretch jumps.
inline constexpr double kFallPace = 0.0145;

}  // namespace impuls::deformable
