// How a program ends whose assertion does not hold (assert.h).
#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace impuls {

void assertion_failed(const char* file, int line, const char* condition) {
    std::fprintf(stderr, "%s:%d: this does not hold: %s\n", file, line, condition);
    std::abort();
}

void index_assertion_failed(const char* file, int line, const char* index_text, long long index,
                            const char* size_text, long long size) {
    std::fprintf(stderr, "%s:%d: %s = %lld is not in [0, %s = %lld)\n", file, line, index_text, index,
                 size_text, size);
    std::abort();
}

}  // namespace impuls
