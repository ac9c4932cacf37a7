// The studio's web server (server.h), by Boost.Beast. Order of checks of a request: method, host, cookie or
// token, and for the socket also the origin; only then what it asks for.
#include "studio/server.h"

#include <deque>
#include <map>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include "studio/assets.h"
#include "studio/gate.h"

namespace impuls::studio {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

constexpr std::size_t kMostIncoming = std::size_t{64} << 20;   // bytes of a message from a page: a scene file
constexpr std::size_t kMostOutgoing = std::size_t{256} << 20;  // bytes that wait for one page
constexpr std::size_t kMostClients = 16;
constexpr auto kRequestTime = std::chrono::seconds(20);

constexpr const char* kPolicy =
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

constexpr const char* kRefused =
    "Impuls Studio: open the address that the program printed; it holds the key to this page.\n";

std::string_view view(beast::string_view text) {
    return {text.data(), text.size()};
}

class Page;
using Pages = std::map<ClientId, std::shared_ptr<Page>>;

struct Shared {
    Gate gate;
    Listener& listener;
    Pages pages{};
    ClientId next = 1;
};

// One page's socket.
class Page : public std::enable_shared_from_this<Page> {
  public:
    Page(tcp::socket socket, std::shared_ptr<Shared> shared, ClientId id)
        : socket_(std::move(socket)), shared_(std::move(shared)), id_(id) {}

    void accept(const Request& request) {
        socket_.set_option(websocket::stream_base::timeout::suggested(beast::role_type::server));
        socket_.read_message_max(kMostIncoming);
        socket_.auto_fragment(false);
        socket_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
            if (error) return self->close();
            self->is_open_ = true;
            self->shared_->listener.opened(self->id_);
            self->read();
            self->write();
        });
    }

    void send(Message message) {
        waiting_bytes_ += message.bytes->size();
        if (waiting_bytes_ > kMostOutgoing) return close();
        waiting_.push_back(std::move(message));
        if (waiting_.size() == 1 && is_open_) write();
    }

    void close() {
        if (is_closed_) return;
        is_closed_ = true;
        beast::error_code ignored;
        beast::get_lowest_layer(socket_).socket().close(ignored);
        shared_->pages.erase(id_);
        if (is_open_) shared_->listener.closed(id_);
    }

  private:
    void read() {
        socket_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
            if (error) return self->close();
            if (self->socket_.got_text())
                self->shared_->listener.received(self->id_, beast::buffers_to_string(self->buffer_.data()));
            self->buffer_.consume(self->buffer_.size());
            self->read();
        });
    }

    void write() {
        if (waiting_.empty() || is_closed_) return;
        socket_.binary(waiting_.front().is_binary);
        socket_.async_write(asio::buffer(*waiting_.front().bytes),
                            [self = shared_from_this()](beast::error_code error, std::size_t) {
                                if (error) return self->close();
                                self->waiting_bytes_ -= self->waiting_.front().bytes->size();
                                self->waiting_.pop_front();
                                self->write();
                            });
    }

    websocket::stream<beast::tcp_stream> socket_;
    std::shared_ptr<Shared> shared_;
    ClientId id_;
    beast::flat_buffer buffer_{};
    std::deque<Message> waiting_{};
    std::size_t waiting_bytes_ = 0;
    bool is_open_ = false, is_closed_ = false;
};

// One connection until it has got its files, or becomes a page's socket.
class Connection : public std::enable_shared_from_this<Connection> {
  public:
    Connection(tcp::socket socket, std::shared_ptr<Shared> shared)
        : stream_(std::move(socket)), shared_(std::move(shared)) {}

    void read() {
        parser_.emplace();
        parser_->body_limit(0);
        stream_.expires_after(kRequestTime);
        http::async_read(
            stream_, buffer_, *parser_, [self = shared_from_this()](beast::error_code error, std::size_t) {
                if (!error) return self->answer(self->parser_->get());
                if (error == http::error::body_limit)
                    self->write(self->refusal(http::status::payload_too_large, "no bodies here\n"));
            });
    }

  private:
    void answer(const Request& request) {
        const Gate& gate = shared_->gate;
        const std::string_view target = view(request.target());
        const bool is_get = request.method() == http::verb::get;
        if (!is_get && request.method() != http::verb::head)
            return write(refusal(http::status::method_not_allowed, "GET only\n"));
        if (!gate.is_own_host(view(request[http::field::host])))
            return write(refusal(http::status::forbidden, "wrong host\n"));
        const beast::string_view origin = request[http::field::origin];
        if (!origin.empty() && !gate.is_own_origin(view(origin)))
            return write(refusal(http::status::forbidden, "wrong origin\n"));
        if (gate.has_token(target)) return write(entrance());
        if (!gate.has_cookie(view(request[http::field::cookie])))
            return write(refusal(http::status::forbidden, kRefused));
        if (!websocket::is_upgrade(request)) return write(file(target));
        if (origin.empty() || target != "/socket")
            return write(refusal(http::status::forbidden, "not from here\n"));
        if (shared_->pages.size() >= kMostClients)
            return write(refusal(http::status::service_unavailable, "too many pages are open\n"));
        stream_.expires_never();
        const ClientId id = shared_->next++;
        const auto page = std::make_shared<Page>(stream_.release_socket(), shared_, id);
        shared_->pages[id] = page;
        page->accept(request);
    }

