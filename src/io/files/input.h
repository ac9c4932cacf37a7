// Reading files that others name: only regular ones, and without ever waiting. A pipe would wait for a
// writer, and some files of /proc look regular but wait for news. Called by the scene loader and by
// recordings.
#pragma once

#include <cstddef>
#include <string>

namespace impuls {

// The whole text of a regular file of at most `most` bytes. Throws std::runtime_error with the reason,
// without the file's name.
std::string read_whole_file(const std::string& file, std::size_t most);

// The first bytes of a regular file, fewer when it is shorter; empty when it cannot be read.
std::string read_file_head(const std::string& file, std::size_t count);

}  // namespace impuls
