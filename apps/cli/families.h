// The families of things a scene can name (shapes, joints, methods, commands, ...) read off their lists and
// their visit_fields, so that help never differs from what the engine knows. Used by `impuls list`.
#pragma once

#include <string>
#include <vector>

namespace impuls::cli {

struct FieldInfo {
    std::string name, type, unit, about, range;
    bool is_required = false;
};

struct Entry {
    std::string name, about;
    std::vector<FieldInfo> fields{};
};

struct Family {
    const char* name;
    const char* about;
    std::vector<Entry> (*entries)();
};

// All families, in the order they are listed.
const std::vector<Family>& families();
// What every one of a family has beside its own keys: of joints and forces; empty for others.
std::vector<Entry> common_entries(const std::string& family, const Entry& one);

}  // namespace impuls::cli
