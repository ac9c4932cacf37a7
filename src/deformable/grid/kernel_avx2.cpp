// The kernel of grids for AVX2 (256-bit registers): this file alone is compiled for it (CMakeLists.txt).
// Its loops are those of kernel_body.h, with the same bits. Called by way of grid_kernel().
#include "deformable/grid/kernel_body.h"

namespace impuls::deformable {

const GridKernel kAvx2GridKernel = make_grid_kernel();

}  // namespace impuls::deformable
