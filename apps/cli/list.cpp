// `impuls list`: what can be used in scenes and on the command line, with its fields.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/families.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/subcommands.h"
#include "cli/table.h"
#include "impuls/errors.h"

namespace impuls::cli {
namespace {

struct ListOptions {
    std::string family{};
    std::string entry{};
    bool json = false;
};

// All of a family, or the one that is asked for.
std::vector<Entry> entries_of(const Family& family, const std::string& wanted) {
    std::vector<Entry> entries = family.entries();
    if (wanted.empty()) return entries;
    std::vector<std::string> names;
    for (Entry& entry : entries) {
        if (entry.name == wanted) return {std::move(entry)};
        names.push_back(entry.name);
    }
    throw InputError(fmt::format("there is no '{}' among the {}{}; see impuls list {}", wanted, family.name,
                                 did_you_mean(wanted, names), family.name));
}

Json family_json(const std::vector<Entry>& entries) {
    Json list = Json::array();
    for (const Entry& entry : entries) {
        Json item = Json::object();
        item.add("name", entry.name);
        if (!entry.about.empty()) item.add("about", entry.about);
        Json fields = Json::array();
        for (const FieldInfo& f : entry.fields) {
            fields.push(Json::object()
                            .add("name", f.name)
                            .add("type", f.type)
                            .add("unit", f.unit)
                            .add("about", f.about)
                            .add("range", f.range)
                            .add("required", f.is_required));
        }
        if (!entry.fields.empty()) item.add("fields", fields);
        list.push(item);
    }
    return list;
}

std::string family_text(const std::vector<Entry>& entries) {
    Table table;
    for (const Entry& entry : entries) {
        table.row({entry.name, entry.about});
        for (const FieldInfo& f : entry.fields) {
            const std::string unit = f.unit.empty() ? "" : fmt::format(" [{}]", f.unit);
            const std::string range = f.range.empty() ? "" : ", " + f.range;
            table.row({"  " + f.name,
                       fmt::format("{}{}{}{}{}{}", f.type, unit, range, f.is_required ? ", required" : "",
                                   f.about.empty() ? "" : ": ", f.about)});
        }
    }
    return table.text();
}

std::string overview_text() {
    Table table;
    for (const Family& family : families()) {
        std::string names;
        const std::vector<Entry> entries = family.entries();
        if (std::string(family.name) == "scenes" || std::string(family.name) == "quantities") {
            names = fmt::format("{} of them", entries.size());
        } else {
            for (const Entry& entry : entries) names += (names.empty() ? "" : ", ") + entry.name;
        }
        table.row({family.name, fmt::format("{}: {}", family.about, names)});
    }
    return table.text() +
           "\nimpuls list FAMILY shows one of them with its fields, impuls list FAMILY NAME a single "
           "entry.\n";
}

const Family& find_family(const std::string& name) {
    std::vector<std::string> names;
    for (const Family& family : families()) {
        if (family.name == name) return family;
        names.push_back(family.name);
    }
    const std::string near = did_you_mean(name, names);
    throw InputError(fmt::format("unknown family '{}'{}; see impuls list", name,
                                 near.empty() ? fmt::format(" (one of {})", fmt::join(names, ", ")) : near));
}

int list(const ListOptions& o) {
    Json json = Json::object();
    if (!o.family.empty()) {
        const Family& family = find_family(o.family);
        const std::vector<Entry> entries = entries_of(family, o.entry);
        std::string text = o.json ? json.add(family.name, family_json(entries)).text() : family_text(entries);
        if (!o.json && !o.entry.empty())
            for (const Entry& common : common_entries(family.name, entries.front()))
                text += "\n" + family_text({common});
        print(text);
    } else if (o.json) {
        for (const Family& family : families()) json.add(family.name, family_json(family.entries()));
        print(json.text());
    } else {
        print(overview_text());
    }
    return kOk;
}

std::function<int()> prepare_list(CLI::App& app) {
    const auto o = std::make_shared<ListOptions>();
    std::string names;
    for (const Family& family : families()) names += (names.empty() ? "" : "|") + std::string(family.name);
    app.add_option("family", o->family, "What to list: " + names + "; left out: an overview")
        ->type_name("FAMILY");
    app.add_option("name", o->entry, "One of the family, e.g. joints hinge")->type_name("NAME");
    app.add_flag("--json", o->json, "Print one JSON object");
    return [o] { return list(*o); };
}

}  // namespace

Subcommand list_command() {
    return {"list", "List shapes, joints, methods, quantities, scenes, ...",
            "  impuls list\n"
            "  impuls list shapes\n"
            "  impuls list joints hinge\n"
            "  impuls list quantities --json",
            prepare_list};
}

}  // namespace impuls::cli
