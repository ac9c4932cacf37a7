// Groups of frames as tables (walk_groups.h).
#include "io/export/walk_groups.h"

#include "impuls/scene.h"
#include "scene/group_quantity.h"

namespace impuls {

namespace {

std::string axis_name(const Scene& structure, std::size_t place) {
    std::string name = std::to_string(place);
    std::size_t k = 0;
    for (const JointDesc& joint : structure.joints)
        visit_axes(joint.joint, [&](const char* axis, const AxisDesc&) {
            if (k++ == place) name = joint.name + "." + axis;
        });
    return name;
}

}  // namespace

std::vector<GroupView> groups_of(const Frame& frame) {
    std::vector<GroupView> all;
    for (const FrameGroup& group : frame_groups()) {
        if (std::string_view(group.name) == "frame") continue;
        GroupView view{&desc_of(group), group.entries, group.count(frame), {}};
        for (std::size_t c = 0; c < group.columns.size(); ++c)
            if (group.columns[c].meaning != Meaning::Inner) view.columns.push_back(group.view(frame, c));
        if (!view.columns.empty()) all.push_back(std::move(view));
    }
    for (const ColumnGroup& group : frame.groups) {
        GroupView view{&group.desc(), EntryNames::None, group.count(), {}};
        for (std::size_t c = 0; c < group.desc().columns.size(); ++c)
            view.columns.push_back(view_of(group, c));
        all.push_back(std::move(view));
    }
    return all;
}

std::vector<std::string> headings(const ColumnView& column) {
    std::vector<std::string> names;
    for (const std::string& part : part_names(*column.desc)) {
        if (part == "magnitude" || (part.empty() && column.desc->size > 1)) continue;
        const std::string head =
            column.heading ? column.heading : column.desc->name + (part.empty() ? "" : ".");
        names.push_back(head + part);
    }
    return names;
}

std::string entry_name(const Frame& frame, const GroupView& group, std::size_t entry) {
    switch (group.entries) {
        case EntryNames::Bodies:
            return frame.structure->bodies[entry].name;
        case EntryNames::Joints:
            return frame.structure->joints[entry].name;
        case EntryNames::Axes:
            return axis_name(*frame.structure, entry);
        case EntryNames::Forces:
            return frame.structure->forces[entry].name;
        case EntryNames::None:
            break;
    }
    return std::to_string(entry);
}

std::string body_name_at(const Frame& frame, const ColumnView& column, std::size_t entry) {
    const double index = column.number(entry, 0);
    if (!(index < static_cast<double>(frame.structure->bodies.size()))) return {};
    return frame.structure->bodies[static_cast<std::size_t>(index)].name;
}

}  // namespace impuls
