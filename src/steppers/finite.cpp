// Lost bodies (finite.h).
#include "steppers/finite.h"

#include <fmt/format.h>

namespace impuls {

const char* lost_reason(const Pose& pose, const Vec3& v, const Vec3& w, double size) {
    if (!is_finite(v) || !is_finite(w) || !is_finite(pose.position) || !is_finite(pose.orientation))
        return "is not finite";
    if (size > 0 && length(pose.position) > 0x1p52 * size) return "has flown out of the range of numbers";
    return nullptr;
}

void note_lost(std::uint32_t body, const char* reason, const char* stage, Results& results) {
    results.failure = fmt::format("{} after {}", reason, stage);
    results.failed_body = body;
}

}  // namespace impuls
