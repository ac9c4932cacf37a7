// What happened when: two bodies began to push each other, came apart, an axis reached a limit, a joint
// broke. Found by comparing each frame with the one before it, once. A pair that parts for less than three
// frames has not come apart: resting contacts flicker. Called by the session, for the list of events.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "studio/timeline.h"

namespace impuls::studio {

struct Happening {
    std::size_t frame = 0;
    double time = 0;
    const char* kind = "";  // impact, separation, limit, break
    std::string a{}, b{};   // bodies; of a limit the joint and its axis; of a break the joint
    double force = 0;       // N, of an impact
};

class Happenings {
  public:
    // Looks at all frames that came since. No more than a number that a list can show.
    const std::vector<Happening>& look(Timeline& timeline);

  private:
    void look_at(std::size_t k, const Frame& frame);
    void add(Happening happening);

    std::vector<Happening> list_{};
    std::map<std::pair<std::string, std::string>, std::size_t> touching_{};  // last frame
    std::set<std::string> at_limit_{};
    std::set<std::string> joints_{};
    std::shared_ptr<const Scene> structure_{};
    std::size_t next_ = 0;
};

}  // namespace impuls::studio
