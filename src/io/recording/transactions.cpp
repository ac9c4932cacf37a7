// The thread that commits, and the end of a recording (transactions.h).
#include "io/recording/transactions.h"

#include <chrono>

#include <fmt/format.h>

namespace impuls {
namespace {

constexpr std::chrono::milliseconds kCommitEvery{500};
constexpr std::int64_t kMaxPendingRows = 50'000;
constexpr std::size_t kMaxPendingBytes = std::size_t{16} << 20;

}  // namespace

RecordingTransactions::RecordingTransactions(const std::string& file)
    : file_(file), db_(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, file) {
    // A recording that is written on may come from a stranger.
    for (const int option :
         {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_TRUSTED_SCHEMA})
        sqlite3_db_config(db_.handle(), option, 0, nullptr);
    db_.exec("PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=2000");
    thread_ = std::thread([this] { keep_committing(); });
}

RecordingTransactions::~RecordingTransactions() {
    stop();
}

void RecordingTransactions::check() const {
    if (is_closed_) throw FileError(fmt::format("{}: the recording is closed", file_));
    if (!error_.empty()) throw FileError(error_);
}

void RecordingTransactions::give_up(const FileError& error) {
    error_ = error.what();
    pending_rows_ = 0;
    pending_bytes_ = 0;
    sqlite3_exec(db_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void RecordingTransactions::note_row(std::size_t bytes) {
    if (pending_rows_ == 0) db_.exec("BEGIN");
    ++pending_rows_;
    pending_bytes_ += bytes;
}

bool RecordingTransactions::has_enough() const {
    return pending_rows_ >= kMaxPendingRows || pending_bytes_ >= kMaxPendingBytes;
}

void RecordingTransactions::commit_locked() {
    if (pending_rows_ == 0) return;
    db_.exec("COMMIT");
    pending_rows_ = 0;
    pending_bytes_ = 0;
}

void RecordingTransactions::commit() {
    const std::lock_guard lock(mutex_);
    guarded([this] { commit_locked(); });
}

void RecordingTransactions::keep_committing() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, kCommitEvery, [this] { return is_stopping_; })) {
        if (!error_.empty()) continue;
        try {
            guarded([this] { commit_locked(); });
        } catch (const FileError&) {
            continue;  // kept in error_; the next call of the owner throws it
        }
    }
}

void RecordingTransactions::stop() {
    {
        const std::lock_guard lock(mutex_);
        is_stopping_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void RecordingTransactions::close_database() {
    try {
        db_.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        db_.exec("PRAGMA journal_mode=DELETE");
    } catch (const DatabaseError& e) {
        const int kind = e.code() & 0xff;
        if (kind != SQLITE_BUSY && kind != SQLITE_LOCKED) throw;
    }
    db_.close();
}

}  // namespace impuls
