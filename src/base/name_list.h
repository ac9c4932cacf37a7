// Names of many things in few bytes. Names that end in a number (grain[17], b17), as those of generators do,
// are kept as what is before it, once for all that share it, and the number; the text is made when somebody
// asks. Names are found by a table of places, open addressing (Knuth, The Art of Computer Programming 6.4),
// and compared as they are kept. Called by id_table.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/assert.h"

namespace impuls {

class NameList {
  public:
    static constexpr std::uint32_t kNone = 0xffffffffu;

    std::string operator[](std::uint32_t place) const {
        IMPULS_ASSERT_INDEX(place, entries_.size());
        const Entry& e = entries_[place];
        const std::string& stem = stems_[e.stem >> kFormBits];
        switch (form_of(e)) {
            case Form::Plain:
                return stem;
            case Form::Number:
                return stem + std::to_string(e.number);
            default:
                return stem + '[' + std::to_string(e.number) + ']';
        }
    }
    // Its place, or kNone.
    std::uint32_t find(std::string_view name) const;
    // The place must be free, and nothing else may have the name.
    void set(std::uint32_t place, std::string_view name);
    void clear(std::uint32_t place);  // it is free then

  private:
    enum class Form : std::uint32_t { Free, Plain, Number, Bracket };
    static constexpr int kFormBits = 2;
    struct Entry {
        std::uint32_t stem = 0;  // its number, and the form
        std::uint32_t number = 0;
        friend bool operator==(const Entry&, const Entry&) = default;
    };
    struct Parts {
        std::string_view stem;
        Form form;
        std::uint32_t number;
    };

    static Form form_of(const Entry& e) { return static_cast<Form>(e.stem & ((1u << kFormBits) - 1)); }
    static Parts parts_of(std::string_view name);
    std::uint32_t stem_number(std::string_view stem);
    std::size_t start_of(const Entry& e) const;
    void enter(std::uint32_t place);
    void grow();

    std::vector<Entry> entries_{};  // by place
    std::vector<std::string> stems_{};
    std::unordered_map<std::string, std::uint32_t> stem_numbers_{};
    std::vector<std::uint32_t> table_{};  // places; its size is a power of two, at most three quarters used
    std::size_t used_ = 0;
};

}  // namespace impuls
