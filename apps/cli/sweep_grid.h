// What a sweep varies: values of a scene, each by a list or a range, and all their combinations.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace impuls::cli {

struct Varied {
    std::string path{};                 // as --set takes it
    std::vector<std::string> values{};  // as --set takes them
};

// "variables.m=100,300", "settings.dt=0.001:0.01:4", "variables.k=1:1000:4:log". Commas within brackets and
// quotes separate nothing. Throws InputError.
Varied parse_varied(const std::string& text);

// The first path changes slowest.
class Grid {
  public:
    explicit Grid(std::vector<Varied> varied);

    const std::vector<Varied>& varied() const { return varied_; }
    std::size_t size() const { return size_; }
    // One value for each path.
    std::vector<std::string> values(std::size_t run) const;
    // "path=value" for each path.
    std::vector<std::string> set(std::size_t run) const;

  private:
    std::vector<Varied> varied_;
    std::size_t size_ = 1;
};

}  // namespace impuls::cli
