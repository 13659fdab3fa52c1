// A request of a browser after the head filter, and the answer to it. Values; the listener alone knows the wire.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::console {

namespace asio = boost::asio;

using Fields = std::vector<std::pair<std::string, std::string>>;

struct WebRequest {
    std::string method;                 // "GET" (of a HEAD too), "POST", "DELETE"
    std::string target;                 // as sent: "/draws?state=held"
    std::vector<std::string> segments;  // of the path, decoded; empty: "/"
    Fields query;                       // decoded, in order
    std::string cookie, origin, fetch_site, content_type;
    std::string body;
    std::string address = {};  // of the browser; empty: behind a proxy

    [[nodiscard]] std::string path() const { return target.substr(0, target.find('?')); }
    // The first of this name; empty: there is none.
    [[nodiscard]] std::string parameter(std::string_view name) const;
};

// Error (invalid_input): no path of segments, or an escape that is none.
[[nodiscard]] Result<void> read_target(std::string_view target, WebRequest& into);

// A body that is made while it is sent.
class BodyStream {
  public:
    BodyStream() = default;
    BodyStream(const BodyStream&) = delete;
    BodyStream& operator=(const BodyStream&) = delete;
    virtual ~BodyStream() = default;
    // nullopt: that was all. Error: it broke off, and the reader must notice.
    [[nodiscard]] virtual asio::awaitable<Result<std::optional<std::string>>> next() = 0;
    // Whether next() may wait for as long as the reader stays: it is then cancelled when the reader leaves.
    [[nodiscard]] virtual bool waits_for_news() const { return false; }
};

struct Reply {
    int status = 200;
    std::string content_type = "text/html; charset=utf-8";
    std::string body = {};
    Fields fields = {};                       // further headers: Location, Set-Cookie
    bool is_asset = false;                    // the same for good: a browser may keep it
    std::shared_ptr<BodyStream> stream = {};  // instead of `body`
};

// After a form: the browser gets that page.
[[nodiscard]] Reply redirect(std::string location);

// What every answer has, pages, errors and assets alike.
[[nodiscard]] Fields security_fields(bool is_asset, bool has_tls);

}  // namespace drawbridge::console
