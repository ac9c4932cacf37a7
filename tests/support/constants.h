// Numbers that many tests need.
#pragma once

namespace impuls {

inline constexpr double kG = 9.81;
inline constexpr double kPi = 3.14159265358979323846;

}  // namespace impuls
