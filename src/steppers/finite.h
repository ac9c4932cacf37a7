// Whether a body is still where numbers can tell places apart. Used by all steppers, after their stages.
#pragma once

#include "impuls/vec.h"
#include "steppers/results.h"

namespace impuls {

// What is wrong with a body: nullptr when nothing is. A body so far from the origin that neighbouring doubles
// are farther apart than its own size is lost: nothing can be said of what it touches.
const char* lost_reason(const Pose& pose, const Vec3& v, const Vec3& w, double size);

// Notes a lost body as the failure of the step: which it is, what is wrong with it, and after which stage.
void note_lost(std::uint32_t body, const char* reason, const char* stage, Results& results);

}  // namespace impuls
