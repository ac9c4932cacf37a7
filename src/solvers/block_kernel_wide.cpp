// The kernel for processors with 256-bit registers: this file alone is compiled for them (CMakeLists.txt).
#include "solvers/block_lanes.h"

#include "solvers/block_kernel_body.h"

namespace impuls::block {

const Kernel kWideKernel = make_kernel();

}  // namespace impuls::block