    Response refusal(http::status status, const std::string& why) const {
        Response response(status, 11);
        response.set(http::field::content_type, "text/plain; charset=utf-8");
        response.body() = why;
        return response;
    }

    // The token has done its work: it leaves the address, so that it is in no history.
    Response entrance() const {
        Response response(http::status::see_other, 11);
        response.set(http::field::set_cookie, shared_->gate.set_cookie());
        response.set(http::field::location, "/");
        return response;
    }

    Response file(std::string_view target) const {
        const std::string_view wanted = target == "/" ? "/index.html" : target;
        for (const Asset& asset : assets()) {
            if (asset.target != wanted) continue;
            Response response(http::status::ok, 11);
            response.set(http::field::content_type, beast::string_view(asset.type.data(), asset.type.size()));
            response.set(http::field::content_encoding, "gzip");
            if (wanted.substr(0, 8) == "/assets/")
                response.set(http::field::cache_control, "max-age=31536000, immutable");
            response.body() = asset.gzip;
            return response;
        }
        return refusal(http::status::not_found, "there is no such file\n");
    }

    void write(Response response) {
        response.set("Content-Security-Policy", kPolicy);
        response.set("X-Content-Type-Options", "nosniff");
        response.set("Referrer-Policy", "no-referrer");
        response.set("Cross-Origin-Resource-Policy", "same-origin");
        if (response.find(http::field::cache_control) == response.end())
            response.set(http::field::cache_control, "no-store");
        const bool is_fine = response.result() < http::status::bad_request;
        response.keep_alive(is_fine);
        response.prepare_payload();
        if (parser_->get().method() == http::verb::head) response.body().clear();
        response_ = std::move(response);
        http::async_write(stream_, response_,
                          [self = shared_from_this(), is_fine](beast::error_code error, std::size_t) {
                              if (!error && is_fine) return self->read();
                              beast::error_code ignored;
                              self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                          });
    }

    beast::tcp_stream stream_;
    std::shared_ptr<Shared> shared_;
    beast::flat_buffer buffer_{16384};
    std::optional<http::request_parser<http::empty_body>> parser_{};
    Response response_{};
};

}  // namespace

struct Server::State {
    State(std::uint16_t port, Listener& listener)
        : acceptor(context, tcp::endpoint(asio::ip::make_address_v4("127.0.0.1"), port)),
          shared(new Shared{Gate(make_token(), acceptor.local_endpoint().port()), listener}) {}

    void accept() {
        acceptor.async_accept([this](beast::error_code error, tcp::socket socket) {
            if (error == asio::error::operation_aborted) return;
            if (!error) {
                beast::error_code ignored;
                socket.set_option(tcp::no_delay(true), ignored);
                std::make_shared<Connection>(std::move(socket), shared)->read();
            }
            accept();
        });
    }

    asio::io_context context{1};
    tcp::acceptor acceptor;
    std::shared_ptr<Shared> shared;
};

Server::Server(std::uint16_t port, Listener& listener) {
    try {
        state_ = std::make_unique<State>(port, listener);
    } catch (const boost::system::system_error& error) {
        throw std::runtime_error(
            fmt::format("cannot listen on 127.0.0.1:{}: {}", port, error.code().message()));
    }
}

Server::~Server() = default;

std::uint16_t Server::port() const {
    return state_->acceptor.local_endpoint().port();
}

std::string Server::address() const {
    return fmt::format("http://127.0.0.1:{}{}", port(), state_->shared->gate.page_target());
}

void Server::run() {
    state_->accept();
    state_->context.run();
}

void Server::stop() {
    asio::post(state_->context, [this] {
        Pages pages = state_->shared->pages;
        for (const auto& [id, page] : pages) page->close();
        state_->context.stop();
    });
}

void Server::send(ClientId client, Message message) {
    asio::post(state_->context, [this, client, message = std::move(message)]() mutable {
        const auto page = state_->shared->pages.find(client);
        if (page == state_->shared->pages.end()) return;
        const auto alive = page->second;
        alive->send(std::move(message));
    });
}

}  // namespace impuls::studio
