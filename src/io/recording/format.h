// The tables of a recording, version 2 (docs/manual/recording.md explains them), and how its file is
// recognised. The reader compares the text of every table definition with this one: a file that merely
// resembles a recording (views, triggers, other types) is refused before it is queried.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "impuls/scene.h"

namespace impuls {

inline constexpr std::int32_t kApplicationId = 0x496d706c;  // "Impl"
inline constexpr int kFormatVersion = 2, kOldestFormatVersion = 1;

struct TableFormat {
    const char* name;
    const char* sql;
};

inline constexpr std::array<TableFormat, 8> kTables{{
    {"meta", "CREATE TABLE meta(key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID"},
    {"scene", "CREATE TABLE scene(id INTEGER PRIMARY KEY, file TEXT NOT NULL, text TEXT NOT NULL)"},
    {"structures",
     "CREATE TABLE structures(id INTEGER PRIMARY KEY, step INTEGER NOT NULL, json BLOB NOT NULL)"},
    {"commands", "CREATE TABLE commands(seq INTEGER PRIMARY KEY, step INTEGER NOT NULL, json TEXT NOT NULL)"},
    {"frames",
     "CREATE TABLE frames(step INTEGER PRIMARY KEY, time REAL, structure INTEGER NOT NULL, data BLOB NOT "
     "NULL)"},
    {"checkpoints", "CREATE TABLE checkpoints(step INTEGER PRIMARY KEY, data BLOB NOT NULL)"},
    {"measurements",
     "CREATE TABLE measurements(name TEXT NOT NULL, step INTEGER NOT NULL, time REAL, value REAL, "
     "PRIMARY KEY(name, step)) WITHOUT ROWID"},
    {"hashes", "CREATE TABLE hashes(step INTEGER PRIMARY KEY, hash INTEGER NOT NULL)"},
}};

// A table that files of earlier programs do not have, and that earlier programs pass over.
inline constexpr TableFormat kWarningTable{
    "warnings",
    "CREATE TABLE warnings(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, subject TEXT NOT NULL, other TEXT NOT "
    "NULL, time REAL, value REAL, worst_time REAL, worst REAL, total REAL, allowed REAL, unit TEXT NOT NULL, "
    "count INTEGER NOT NULL, text TEXT NOT NULL)"};

// Which columns frames hold (layout.h). Files of version 1 do not have it.
inline constexpr TableFormat kLayoutTable{"layouts",
                                          "CREATE TABLE layouts(id INTEGER PRIMARY KEY, json TEXT NOT NULL)"};

// What lies at a path, judged without SQLite by the first bytes of the file.
enum class FileKind { Missing, Recording, OtherDatabase, Empty, OtherFile, Directory, Unreadable };
FileKind file_kind(const std::string& file);

// The scene as text that needs no other file: includes are expanded, meshes written out.
std::string self_contained_text(const Scene& scene);
std::string self_contained_text(const Command& command);

// Back from that text. A text that refers to other files is refused. Throws InputError or FileError.
Scene parse_self_contained_scene(const std::string& text, const std::string& file);
Command parse_self_contained_command(const std::string& text);

}  // namespace impuls
