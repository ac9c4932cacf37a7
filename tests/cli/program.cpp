// Starting the command line and catching what it says (program.h).
#include "cli/program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/places.h"

namespace impuls::test {

const char* const kFallingBall = R"({
    "impuls": 1,
    "title": "Falling ball",
    "settings": {"dt": 0.01, "duration": 2},
    "bodies": [{"name": "ball", "shape": {"type": "sphere", "radius": 0.5}, "mass": 2, "position": [0, 100, 0]}],
    "measure": [{"quantity": "bodies.ball.position", "every": 10, "name": "height"}, {"quantity": "energy.total"}]
})";

const char* const kTimeline = R"({
    "impuls": 1,
    "title": "Kicked ball",
    "settings": {"dt": 0.01, "duration": 1.5},
    "materials": [{"name": "rubber", "restitution": 0.5, "friction": 0.4}],
    "bodies": [
        {"name": "floor", "kind": "static", "shape": {"type": "plane"}, "material": "rubber"},
        {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "material": "rubber", "position": [0, 1.1, 0]}
    ],
    "timeline": [
        {"time": 0.3, "type": "apply_impulse", "body": "ball", "impulse": [1, 0, 0]},
        {"time": 0.5, "type": "put", "bodies": [{"name": "second", "shape": {"type": "sphere", "radius": 0.2},
                                                   "position": [5, 3, 0], "angular_velocity": [0, 0, 3]}]},
        {"time": 1.2, "type": "remove", "bodies": ["second"]}
    ]
})";

const char* const kPendulum = R"({
    "impuls": 1,
    "title": "Pendulum",
    "settings": {"dt": 0.01, "duration": 2},
    "bodies": [{"name": "bob", "shape": {"type": "sphere", "radius": 0.1}, "position": [1, 0, 0]}],
    "joints": [{"name": "pivot", "type": "ball", "b": "bob", "anchor": [0, 0, 0]}]
})";

std::string read_text(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

Json::Value parse_json(const std::string& text) {
    Json::Value value;
    std::string errors;
    std::istringstream in(text);
    EXPECT_TRUE(Json::parseFromStream(Json::CharReaderBuilder(), in, &value, &errors)) << errors << "\n"
                                                                                       << text;
    return value;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Started::Started(const std::string& folder, const std::vector<std::string>& arguments, int stderr_fd) {
    static std::atomic<int> number{0};
    const std::string stem = folder + "/output" + std::to_string(number++);
    out_ = stem + ".out", err_ = stem + ".err";
    std::vector<char*> argv;
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ != 0) return;
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(open(out_.c_str(), flags, 0600), STDOUT_FILENO);
    dup2(stderr_fd >= 0 ? stderr_fd : open(err_.c_str(), flags, 0600), STDERR_FILENO);
    if (chdir(folder.c_str()) == 0) execvp(argv[0], argv.data());
    _exit(127);
}

Outcome Started::wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), read_text(out_), read_text(err_)};
}

Cli::Cli() {
    std::string name =
        (std::filesystem::temp_directory_path() / "impuls-cli-").string() + std::string(6, 'X');
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
}

Cli::~Cli() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

std::string Cli::write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
}

Outcome Cli::run(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all{built_program()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return Started(folder_, all).wait();
}

Json::Value Cli::run_json(const std::vector<std::string>& arguments) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return parse_json(outcome.out);
}

Outcome Cli::bash(const std::string& command) const {
    return Started(folder_, {"bash", "-c", "set -o pipefail; impuls='" + built_program() + "'; " + command})
        .wait();
}

}  // namespace impuls::test
