// Frames as comma-separated values (RFC 4180): one row for each body of each frame; beside it a table of each
// other group that has entries, and the recorded measurements, one row for each sample. Numbers are written
// so that they read back exactly.
#include <filesystem>
#include <list>
#include <optional>

#include "impuls/scene.h"
#include "io/export/formats.h"
#include "io/export/walk_groups.h"

namespace impuls {

namespace {

std::string csv_quoted(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + "\"";
}

void write_heading(OutputFile& file, const GroupView& group, const char* entries) {
    file.print("step,time,{}", entries);
    for (const ColumnView& column : group.columns)
        for (const std::string& heading : headings(column)) file.print(",{}", csv_quoted(heading));
    file.write("\n");
}

void write_rows(OutputFile& file, const Frame& frame, const GroupView& group) {
    for (std::size_t k = 0; k < group.count; ++k) {
        file.print("{},{},{}", frame.step, frame.time, csv_quoted(entry_name(frame, group, k)));
        for (const ColumnView& column : group.columns) {
            if (column.meaning == Meaning::Body) {
                file.print(",{}", csv_quoted(body_name_at(frame, column, k)));
                continue;
            }
            for (std::uint32_t part = 0; part < column.desc->size; ++part)
                file.print(",{}", column.number(k, part));
        }
        file.write("\n");
    }
}

// Beside a pipe or /dev/stdout there is no place for other files.
bool is_file(const std::string& out) {
    std::error_code error;
    return !std::filesystem::exists(out, error) || std::filesystem::is_regular_file(out, error);
}

// One table for bodies, and one for each other group from its first entry on.
class GroupTables {
  public:
    GroupTables(OutputFile& bodies, const std::string& out, const ExportSettings& settings)
        : bodies_(bodies), out_(out), settings_(settings), has_folder_(is_file(out)) {}

    void add(const Frame& frame) {
        for (const GroupView& group : groups_of(frame)) {
            if (group.entries == EntryNames::Bodies) {
                write_rows(bodies_, frame, group);
            } else if (group.count > 0 && has_folder_) {
                write_rows(table_of(group), frame, group);
            }
        }
    }
    void complete() {
        for (Table& table : tables_) table.file.complete();
    }
    void finish() {
        for (Table& table : tables_) table.file.finish();
    }

  private:
    struct Table {
        Table(const GroupDesc& desc, const std::string& name, Existing existing)
            : group(desc), file(name, existing) {}
        GroupDesc group;
        OutputFile file;
    };

    OutputFile& table_of(const GroupView& group) {
        for (Table& table : tables_)
            if (table.group.name == group.desc->name && table.group.columns == group.desc->columns)
                return table.file;
        std::size_t others = 0;  // a group whose columns have changed gets another table
        for (const Table& table : tables_) others += table.group.name == group.desc->name;
        const std::string number = others > 0 ? fmt::format(".{}", others + 1) : "";
        tables_.emplace_back(*group.desc, fmt::format("{}.{}{}.csv", out_, group.desc->name, number),
                             existing(settings_));
        write_heading(tables_.back().file, group, "entry");
        return tables_.back().file;
    }

    OutputFile& bodies_;
    const std::string& out_;
    const ExportSettings& settings_;
    bool has_folder_;
    std::list<Table> tables_{};
};

void write_measurements(OutputFile& file, const Recording& recording, const std::vector<std::string>& names) {
    file.write("name,step,time,value\n");
    for (const std::string& name : names) {
        for (const Recording::Sample& s : recording.samples(name)) {
            file.print("{},{},{},{}\n", csv_quoted(name), s.step, s.time, s.value);
        }
    }
}

}  // namespace

void export_csv(const Recording& recording, const std::string& out, const ExportSettings& settings) {
    OutputFile file(out, existing(settings));
    const std::vector<std::string> names = recording.sample_names();
    std::optional<OutputFile> measurements;  // opened first: one that is in the way shows at once
    if (!names.empty()) measurements.emplace(out + ".measurements.csv", existing(settings));
    GroupView bodies = groups_of(Frame{}).front();
    write_heading(file, bodies, "body");
    GroupTables tables(file, out, settings);
    for_each_frame(recording, settings, 0, 1,
                   [&tables](std::size_t, const Frame& frame) { tables.add(frame); });
    if (measurements) {
        write_measurements(*measurements, recording, names);
        measurements->complete();
    }
    tables.complete();
    file.complete();
    if (measurements) measurements->finish();
    tables.finish();
    file.finish();
}

}  // namespace impuls
