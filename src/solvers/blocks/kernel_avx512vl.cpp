// The kernel for AVX-512VL (32 registers of 256 bits, so that sweeps spill less): this file alone is compiled
// for it (CMakeLists.txt).
#include "solvers/blocks/lanes.h"

#include "solvers/blocks/kernel_body.h"

namespace impuls::block {

const Kernel kAvx512vlKernel = make_kernel();

}  // namespace impuls::block
