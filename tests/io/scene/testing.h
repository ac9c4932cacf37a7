// What the scene-file tests share: messages as text, and files in a folder of their own.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "impuls/errors.h"
#include "impuls/scene_file.h"

namespace impuls {

// All messages of a scene, one a line; "" when it loads.
inline std::string complaints(const std::string& text, const Overrides& overrides = {}) {
    try {
        parse_scene(text, "s.json", overrides);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

inline std::string file_complaints(const std::string& file) {
    try {
        load_scene(file);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

inline std::string read_text(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

class SceneFolder : public testing::Test {
  protected:
    void SetUp() override {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  ("impuls_" + std::to_string(getpid()) + "_" + info->test_suite_name() + "_" + info->name());
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::string write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((folder_ / name).parent_path());
        std::ofstream(path(name), std::ios::binary) << text;
        return path(name);
    }

    std::filesystem::path folder_;
};

}  // namespace impuls
