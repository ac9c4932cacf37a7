// The kernel for processors with 32 registers of 256 bits: this file alone is compiled for them
// (CMakeLists.txt). Sweeps spill less.
#include "solvers/block_lanes.h"

#include "solvers/block_kernel_body.h"

namespace impuls::block {

const Kernel kRoomyKernel = make_kernel();

}  // namespace impuls::block
