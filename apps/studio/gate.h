// Who may speak to the studio. The page is reached by a token in its address, which is exchanged for a
// cookie; every request must name this machine as its host, and what opens the socket must be the studio's
// own page. So another web site, another user's program without the token, and a name that was bound to
// 127.0.0.1 are all refused. Called by the server before anything else is looked at.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace impuls::studio {

// 128 random bits as hexadecimal digits.
std::string make_token();

class Gate {
  public:
    Gate(std::string token, std::uint16_t port);

    // 127.0.0.1:PORT, localhost:PORT or [::1]:PORT.
    bool is_own_host(std::string_view host) const;
    // http://HOST of one of those.
    bool is_own_origin(std::string_view origin) const;
    // A whole Cookie header that holds ours.
    bool has_cookie(std::string_view cookies) const;
    // The target of a request for the page with the right token: /?token=...
    bool has_token(std::string_view target) const;

    std::string page_target() const;  // with the token
    std::string set_cookie() const;   // value of the header

  private:
    std::string token_;
    std::uint16_t port_;
    std::string cookie_name_;  // browsers share cookies among ports
};

}  // namespace impuls::studio
