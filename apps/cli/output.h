// Text to the terminal. Results go to stdout, everything else to stderr; a reader that closes the pipe is no
// error. Numbers are shown with few digits; JSON output has all of them (json.h).
#pragma once

#include <cstdint>
#include <string>

namespace impuls::cli {

// Writes to stdout; failures are seen by finish_output.
void print(const std::string& text);
// One line to stderr, beginning with "impuls: ".
void complain(const std::string& message);
// Flushes stdout; false when it could not be written (a closed pipe counts as written).
bool finish_output();

// "0.001234 m", "2.5e-07 m"; no unit gives the number alone.
std::string with_unit(double value, const char* unit = "");
// "1.234567" for values that are read closely, such as energies.
std::string precise(double value, const char* unit = "");
// "850 ms", "12.3 s", "4 min 05 s".
std::string duration_text(double seconds);
// "3.2 MB".
std::string size_text(std::uint64_t bytes);
// "1 body", "3 bodies".
std::string counted(std::uint64_t n, const char* one, const char* many);
// 16 hexadecimal digits.
std::string hex(std::uint64_t value);
// What a command makes must not take the place of what it reads, even where it may replace files. Throws
// InputError.
void refuse_input(const std::string& out, const std::string& input);

}  // namespace impuls::cli
