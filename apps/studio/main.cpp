// `impuls studio`: serves the studio to a browser on this machine, and runs the engine for it.
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "impuls/errors.h"
#include "studio/server.h"
#include "studio/session.h"

using namespace impuls;
using namespace impuls::studio;

namespace {

namespace fs = std::filesystem;

struct Options {
    std::string file{};
    std::string folder = ".";
    std::uint16_t port = 0;
    bool no_open = false;
};

// Only where there is a screen; the address is printed in any case.
void open_browser(const std::string& address) {
    if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
    const std::string command = fmt::format("xdg-open '{}' >/dev/null 2>&1 &", address);
    if (std::system(command.c_str()) != 0) return;
}

int serve(const Options& o) {
    Workspace workspace(o.folder, IMPULS_SCENES_DIR);
    Keeping keeping(workspace.folder());
    Session session(std::move(workspace), std::move(keeping));
    Server server(o.port, session);
    session.set_send(
        [&server](ClientId client, Message message) { server.send(client, std::move(message)); });
    if (o.file.empty()) {
        if (session.take_up()) fmt::print("The last session goes on where it was.\n");
    } else if (const std::string unsaved = session.open_first(o.file); !unsaved.empty()) {
        fmt::print("What the last session had not saved is in {}\n", unsaved);
    }

    // Blocked before threads are made, so that this thread alone takes them.
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread web([&server] { server.run(); });
    std::thread engine([&session] { session.run(); });

    fmt::print("Impuls Studio: {}\n", server.address());
    fmt::print("Ctrl+C ends it. From another machine: ssh -L {0}:127.0.0.1:{0} THIS-MACHINE\n",
               server.port());
    std::fflush(stdout);
    if (!o.no_open) open_browser(server.address());
    int signal = 0;
    sigwait(&signals, &signal);
    session.stop();
    engine.join();
    server.stop();
    web.join();
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);
    CLI::App app("Build a scene in the browser, run it, travel in time.", "impuls studio");
    Options o;
    app.add_option("file", o.file, "Scene or recording to open")->type_name("SCENE|RECORDING");
    app.add_option("--port", o.port, "Port on 127.0.0.1; 0 takes a free one")
        ->capture_default_str()
        ->type_name("N");
    app.add_option("--folder", o.folder, "The folder that scenes are opened from and saved to")
        ->capture_default_str()
        ->type_name("DIR");
    app.add_flag("--no-open", o.no_open, "Print the address only, open no browser");
    CLI11_PARSE(app, argc, argv);
    try {
        return serve(o);
    } catch (const InputError& error) {
        fmt::print(stderr, "impuls studio: {}\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "impuls studio: {}\n", error.what());
        return 4;
    }
}
