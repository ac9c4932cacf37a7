// Making a recording ready to be written on (reopen.h). The reader has checked the tables; triggers and views
// that a stranger may have added are switched off in writers (transactions.cpp).
#include "io/recording/reopen.h"

#include <fmt/format.h>

#include <charconv>

#include "io/recording/db.h"
#include "io/recording/format.h"
#include "io/recording/log.h"

namespace impuls {

namespace {

std::optional<std::int64_t> number_in(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

RecordOptions options_of(const Recording& recording) {
    RecordOptions options;
    options.frame_every = number_in(recording.meta("frame_every")).value_or(options.frame_every);
    options.contacts = recording.meta("contacts") != "no";
    options.quantised = recording.meta("quantised") == "yes";
    options.checkpoint_every =
        number_in(recording.meta("checkpoint_every")).value_or(options.checkpoint_every);
    return options;
}

}  // namespace

Reopened reopen_recording(const std::string& file) {
    Reopened found;
    {
        const Recording recording(file);
        if (log_state(file) == LogState::Foreign)
            throw FileError(fmt::format(
                "{0}: the log {0}-wal beside it belongs to another recording; move it away first", file));
        found.options = options_of(recording);
    }
    Database db(file, SQLITE_OPEN_READWRITE, file);
    db.exec("PRAGMA journal_mode=DELETE");  // refused while anybody else has the file open
    for (const TableFormat& table : {kWarningTable, kLayoutTable}) {  // files of earlier programs have none
        Statement find(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = ?");
        if (!find.bind(1, std::string_view(table.name)).step()) {
            find.reset();
            db.exec(table.sql);
        }
    }
    db.exec(fmt::format("PRAGMA user_version={}", kFormatVersion).c_str());
    const auto last = [&db](const char* sql) { return number_in(db.value(sql)); };
    found.last_step = last("SELECT max(step) FROM hashes");
    found.structures = last("SELECT max(id) FROM structures").value_or(0);
    found.layouts = last("SELECT max(id) FROM layouts").value_or(0);
    found.commands = last("SELECT max(seq) FROM commands").value_or(0);
    found.warnings = last("SELECT max(id) FROM warnings").value_or(0);
    db.exec("PRAGMA journal_mode=WAL");
    return found;
}

}  // namespace impuls
