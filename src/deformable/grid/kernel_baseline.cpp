// The kernel of grids for every processor, and which one runs here.
// Alone in its file, for what its header defines is compiled again for AVX2. Called by Sheet.
#include "deformable/grid/kernel_body.h"

namespace impuls::deformable {

const GridKernel kBaselineGridKernel = make_grid_kernel();

bool has_grid_avx2() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

const GridKernel& grid_kernel() {
    return has_grid_avx2() ? kAvx2GridKernel : kBaselineGridKernel;
}

}  // namespace impuls::deformable
