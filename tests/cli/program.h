// Runs the built command line as a user would: real process, real files, in a folder of its own that is
// removed afterwards.
#pragma once

#include <gtest/gtest.h>
#include <json/json.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace impuls::test {

struct Outcome {
    int code = -1;  // exit code, or -signal
    std::string out, err;
};

// A started program whose output goes to files of the folder.
class Started {
  public:
    Started(const std::string& folder, const std::vector<std::string>& arguments, int stderr_fd = -1);
    pid_t pid() const { return pid_; }
    Outcome wait();

  private:
    pid_t pid_ = -1;
    std::string out_, err_;
};

class Cli : public ::testing::Test {
  protected:
    Cli();
    ~Cli() override;
    // A path in the test's folder.
    std::string path(const std::string& name) const { return folder_ + "/" + name; }
    std::string write(const std::string& name, const std::string& text) const;
    Outcome run(const std::vector<std::string>& arguments) const;
    // Runs, expects exit code 0 and reads stdout as JSON.
    Json::Value run_json(const std::vector<std::string>& arguments) const;
    // A bash command line in which $impuls is the program.
    Outcome bash(const std::string& command) const;
    const std::string& folder() const { return folder_; }

  private:
    std::string folder_;
};

std::string read_text(const std::string& file);
Json::Value parse_json(const std::string& text);
bool contains(const std::string& text, const std::string& part);

// A ball of 2 kg, 100 m up, that meets nothing. Measures its height every 10 steps.
extern const char* const kFallingBall;
// A ball dropped 1 m onto a floor; the timeline kicks it, adds a second one and takes it away again.
extern const char* const kTimeline;
// A pendulum on a ball joint, 1 m long.
extern const char* const kPendulum;

}  // namespace impuls::test
