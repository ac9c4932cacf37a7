// Rows of a recording collect in one transaction in SQLite's write-ahead log; a thread commits twice a second
// whatever the caller is busy with, so a kill costs at most the last second. The first error ends the
// recording: what was committed stays, what was pending is given up. Called by writer.cpp.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "impuls/errors.h"
#include "io/recording/db.h"

namespace impuls {

class RecordingTransactions {
  public:
    explicit RecordingTransactions(const std::string& file);
    ~RecordingTransactions();

    // For preparing statements; they run in write() only.
    Database& database() { return db_; }
    // Runs `insert` inside the open transaction; commits when enough has collected.
    template <class Insert>
    void write(std::size_t bytes, Insert&& insert);
    void commit();
    // Ends the thread.
    void stop();
    // Commits, lets `release` drop the statements, merges the log and leaves WAL mode, which removes -wal and
    // -shm. A reader that is still looking keeps them.
    template <class Release>
    void close(Release&& release);

  private:
    void check() const;
    void give_up(const FileError& error);
    template <class Action>
    void guarded(Action&& action);
    void note_row(std::size_t bytes);
    bool has_enough() const;
    void commit_locked();
    void keep_committing();
    void close_database();

    std::string file_;
    Database db_;
    std::mutex mutex_{};
    std::condition_variable wake_{};
    bool is_stopping_ = false;
    bool is_closed_ = false;
    std::string error_{};
    std::int64_t pending_rows_ = 0;
    std::size_t pending_bytes_ = 0;
    std::thread thread_{};
};

template <class Action>
void RecordingTransactions::guarded(Action&& action) {
    check();
    try {
        action();
    } catch (const FileError& e) {
        give_up(e);
        throw;
    }
}

template <class Insert>
void RecordingTransactions::write(std::size_t bytes, Insert&& insert) {
    const std::lock_guard lock(mutex_);
    guarded([&] {
        note_row(bytes);
        insert();
        if (has_enough()) commit_locked();
    });
}

template <class Release>
void RecordingTransactions::close(Release&& release) {
    stop();
    if (is_closed_) return;
    guarded([&] { commit_locked(); });
    guarded([&] {
        release();
        close_database();
    });
    is_closed_ = true;
}

}  // namespace impuls
