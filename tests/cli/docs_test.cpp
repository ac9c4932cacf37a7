// The documentation does what it says: the commands of its tutorial run, its lists are complete, and what it
// shows of programs and scenes is what there is. The shell gets its completion, and man its page.
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>

#include "cli/program.h"
#include "impuls/warnings.h"
#include "support/places.h"
#include "support/slow_build.h"

namespace impuls::test {
namespace {

namespace fs = std::filesystem;

std::string page(const std::string& name) {
    return read_text(in_project("docs/" + name));
}

// What stands between ``` fences of a language.
std::vector<std::string> blocks(const std::string& text, const std::string& language) {
    std::vector<std::string> found;
    const std::string begin = "\n```" + language + "\n";
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
        const std::size_t from = at + begin.size();
        found.push_back(text.substr(from, text.find("\n```", from) + 1 - from));
    }
    return found;
}

TEST_F(Cli, TutorialCommandsRun) {
    if (kSlowBuild) GTEST_SKIP() << "the same commands, and slow";
    const std::string tutorial = in_project("docs/tutorial");
    fs::copy(tutorial + "/ball.json", path("ball.json"));
    fs::copy(tutorial + "/crane.json", path("crane.json"));
    int commands = 0;
    for (const char* step :
         {"1-first-scene", "2-joints-and-motors", "3-measuring-and-plotting", "4-comparing-methods"})
        for (const std::string& block : blocks(page("tutorial/" + std::string(step) + ".md"), "sh")) {
            const Outcome outcome = bash("impuls() { \"$impuls\" \"$@\"; }; set -e\n" + block);
            EXPECT_EQ(outcome.code, 0) << block << outcome.err;
            ++commands;
        }
    EXPECT_GE(commands, 12);
    for (const char* made : {"ball.png", "crane.png", "crane.impuls", "plot.png", "phase.png", "crane.csv",
                             "crane.html", "bounce.csv", "bounce.png"})
        EXPECT_TRUE(fs::exists(path(made))) << made;
}

TEST_F(Cli, TutorialShowsWhatThereIs) {
    const std::string first = page("tutorial/1-first-scene.md"), ball = page("tutorial/ball.json");
    EXPECT_TRUE(contains(ball, blocks(first, "json").at(0))) << "ball.json";
    const std::string program = blocks(page("tutorial/5-own-program.md"), "cpp").at(0);
    EXPECT_TRUE(contains(page("tutorial/crane.cpp"), program)) << "crane.cpp";
    const std::string crane = std::regex_replace(page("tutorial/crane.json"), std::regex("\\s+"), "");
    for (const std::string& part : blocks(page("tutorial/2-joints-and-motors.md"), "json")) {
        // What the page leaves out is a name of a material.
        const std::string bare = std::regex_replace(part, std::regex("\\s+"), "");
        const std::string without = std::regex_replace(crane, std::regex("\"material\":\"steel\","), "");
        EXPECT_TRUE(contains(crane, bare) || contains(without, bare)) << part;
    }
}

TEST_F(Cli, ListsOfTheDocumentationAreComplete) {
    const std::string gallery = page("gallery.md");
    for (const auto& entry : fs::directory_iterator(in_project("scenes/examples"))) {
        const std::string name = entry.path().stem().string();
        if (entry.path().extension() != ".json" || name == "materials") continue;
        EXPECT_TRUE(contains(gallery, "images/gallery/" + name + ".png"))
            << name << ": run docs/make_pictures";
        EXPECT_TRUE(fs::exists(in_project("docs/images/gallery/" + name + ".png"))) << name;
    }
    for (const char* family : {"shapes", "joints", "forces"}) {
        const std::string text = page(std::string(family) + ".md");
        const Json::Value entries = run_json({"list", family, "--json"})[family];
        for (const Json::Value& entry : entries) {
            const std::string name = entry["name"].asString();
            EXPECT_TRUE(contains(text, "![" + name + "](images/")) << name << ": a picture";
            EXPECT_TRUE(contains(text, entry["about"].asString())) << name << ": as the program says";
            for (const Json::Value& field : entry["fields"])
                EXPECT_TRUE(contains(text, "`" + field["name"].asString() + "`"))
                    << name << " " << field["name"];
        }
    }
    const std::string troubles = page("troubleshooting.md");
    for (const char* kind : EnumNames<WarningKind>::names)
        EXPECT_TRUE(contains(troubles, std::string("| `") + kind + "` |")) << kind;
}

// A page says what it is for and shows something, before it tells where the code is.
TEST_F(Cli, PagesBeginWithTheirPurpose) {
    int pages = 0;
    for (const char* folder : {"docs", "docs/manual", "docs/tutorial"})
        for (const auto& entry : fs::directory_iterator(in_project(folder))) {
            if (entry.path().extension() != ".md") continue;
            std::istringstream text(read_text(entry.path().string()));
            std::string line, screen, all;
            for (int k = 0; k < 40 && std::getline(text, line); ++k) {
                all += line + "\n";
                if (k < 10) screen += line + "\n";
            }
            for (const char* path : {"src/", "tests/", "apps/"})
                EXPECT_FALSE(contains(screen, path)) << entry.path() << " begins with files:\n" << screen;
            EXPECT_TRUE(contains(all, "\n```") || contains(all, "![") || contains(all, "\n|"))
                << entry.path() << " shows nothing on its first screen";
            ++pages;
        }
    EXPECT_GT(pages, 25);
}

// Two screens, and a picture first.
TEST_F(Cli, ReadmeIsShortAndBeginsWithAPicture) {
    const std::string readme = read_text(in_project("README.md"));
    EXPECT_EQ(readme.substr(0, readme.find('\n')), "# Impuls");
    EXPECT_EQ(readme.find("\n![") + 1, readme.find('\n') + 2) << "a picture below the title";
    EXPECT_LE(std::count(readme.begin(), readme.end(), '\n'), 100);
}

// Times of computing go out of date; those of the benchmarks are made anew by a command, and what decided
// something in the code is in bench/results/notes.md.
TEST_F(Cli, PagesHaveNoTimings) {
    const std::regex timing("µs|[0-9] [nu]s\\b|ms a step| s in all|times as fast|of CPU time");
    int pages = 0;
    for (const auto& entry : fs::recursive_directory_iterator(in_project("docs"))) {
        if (entry.path().extension() != ".md" || entry.path().filename() == "benchmarks.md") continue;
        const std::string text = read_text(entry.path().string());
        std::smatch found;
        EXPECT_FALSE(std::regex_search(text, found, timing)) << entry.path() << ": " << found.str();
        ++pages;
    }
    EXPECT_GT(pages, 50);
}

// Every command line that a page shows: the command is there, and has the options.
TEST_F(Cli, PagesShowOptionsThatThereAre) {
    std::map<std::string, std::string> help;
    const std::regex command("impuls ([a-z]+) ([^\\n`|)]*)"), option("--[a-z][a-z-]*");
    int options = 0;
    for (const auto& entry : fs::recursive_directory_iterator(in_project("docs"))) {
        if (entry.path().extension() != ".md") continue;
        const std::string text = read_text(entry.path().string());
        for (std::sregex_iterator at(text.begin(), text.end(), command), end; at != end; ++at) {
            const std::string name = (*at)[1], rest = (*at)[2];
            if (!help.contains(name)) help[name] = run({name, "--help"}).out;
            if (!contains(help[name], "Usage: impuls " + name)) continue;  // words of a sentence
            for (std::sregex_iterator o(rest.begin(), rest.end(), option); o != end; ++o, ++options)
                EXPECT_TRUE(contains(help[name], o->str()))
                    << entry.path() << ": impuls " << name << " " << rest;
        }
    }
    EXPECT_GT(options, 40);
}

TEST_F(Cli, PicturesOfTheDocumentationAreSmall) {
    std::uintmax_t all = 0;
    for (const auto& entry : fs::recursive_directory_iterator(in_project("docs/images")))
        if (entry.is_regular_file()) all += entry.file_size();
    EXPECT_LT(all, 6'000'000u);
}

TEST_F(Cli, SamplesArePagesNotBooks) {
    int samples = 0;
    for (const auto& entry : fs::directory_iterator(in_project("samples"))) {
        if (entry.path().extension() != ".cpp") continue;
        const std::string text = read_text(entry.path().string());
        EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 80) << entry.path();
        ++samples;
    }
    EXPECT_GE(samples, 8);
}

