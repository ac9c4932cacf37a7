// What is reported for bad input: every problem at once, each with its place.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace impuls {

/// One problem in an input. `path` is a JSON pointer such as /bodies/3/mass; line and column count from 1,
/// 0 means "not from a file".
struct Issue {
    std::string file;
    int line = 0;
    int column = 0;
    std::string path;
    std::string message;

    /// `file:line:col: /path: message`, leaving out what is unknown.
    std::string text() const;
};

/// Bad input (exit code 2). what() holds all issues, one a line.
class InputError : public std::runtime_error {
  public:
    explicit InputError(std::vector<Issue> issues);
    /// One problem that has no place in a file.
    explicit InputError(const std::string& message);
    const std::vector<Issue>& issues() const { return issues_; }

  private:
    std::vector<Issue> issues_;
};

/// A file or disk that cannot be read or written (exit code 4).
class FileError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The names closest to a misspelt one: " (did you mean 'radius'?)", or "" when none is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

}  // namespace impuls
