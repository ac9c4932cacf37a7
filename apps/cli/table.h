// Text tables: columns as wide as their content, numbers to the right.
#pragma once

#include <string>
#include <vector>

namespace impuls::cli {

class Table {
  public:
    // Column heads; one that begins with '>' is aligned to the right. No heads: a plain two-column list.
    explicit Table(std::vector<std::string> heads = {});
    void row(std::vector<std::string> cells);
    std::string text() const;

  private:
    std::vector<bool> right_{};
    bool has_heads_;
    std::vector<std::vector<std::string>> rows_{};
};

}  // namespace impuls::cli
