// The kernel for AVX2 (256-bit registers): this file alone is compiled for it (CMakeLists.txt).
#include "solvers/blocks/lanes.h"

#include "solvers/blocks/kernel_body.h"

namespace impuls::block {

const Kernel kAvx2Kernel = make_kernel();

}  // namespace impuls::block
