// What the studio is about: one document and its timeline, played for all pages that are open. It runs on a
// thread of its own, which alone steps the world; pages speak to it by requests in JSON, each with an answer,
// and hear of changes by events and frames (docs/studio.md). A request that fails changes nothing.
// Called by main, and by the server as its listener.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include <json/json.h>

#include "impuls/quantity.h"

#include "studio/branches.h"
#include "studio/document.h"
#include "studio/film.h"
#include "studio/keeping.h"
#include "studio/server.h"
#include "studio/workspace.h"

namespace impuls::studio {

using Send = std::function<void(ClientId, Message)>;

class Session : public Listener {
  public:
    Session(Workspace workspace, Keeping keeping);
    ~Session() override;

    // Before run(): how messages get out; what is opened first, or what the last session left is taken up.
    // The first returns where an unsaved scene of the last session is now, the second whether there was
    // anything.
    void set_send(Send send);
    std::string open_first(const std::string& file);
    bool take_up();
    // Works until stop(), which any thread may call.
    void run();
    void stop();

    void opened(ClientId client) override;
    void received(ClientId client, std::string text) override;
    void closed(ClientId client) override;

  private:
    struct Incoming {
        ClientId client = 0;
        enum class Kind { Opened, Text, Closed, Event } kind = Kind::Text;
        std::string text{};
    };
    struct Page {
        int frames_under_way = 0;  // live ones that it has not acknowledged
        std::size_t last_frame = 0;
        bool wants_contacts = false;
        std::vector<int> columns{};
        std::shared_ptr<const Scene> structure{};  // the one that it draws
    };
    struct Play {
        bool is_on = false;
        double speed = 1;  // 0: as fast as possible
        std::chrono::steady_clock::time_point since{};
        double from = 0;     // s, simulated
        double until = 0;    // s, where it pauses; 0: nowhere
        std::string when{};  // condition on which it pauses
        Quantity condition{};
        std::shared_ptr<const Scene> structure{};  // for which the condition was read
    };
    using Request = Json::Value (Session::*)(ClientId, const Json::Value&);
    struct Handler {
        Request answer;
        bool changes = false;  // only for the page that has the controls
    };
    static const std::map<std::string, Handler>& handlers();

    void add(Incoming incoming);
    void take(const Incoming& incoming);
    void answer(ClientId client, const std::string& text);

    Json::Value open(ClientId, const Json::Value& request);
    Json::Value edit(ClientId, const Json::Value& request);
    Json::Value history(ClientId, const Json::Value& request);
    Json::Value save(ClientId, const Json::Value& request);
    Json::Value run_on(ClientId, const Json::Value& request);
    Json::Value step(ClientId, const Json::Value& request);
    Json::Value rewind(ClientId, const Json::Value& request);
    Json::Value cut(ClientId, const Json::Value& request);
    Json::Value command(ClientId, const Json::Value& request);
    Json::Value branch(ClientId, const Json::Value& request);
    Json::Value mark(ClientId, const Json::Value& request);
    Json::Value control(ClientId client, const Json::Value& request);
    Json::Value describe(ClientId, const Json::Value& request);
    Json::Value happened(ClientId, const Json::Value& request);
    Json::Value profile(ClientId, const Json::Value& request);
    Json::Value thumbnail(ClientId, const Json::Value& request);
    Json::Value film(ClientId, const Json::Value& request);
    Json::Value frame(ClientId client, const Json::Value& request);
    Json::Value series(ClientId, const Json::Value& request);
    Json::Value list(ClientId, const Json::Value& request);
    Json::Value acknowledge(ClientId client, const Json::Value& request);
    Json::Value watch(ClientId client, const Json::Value& request);

    void restart();
    void advance();
    void pause(const std::string& why);
    bool has_met_condition();
    void show_anew();
    void keep();
    void send_scene(std::optional<ClientId> only = {});
    void send_structure(ClientId client, Page& page, const std::shared_ptr<const Scene>& scene);
    void send_status();
    void send_live_frames();
    void send(ClientId client, const Json::Value& json);
    Json::Value hello_event(ClientId client) const;
    Json::Value scene_event();
    Json::Value status_event();
    std::string next_recording();

    Workspace workspace_;
    Keeping keeping_;
    Send send_{};
    Document document_{};
    Branches branches_{};
    std::map<ClientId, Page> pages_{};
    Play play_{};
    std::string message_{};        // why it stands still, when that is no wish of a page
    std::string recording_{};      // the file that is looked at, instead of a document
    std::uint32_t structure_ = 0;  // number of the structure that pages know
    std::shared_ptr<const Scene> shown_{};
    int recordings_ = 0;
    ClientId owner_ = 0;  // the page that has the controls; the others watch
    std::map<std::string, std::string> thumbnails_{};

    std::mutex mutex_{};
    std::condition_variable news_{};
    std::deque<Incoming> incoming_{};
    std::atomic<bool> is_stopping_ = false;
    Film film_{};  // last: its thread tells this
};

}  // namespace impuls::studio
