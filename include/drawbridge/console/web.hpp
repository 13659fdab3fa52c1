// A browser's request, after the head filter, and the reply to it. Plain values: only the listener reads and writes
// sockets.
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
    std::string method;                 // "GET" (also for HEAD), "POST", "DELETE"
    std::string target;                 // as sent: "/draws?state=held"
    std::vector<std::string> segments;  // of the path, decoded; empty: "/"
    Fields query;                       // decoded, in order
    std::string cookie, origin, fetch_site, content_type;
    std::string body;
    std::string address = {};  // the browser's; empty: behind a proxy
    bool by_itself = false;    // an open page asks while nobody may be there

    [[nodiscard]] std::string path() const { return target.substr(0, target.find('?')); }
    // The first parameter of this name; empty: there is none.
    [[nodiscard]] std::string parameter(std::string_view name) const;
};

// Error (invalid_input): the target is not a path of segments, or has an invalid escape.
[[nodiscard]] Result<void> read_target(std::string_view target, WebRequest& into);

// A body that is produced while it is sent.
class BodyStream {
  public:
    BodyStream() = default;
    BodyStream(const BodyStream&) = delete;
    BodyStream& operator=(const BodyStream&) = delete;
    virtual ~BodyStream() = default;
    // The next piece. nullopt: the end. Error: the body is incomplete, and the reader must notice.
    [[nodiscard]] virtual asio::awaitable<Result<std::optional<std::string>>> next() = 0;
    // Whether next() may wait without limit. The listener then cancels it when the reader disconnects.
    [[nodiscard]] virtual bool waits_for_news() const { return false; }
};

struct Reply {
    int status = 200;
    std::string content_type = "text/html; charset=utf-8";
    std::string body = {};
    Fields fields = {};                       // further headers: Location, Set-Cookie
    bool is_asset = false;                    // never changes, so a browser may cache it
    std::shared_ptr<BodyStream> stream = {};  // instead of `body`
};

// After a form: makes the browser request that page.
[[nodiscard]] Reply redirect(std::string location);

// The headers that every reply has: pages, errors and assets.
[[nodiscard]] Fields security_fields(bool is_asset, bool has_tls);

}  // namespace drawbridge::console
