// Text tables (table.h).
#include "cli/table.h"

#include <algorithm>
#include <utility>

namespace impuls::cli {
namespace {

// Characters, not bytes: UTF-8 continuation bytes take no room.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

Table::Table(std::vector<std::string> heads) : has_heads_(!heads.empty()) {
    for (std::string& head : heads) {
        right_.push_back(head[0] == '>');
        if (right_.back()) head.erase(0, 1);
    }
    if (has_heads_) rows_.push_back(std::move(heads));
}

void Table::row(std::vector<std::string> cells) {
    rows_.push_back(std::move(cells));
}

std::string Table::text() const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
    }
    std::string out;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        std::string line;
        for (std::size_t c = 0; c < rows_[r].size(); ++c) {
            const std::string gap(widths[c] - width(rows_[r][c]), ' ');
            const bool is_right = c < right_.size() && right_[c];
            line += (c > 0 ? "  " : "") + (is_right ? gap + rows_[r][c] : rows_[r][c] + gap);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
        if (r == 0 && has_heads_) {
            for (std::size_t c = 0; c < widths.size(); ++c) {
                out += (c > 0 ? "  " : "") + std::string(widths[c], '-');
            }
            out += "\n";
        }
    }
    return out;
}

}  // namespace impuls::cli
