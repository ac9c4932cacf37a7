// Text to the terminal and small number formats (output.h).
#include "cli/output.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fmt/core.h>

#include "impuls/errors.h"

namespace impuls::cli {
namespace {

// The first failed write decides; errno is gone by the time of finish_output.
int output_error = 0;

}  // namespace

void print(const std::string& text) {
    if (output_error == 0 && std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
        output_error = errno;
}

void complain(const std::string& message) {
    const std::string line = "impuls: " + message + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

bool finish_output() {
    if (output_error == 0 && std::fflush(stdout) != 0) output_error = errno;
    if (output_error == 0 || output_error == EPIPE) return true;
    complain(fmt::format("cannot write the output: {}", std::strerror(output_error)));
    return false;
}

std::string with_unit(double value, const char* unit) {
    return fmt::format("{:.4g}{}{}", value, *unit ? " " : "", unit);
}

std::string precise(double value, const char* unit) {
    return fmt::format("{:.9g}{}{}", value, *unit ? " " : "", unit);
}

std::string duration_text(double seconds) {
    if (!(seconds < 1e9)) return "a long time";
    if (seconds < 1) return fmt::format("{:.3g} ms", 1e3 * seconds);
    if (seconds < 100) return fmt::format("{:.3g} s", seconds);
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string size_text(std::uint64_t bytes) {
    const char* const units[] = {"B", "kB", "MB", "GB", "TB"};
    auto value = static_cast<double>(bytes);
    int unit = 0;
    while (value >= 1000 && unit < 4) value /= 1000, ++unit;
    return fmt::format("{:.3g} {}", value, units[unit]);
}

std::string counted(std::uint64_t n, const char* one, const char* many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string hex(std::uint64_t value) {
    return fmt::format("{:016x}", value);
}

void refuse_input(const std::string& out, const std::string& input) {
    std::error_code error;
    if (std::filesystem::equivalent(out, input, error))
        throw InputError(fmt::format("{}: is what is read; choose another name for the output", out));
}

}  // namespace impuls::cli
