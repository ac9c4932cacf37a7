// A run of this program in a process of its own, so that whatever becomes of it is only a result. Its output
// goes to memory; it ends when the one that started it does.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace impuls::cli {

class Child {
  public:
    // Throws FileError when no process can be started.
    explicit Child(const std::vector<std::string>& arguments);
    ~Child();  // one that still runs is ended
    Child(Child&& other) noexcept;
    Child& operator=(Child&&) = delete;

    // True once it has ended.
    bool has_ended();
    int exit_code() const { return exit_code_; }  // minus the signal that ended it
    std::string out() const;
    std::string err() const;

  private:
    pid_t pid_ = -1;  // -1: has ended
    int out_ = -1, err_ = -1;
    int exit_code_ = 0;
};

}  // namespace impuls::cli
