// The studio's web server on 127.0.0.1: the page, and one socket a page for messages. One thread serves all
// clients and never waits for the engine, which sits behind Listener; a client that does not read is cut off
// once too much waits for it. Everything of Boost is in server.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace impuls::studio {

using ClientId = std::uint64_t;

struct Message {
    std::shared_ptr<const std::string> bytes{};
    bool is_binary = false;
};

// Told what clients do, on the server's thread: calls must be quick.
class Listener {
  public:
    virtual ~Listener() = default;
    virtual void opened(ClientId client) = 0;
    virtual void received(ClientId client, std::string text) = 0;
    virtual void closed(ClientId client) = 0;
};

class Server {
  public:
    // Listens at once; port 0 takes any free one. Throws std::runtime_error when the port is taken.
    Server(std::uint16_t port, Listener& listener);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    std::uint16_t port() const;
    std::string address() const;  // with the token
    // Serves until stop(), which any thread may call.
    void run();
    void stop();
    // From any thread; messages to a client that is gone are dropped.
    void send(ClientId client, Message message);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace impuls::studio
