// The kernel for every processor, and which one runs here.
#include "solvers/block_kernel_body.h"

namespace impuls::block {

const Kernel kPlainKernel = make_kernel();

bool has_wide() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

bool has_roomy() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

const Kernel& kernel() {
    return has_roomy() ? kRoomyKernel : has_wide() ? kWideKernel : kPlainKernel;
}

}  // namespace impuls::block
