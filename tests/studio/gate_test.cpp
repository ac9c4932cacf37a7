// Who may speak to the studio, and which files it touches.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "impuls/errors.h"
#include "studio/gate.h"
#include "studio/workspace.h"

namespace impuls::studio {
namespace {

TEST(StudioGate, tokens_are_long_and_never_the_same) {
    const std::string token = make_token();
    EXPECT_EQ(token.size(), 32u);
    EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_NE(token, make_token());
}

TEST(StudioGate, knows_its_own_host_and_origin) {
    const Gate gate("secret", 8123);
    for (const char* host : {"127.0.0.1:8123", "localhost:8123", "[::1]:8123"}) {
        EXPECT_TRUE(gate.is_own_host(host)) << host;
        EXPECT_TRUE(gate.is_own_origin(std::string("http://") + host)) << host;
        EXPECT_FALSE(gate.is_own_origin(std::string("https://") + host)) << host;
    }
    for (const char* host : {"", "127.0.0.1", "127.0.0.1:8124", "evil.example:8123",
                             "127.0.0.1:8123.evil.example", "evil.127.0.0.1:8123", " 127.0.0.1:8123"})
        EXPECT_FALSE(gate.is_own_host(host)) << host;
    EXPECT_FALSE(gate.is_own_origin("null"));
    EXPECT_FALSE(gate.is_own_origin(""));
}

TEST(StudioGate, takes_its_own_token_and_cookie_alone) {
    const Gate gate("secret", 8123);
    EXPECT_TRUE(gate.has_token(gate.page_target()));
    for (const char* target :
         {"/", "/?token=", "/?token=secre", "/?token=secret1", "/?token=Secret", "/x?token=secret"})
        EXPECT_FALSE(gate.has_token(target)) << target;
    EXPECT_TRUE(gate.has_cookie("impuls_studio_8123=secret"));
    EXPECT_TRUE(gate.has_cookie("a=b; impuls_studio_8123=secret; c=d"));
    for (const char* cookies : {"", ";", "impuls_studio_8123=", "impuls_studio_8124=secret",
                                "ximpuls_studio_8123=secret", "impuls_studio_8123=secretx"})
        EXPECT_FALSE(gate.has_cookie(cookies)) << cookies;
    EXPECT_NE(gate.set_cookie().find("HttpOnly"), std::string::npos);
}

TEST(StudioWorkspace, keeps_to_its_folder) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / "impuls_studio_workspace";
    fs::remove_all(folder);
    fs::create_directories(folder / "in" / "below");
    fs::create_directories(folder / "out");
    std::ofstream(folder / "in" / "a.json") << "{}";
    std::ofstream(folder / "out" / "b.json") << "{}";
    fs::create_symlink(folder / "out", folder / "in" / "way-out");
    fs::create_symlink(folder / "out" / "b.json", folder / "in" / "link.json");
    Workspace workspace((folder / "in").string(), (folder / "gallery").string());
    EXPECT_EQ(workspace.to_read("a.json"), fs::canonical(folder / "in" / "a.json").string());
    EXPECT_EQ(workspace.shown(workspace.to_read("below/../a.json")), "a.json");
    EXPECT_EQ(workspace.shown(workspace.to_write("below/new.json")), "below/new.json");
    for (const char* path : {"../out/b.json", "way-out/b.json", "link.json", "/etc/passwd", "", ".", ".."}) {
        EXPECT_THROW(workspace.to_read(path), InputError) << path;
        EXPECT_THROW(workspace.to_write(path), InputError) << path;
    }
    EXPECT_THROW(workspace.to_write("nowhere/new.json"), InputError);
    workspace.allow((folder / "out" / "b.json").string());
    EXPECT_NO_THROW(workspace.to_read((folder / "out" / "b.json").string()));
    EXPECT_THROW(workspace.to_write((folder / "out" / "b.json").string()), InputError);
    EXPECT_EQ(workspace.files(), (std::vector<std::string>{"a.json", "link.json"}));
    fs::remove_all(folder);
}

}  // namespace
}  // namespace impuls::studio
