// What built this program and what it runs on: stored in every recording, so that a replay on another build
// or processor can say so before it compares hashes. The version and build type come from CMakeLists.txt.
#include <fmt/format.h>

#include <fstream>
#include <string>

#include "impuls/recording.h"

namespace impuls {

namespace {

std::string compiler() {
#if defined(__clang__)
    return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    return fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

// "model name : …" on x86; other processors call it differently or not at all.
std::string cpu_model() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const std::size_t colon = line.find(": ");
        if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> build_info() {
    const std::string type = IMPULS_BUILD_TYPE;
    return {{"engine", IMPULS_VERSION},
            {"build", fmt::format("{}, {}", type.empty() ? "no build type" : type, compiler())},
            {"cpu", cpu_model()}};
}

}  // namespace impuls
