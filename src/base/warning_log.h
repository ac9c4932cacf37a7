// The warnings of a world (impuls/warnings.h), in bounded memory: beyond kMostSubjects bodies, pairs or
// joints of a kind, the others share one entry. Entries are in the order in which they came, which does not
// depend on threads.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "impuls/warnings.h"

namespace impuls {

class WarningLog {
  public:
    static constexpr int kMostSubjects = 64;  // of a kind

    // Who, and by how much.
    struct Sighting {
        WarningKind kind;
        const std::string& subject;
        const std::string& other;
        double value, allowed;
        const char* unit;
    };
    // One step in which it was so.
    void note(const Sighting& seen, double time, double energy = 0);
    // Adds to the energy of all entries of a kind's first subject, J.
    void add_energy(WarningKind kind, double energy);
    // A message without number.
    void say(WarningKind kind, double time, const std::string& text);

    const std::vector<Warning>& all() const { return list_; }
    friend bool operator==(const WarningLog&, const WarningLog&) = default;

  private:
    Warning& entry(WarningKind kind, const std::string& subject, const std::string& other);

    std::vector<Warning> list_{};
    std::array<int, kWarningKinds> subjects_{};
};

}  // namespace impuls
