// Reads recordings, also damaged or hostile ones: table definitions must be ours, keys must increase in every
// listing (a tree that points back at itself would otherwise never end), blobs are bounded before they grow.
// A file whose writer was killed is read together with the log beside it. Called by replay, exporters, plots.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>

#include "impuls/recording.h"
#include "io/recording/db.h"
#include "io/recording/format.h"
#include "io/recording/frame_codec.h"
#include "io/recording/log.h"
#include "io/recording/zstd.h"

namespace impuls {

namespace {

constexpr std::size_t kStructuresKept = 4;
// Bytes of a structure's text: a scene in memory takes many times as much. Files hold several frames as well.
constexpr std::uint64_t kMostText = std::uint64_t{8} << 20, kTextShare = 20;
constexpr int kSchemaOperations =
    10'000'000;  // virtual machine steps to read eight table definitions: plenty

void check_kind(const std::string& file) {
    switch (file_kind(file)) {
        case FileKind::Recording:
            return;
        case FileKind::Missing:
            throw InputError(fmt::format("{}: no such file", file));
        case FileKind::Directory:
            throw FileError(fmt::format("{}: is a folder, not a recording", file));
        case FileKind::Empty:
            throw FileError(fmt::format("{}: is empty, not a recording", file));
        case FileKind::Unreadable:
            throw FileError(fmt::format("{}: cannot be read", file));
        case FileKind::OtherDatabase:
            throw FileError(fmt::format("{}: is an SQLite file, but not an Impuls recording", file));
        case FileKind::OtherFile:
            throw FileError(fmt::format(
                "{}: is not an Impuls recording (impuls run SCENE --record FILE makes one)", file));
    }
}

std::string as_uri(const std::string& file) {
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(std::filesystem::path(file)).string()) {
        uri += c == '%' || c == '?' || c == '#' ? fmt::format("%{:02x}", static_cast<unsigned char>(c))
                                                : std::string(1, c);
    }
    return uri + "?immutable=1";
}

std::uint64_t size_of(const std::string& file) {
    std::error_code error;
    const auto size = std::filesystem::file_size(file, error);
    return error ? 0 : size;
}

std::uint64_t size_with_log(const std::string& file) {
    return size_of(file) + size_of(file + "-wal");
}

int stop_query(void*) {
    return 1;
}

Database open_and_touch(const std::string& file, int flags, const std::string& name) {
    Database db(file, flags | SQLITE_OPEN_NOMUTEX, name);
    sqlite3_db_config(db.handle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(db.handle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(db.handle(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(db.handle(), SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_progress_handler(db.handle(), kSchemaOperations, stop_query, nullptr);
    db.exec("PRAGMA cell_size_check=ON; PRAGMA mmap_size=0");
    db.value("SELECT name FROM sqlite_schema LIMIT 1");
    return db;
}

// Reading leaves the file as it is. Two cases need more: a rollback that a killed close() left unfinished
// must be completed first, and a folder that cannot be written has no room for the index of a log.
// The log of another recording is left out.
Database open_for_reading(const std::string& file, bool is_log_foreign) {
    if (is_log_foreign) return open_and_touch(as_uri(file), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, file);
    try {
        return open_and_touch(file, SQLITE_OPEN_READONLY, file);
    } catch (const DatabaseError& e) {
        const int kind = e.code() & 0xff;
        if (kind != SQLITE_READONLY && kind != SQLITE_CANTOPEN) throw;
    }
    if (access(file.c_str(), R_OK) != 0) throw FileError(fmt::format("{}: cannot be read", file));
    const bool has_log = size_of(file + "-wal") > 0 || size_of(file + "-journal") > 0;
    if (!has_log) return open_and_touch(as_uri(file), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, file);
    try {
        return open_and_touch(file, SQLITE_OPEN_READWRITE, file);
    } catch (const DatabaseError&) {
        throw FileError(fmt::format(
            "{}: was not closed and lies in a folder that cannot be written; copy it together with "
            "{}-wal to another folder",
            file, std::filesystem::path(file).filename().string()));
    }
}

void check_format(Database& db, const std::string& file) {
    const std::string version = db.value("PRAGMA user_version");
    if (version != std::to_string(kFormatVersion) && version != std::to_string(kOldestFormatVersion)) {
        throw FileError(fmt::format("{}: has format version {}, this program reads versions {} to {}", file,
                                    version, kOldestFormatVersion, kFormatVersion));
    }
    Statement table(db, "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?");
    for (const TableFormat& expected : kTables) {
        table.bind(1, std::string_view(expected.name));
        if (!table.step() || table.text(0) != expected.sql) {
            throw FileError(fmt::format("{}: the recording is damaged (table {})", file, expected.name));
        }
        table.reset();
    }
}

}  // namespace

struct Recording::State {
    explicit State(std::string file_) : file(std::move(file_)) {
        check_kind(file);
        const LogState log = log_state(file);
        if (log != LogState::Fine) warnings.push_back(log_warning(file, log));
        db = open_for_reading(file, log == LogState::Foreign);
        bytes = size_with_log(file);
        check_format(db, file);
        sqlite3_progress_handler(db.handle(), 0, nullptr, nullptr);
    }

    // Adds the file's name to what the decoders have to say; a damaged scene is a damaged file.
    template <class Action>
    auto in_file(Action&& action) const -> decltype(action()) {
        try {
            return action();
        } catch (const DatabaseError&) {
            throw;
        } catch (const std::bad_alloc&) {
            throw FileError(fmt::format("{}: not enough memory", file));
        } catch (const std::exception& e) {
            throw FileError(fmt::format("{}: {}", file, e.what()));
        }
    }

    // Rows in the order of their integer key in column 0, which must increase.
    template <class Row>
    void each(Statement& query, Row&& row) const {
        std::optional<std::int64_t> last;
        while (query.step()) {
            const std::int64_t key = query.integer(0);
            if (last && key <= *last) throw FileError(fmt::format("{}: the recording is damaged", file));
            last = key;
            row(query);
        }
    }

    std::vector<std::int64_t> keys(const char* sql) const {
        Statement query(db, sql);
        std::vector<std::int64_t> all;
        each(query, [&all](const Statement& row) { all.push_back(row.integer(0)); });
        return all;
    }

    std::shared_ptr<const Scene> structure(std::int64_t id);
    // How a table was made; "" when there is none.
    std::string table_text(const char* name) const {
        Statement table(db, "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?");
        return table.bind(1, std::string_view(name)).step() ? table.text(0) : std::string();
    }
    const FrameLayout& layout(std::uint32_t id);
    FindLayout find_layout() {
        return [this](std::uint32_t id) -> const FrameLayout& { return layout(id); };
    }

    std::string file;
    Database db{};
    std::uint64_t bytes = 0;  // of the file
    std::vector<std::string> warnings{};
    std::vector<std::pair<std::int64_t, std::shared_ptr<const Scene>>> structures;  // latest first
    FrameLayout last_layout{};
};

const FrameLayout& Recording::State::layout(std::uint32_t id) {
    if (!last_layout.groups.empty() && last_layout.id == id) return last_layout;
    if (table_text(kLayoutTable.name) != kLayoutTable.sql)
        throw FileError("the recording is damaged (table layouts)");
    Statement query(db, "SELECT json FROM layouts WHERE id = ? AND length(json) < 1000000");
    if (!query.bind(1, std::int64_t{id}).step()) throw FileError("the columns of a frame are missing");
    last_layout = parse_layout(query.text(0), id);
    return last_layout;
}

std::shared_ptr<const Scene> Recording::State::structure(std::int64_t id) {
    const auto known =
        std::find_if(structures.begin(), structures.end(), [id](auto& s) { return s.first == id; });
    if (known != structures.end()) {
        std::rotate(structures.begin(), known, known + 1);
        return structures.front().second;
    }
    Statement query(db, "SELECT json FROM structures WHERE id = ?");
    if (!query.bind(1, id).step()) throw FileError("the structure of a frame is missing");
    const auto blob = query.blob(0);
    if (content_size(blob) > std::max(kMostText, kTextShare * bytes))
        throw FileError("a structure is far larger than the whole file");
    const std::vector<std::byte> text = decompress(blob, kTextLimit);
    auto scene = std::make_shared<const Scene>(parse_self_contained_scene(
        std::string(reinterpret_cast<const char*>(text.data()), text.size()), "structure"));
    structures.insert(structures.begin(), {id, scene});
    if (structures.size() > kStructuresKept) structures.pop_back();
    return scene;
}

Recording::Recording(const std::string& file) : state_(std::make_unique<State>(file)) {}
Recording::~Recording() = default;
Recording::Recording(Recording&&) noexcept = default;

const std::vector<std::string>& Recording::file_warnings() const {
    return state_->warnings;
}

std::string Recording::meta(const std::string& key) const {
    Statement query(state_->db, "SELECT value FROM meta WHERE key = ?");
    return query.bind(1, key).step() ? query.text(0) : std::string();
}

std::vector<std::pair<std::string, std::string>> Recording::all_meta() const {
    Statement query(state_->db, "SELECT key, value FROM meta ORDER BY key");
    std::vector<std::pair<std::string, std::string>> all;
    while (query.step()) {
        all.emplace_back(query.text(0), query.text(1));
        if (all.size() > 1 && all.back().first <= all[all.size() - 2].first) {
            throw FileError(fmt::format("{}: the recording is damaged", state_->file));
        }
    }
    return all;
}

Scene Recording::scene() const {
    return state_->in_file([this] {
        Statement query(state_->db, "SELECT file, text FROM scene WHERE id = 1");
        if (!query.step()) throw FileError("the scene is missing");
        const std::string name = query.text(0);
        return parse_self_contained_scene(query.text(1), name.empty() ? "scene" : name);
    });
}

Scene Recording::scene(const Overrides& changes) const {
    Statement query(state_->db, "SELECT file, text FROM scene WHERE id = 1");
    scene();  // as it was given it must be sound; what is wrong now is wrong with the changes
    query.step();
    const std::string name = query.text(0);
    return parse_scene(query.text(1), name.empty() ? "scene" : name, changes);
}

std::vector<std::int64_t> Recording::frame_steps() const {
    return state_->keys("SELECT step FROM frames ORDER BY step");
}

Frame Recording::frame(std::int64_t step) const {
    Statement query(state_->db, "SELECT structure, data FROM frames WHERE step = ?");
    if (!query.bind(1, step).step()) {
        throw InputError(fmt::format("{}: has no frame of step {}", state_->file, step));
    }
    return state_->in_file([&] {
        const std::vector<std::byte> bytes = decompress(query.blob(1), kDataLimit);
        Frame frame = decode_frame(bytes, state_->structure(query.integer(0)), state_->find_layout());
        if (frame.step != step) throw FileError("a frame has the wrong step");
        return frame;
    });
}

std::vector<std::pair<std::string, std::uint64_t>> Recording::column_bytes() const {
    std::vector<std::pair<std::string, std::uint64_t>> all;
    state_->in_file([&] {
        Statement query(state_->db, "SELECT step, data FROM frames ORDER BY step");
        state_->each(query, [&](const Statement& row) {
            for (const ColumnBytes& column :
                 impuls::column_bytes(decompress(row.blob(1), kDataLimit), state_->find_layout())) {
                const auto known = std::find_if(all.begin(), all.end(),
                                                [&](const auto& c) { return c.first == column.name; });
                if (known != all.end()) known->second += column.bytes;
                if (known == all.end()) all.emplace_back(column.name, column.bytes);
            }
        });
    });
    return all;
}

std::vector<std::pair<std::int64_t, std::uint64_t>> Recording::hashes() const {
    Statement query(state_->db, "SELECT step, hash FROM hashes ORDER BY step");
    std::vector<std::pair<std::int64_t, std::uint64_t>> all;
    state_->each(query, [&all](const Statement& row) {
        all.emplace_back(row.integer(0), static_cast<std::uint64_t>(row.integer(1)));
    });
    return all;
}

std::vector<std::pair<std::int64_t, Command>> Recording::commands() const {
    Statement query(state_->db, "SELECT seq, step, json FROM commands ORDER BY seq");
    std::vector<std::pair<std::int64_t, Command>> all;
    state_->in_file([&] {
        state_->each(query, [&all](const Statement& row) {
            all.emplace_back(row.integer(1), parse_self_contained_command(row.text(2)));
        });
    });
    return all;
}

std::vector<Warning> Recording::warnings() const {
    const std::string table = state_->table_text(kWarningTable.name);
    if (table.empty()) return {};
    if (table != kWarningTable.sql)
        throw FileError(fmt::format("{}: the recording is damaged (table warnings)", state_->file));
    Statement query(state_->db,
                    "SELECT id, kind, subject, other, time, value, worst_time, worst, total, allowed, unit, "
                    "count, text FROM warnings ORDER BY id LIMIT 1000");
    constexpr auto kinds = EnumNames<WarningKind>::names;
    std::vector<Warning> all;
    state_->each(query, [&](const Statement& row) {
        const auto kind = std::find(kinds.begin(), kinds.end(), row.text(1));
        if (kind == kinds.end()) return;  // of a later program
        all.push_back({static_cast<WarningKind>(kind - kinds.begin()), row.text(2), row.text(3), row.real(4),
                       row.real(5), row.real(6), row.real(7), row.real(8), row.real(9), row.text(10),
                       row.integer(11), row.text(12)});
    });
    return all;
}

std::vector<std::int64_t> Recording::checkpoint_steps() const {
    return state_->keys("SELECT step FROM checkpoints ORDER BY step");
}

std::vector<std::byte> Recording::checkpoint(std::int64_t step) const {
    Statement query(state_->db, "SELECT data FROM checkpoints WHERE step = ?");
    if (!query.bind(1, step).step()) {
        throw InputError(fmt::format("{}: has no checkpoint of step {}", state_->file, step));
    }
    return state_->in_file([&query] { return decompress(query.blob(0), kDataLimit); });
}

// From name to next name by the primary key, without reading the rows between.
std::vector<std::string> Recording::sample_names() const {
    Statement first(state_->db, "SELECT min(name) FROM measurements");
    Statement next(state_->db, "SELECT min(name) FROM measurements WHERE name > ?");
    std::vector<std::string> names;
    first.step();
    for (std::string name = first.text(0); !name.empty();) {
        if (!names.empty() && name <= names.back()) {
            throw FileError(fmt::format("{}: the recording is damaged", state_->file));
        }
        names.push_back(name);
        next.reset();
        next.bind(1, name).step();
        name = next.text(0);
    }
    return names;
}

std::vector<Recording::Sample> Recording::samples(const std::string& name) const {
    Statement query(state_->db, "SELECT step, time, value FROM measurements WHERE name = ? ORDER BY step");
    query.bind(1, name);
    std::vector<Sample> all;
    state_->each(query, [&all](const Statement& row) {
        all.push_back({row.integer(0), row.real(1), row.real(2)});
    });
    return all;
}

}  // namespace impuls
