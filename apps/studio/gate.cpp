// Who may speak to the studio (gate.h).
#include "studio/gate.h"

#include <array>
#include <random>

#include <fmt/format.h>

namespace impuls::studio {
namespace {

constexpr std::string_view kTokenTarget = "/?token=";

// Takes as long for a wrong guess as for a right one.
bool is_equal(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        difference |= static_cast<unsigned char>(a[k]) ^ static_cast<unsigned char>(b[k]);
    return difference == 0;
}

}  // namespace

std::string make_token() {
    std::random_device random;
    std::string token;
    for (int k = 0; k < 4; ++k) token += fmt::format("{:08x}", static_cast<std::uint32_t>(random()));
    return token;
}

Gate::Gate(std::string token, std::uint16_t port)
    : token_(std::move(token)), port_(port), cookie_name_(fmt::format("impuls_studio_{}", port)) {}

bool Gate::is_own_host(std::string_view host) const {
    const std::array<std::string_view, 3> names{"127.0.0.1", "localhost", "[::1]"};
    for (const std::string_view name : names)
        if (host == fmt::format("{}:{}", name, port_)) return true;
    return false;
}

bool Gate::is_own_origin(std::string_view origin) const {
    constexpr std::string_view scheme = "http://";
    return origin.substr(0, scheme.size()) == scheme && is_own_host(origin.substr(scheme.size()));
}

bool Gate::has_cookie(std::string_view cookies) const {
    const std::string wanted = cookie_name_ + "=" + token_;
    while (!cookies.empty()) {
        const std::size_t end = std::min(cookies.find(';'), cookies.size());
        std::string_view one = cookies.substr(0, end);
        while (!one.empty() && one.front() == ' ') one.remove_prefix(1);
        if (is_equal(one, wanted)) return true;
        cookies.remove_prefix(std::min(end + 1, cookies.size()));
    }
    return false;
}

bool Gate::has_token(std::string_view target) const {
    return target.substr(0, kTokenTarget.size()) == kTokenTarget &&
           is_equal(target.substr(kTokenTarget.size()), token_);
}

std::string Gate::page_target() const {
    return std::string(kTokenTarget) + token_;
}

std::string Gate::set_cookie() const {
    return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict", cookie_name_, token_);
}

}  // namespace impuls::studio
