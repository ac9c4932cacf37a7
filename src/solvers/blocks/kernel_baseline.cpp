// The kernel for every processor, and which one runs here.
#include "solvers/blocks/kernel_body.h"

namespace impuls::block {

const Kernel kBaselineKernel = make_kernel();

bool has_avx2() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

bool has_avx512vl() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

const Kernel& kernel() {
    return has_avx512vl() ? kAvx512vlKernel : has_avx2() ? kAvx2Kernel : kBaselineKernel;
}

}  // namespace impuls::block