TEST_F(Cli, ListExplainsEachEntryInASentence) {
    const Json::Value json = run_json({"list", "--json"});
    for (const char* family : {"shapes", "joints", "forces", "presets", "steppers", "solvers", "integrators",
                               "impacts", "friction", "broad_phases"})
        for (const Json::Value& entry : json[family])
            EXPECT_GT(entry["about"].asString().size(), 5u) << family << " " << entry["name"];
    EXPECT_NE(json["joints"][0]["about"], json["shapes"][0]["about"]);
}

TEST_F(Cli, ShellsCompleteCommandsAndOptions) {
    const auto words = [&](const std::string& line) {
        return bash("source <(\"$impuls\" completion bash); COMP_WORDS=(" + line +
                    "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _impuls; echo \"${COMPREPLY[*]}\"")
            .out;
    };
    EXPECT_EQ(words("impuls sch"), "schema\n");
    EXPECT_TRUE(contains(words("impuls run --thr"), "--threads"));
    EXPECT_EQ(words("impuls list sha"), "shapes\n");
    EXPECT_EQ(run({"completion", "zsh"}).code, 0);
    EXPECT_EQ(run({"completion", "fish"}).code, 2);
    const std::string manual = run({"man"}).out;
    for (const char* part : {".TH IMPULS 1\n", ".SS run\n", "\\-\\-threads", ".SH EXIT STATUS\n"})
        EXPECT_TRUE(contains(manual, part)) << part;
}

TEST_F(Cli, VersionSaysHowItWasBuilt) {
    const std::string version = run({"--version"}).out;
    EXPECT_TRUE(std::regex_search(version, std::regex("^impuls \\d+\\.\\d+\\.\\d+\n"))) << version;
    EXPECT_TRUE(contains(version, "build: ")) << version;
}

}  // namespace
}  // namespace impuls::test
