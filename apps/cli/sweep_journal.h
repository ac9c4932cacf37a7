// What a sweep has done so far, beside the table it will make: a line of JSON for the sweep itself, then one
// for each run, appended as runs end. A killed sweep goes on from here.
#pragma once

#include <json/value.h>

#include <cstddef>
#include <map>
#include <string>

namespace impuls::cli {

class Journal {
  public:
    // Opens or begins the journal FILE. Throws InputError when it is of another sweep, or another process is
    // writing it, and FileError.
    Journal(const std::string& file, const ::Json::Value& sweep);
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    const std::map<std::size_t, ::Json::Value>& rows() const { return rows_; }
    void add(std::size_t run, const ::Json::Value& row);
    // The table is written.
    void remove();

  private:
    void read(const ::Json::Value& sweep);
    void append(const ::Json::Value& line);

    std::string file_;
    int handle_ = -1;
    std::map<std::size_t, ::Json::Value> rows_{};
};

}  // namespace impuls::cli
