// What outlives the studio (keeping.h).
#include "studio/keeping.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "impuls/errors.h"
#include "io/files/input.h"
#include "io/files/output.h"
#include "studio/structure.h"

namespace impuls::studio {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostSession = std::size_t{256} << 20;  // bytes

// The lock's file, or -1 when the folder is another's.
int lock_folder(const std::string& folder) {
    const int made = ::mkdir(folder.c_str(), 0700);
    struct stat what {};
    if ((made != 0 && errno != EEXIST) || ::lstat(folder.c_str(), &what) != 0 || !S_ISDIR(what.st_mode))
        return -1;
    if (what.st_uid != ::geteuid()) return -1;
    const int file = ::open((folder + "/lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) == 0) return file;
    if (file >= 0) ::close(file);
    return -1;
}

}  // namespace

Keeping::Keeping(const std::string& workspace)
    : folder_(workspace + "/.impuls-studio"), lock_(lock_folder(folder_)) {
    if (is_lasting()) return;
    folder_ = (fs::temp_directory_path() / "impuls-studio-XXXXXX").string();
    if (!mkdtemp(folder_.data()))
        throw FileError("cannot make a folder in " + fs::temp_directory_path().string());
}

Keeping::Keeping(Keeping&& other) noexcept
    : folder_(std::exchange(other.folder_, "")), lock_(std::exchange(other.lock_, -1)) {}

Keeping::~Keeping() {
    std::error_code ignored;
    if (is_lasting())
        ::close(lock_);
    else if (!folder_.empty())
        fs::remove_all(folder_, ignored);
}

Json::Value Keeping::load() const {
    const std::string file = folder_ + "/session.json";
    std::error_code error;
    if (!fs::exists(file, error)) return {};
    try {
        return parse_json(read_whole_file(file, kMostSession));
    } catch (const std::exception&) {
        return {};
    }
}

void Keeping::save(const Json::Value& session) const {
    OutputFile file(folder_ + "/session.json", Existing::Replace);
    file.write(to_line(session));
    file.finish();
}

std::string Keeping::clear() const {
    const Json::Value last = load();
    std::string kept;
    if (last.isObject() && last["changed"].asBool()) {
        kept = folder_ + "/unsaved.json";
        OutputFile file(kept, Existing::Replace);
        file.write(last["text"].asString());
        file.finish();
    }
    std::error_code error;
    for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        std::error_code ignored;
        if (name.starts_with("run-") || name == "session.json") fs::remove(it->path(), ignored);
    }
    return kept;
}

}  // namespace impuls::studio
