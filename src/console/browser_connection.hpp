// A browser's connection, over TLS or plain: its requests, one after the other, and the replies to them. Private to
// this module.
//
// The limits of heads, bodies and time are kept here. Who may connect, and who leaves when there are too many, is in
// admission.hpp.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ssl/context.hpp>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "drawbridge/console/listener.hpp"
#include "drawbridge/console/settings.hpp"
#include "sockets.hpp"

namespace drawbridge::console {

class BrowserConnection {
  public:
    explicit BrowserConnection(std::string from) : address(std::move(from)) {}
    BrowserConnection(const BrowserConnection&) = delete;
    BrowserConnection& operator=(const BrowserConnection&) = delete;
    virtual ~BrowserConnection() = default;

    // Runs until one of the two sides ends it.
    [[nodiscard]] virtual asio::awaitable<void> converse() = 0;
    // Ends what it waits for now.
    virtual void cancel() = 0;
    virtual void close() = 0;
    [[nodiscard]] virtual bool is_open() const = 0;

    const std::string address;    // address_of() its socket
    bool has_head = false;        // of a request
    bool has_large_body = false;  // on its way
    bool is_answering = false;    // a whole request is in hand: it gets its answer, and no newcomer takes its place
};

using Connections = std::list<std::unique_ptr<BrowserConnection>>;

// What a listener and its connections share.
struct Server {
    const Settings& settings;
    WebHandler handler;
    Connections connections = {};
    bool is_stopping = false;
};

// `tls`: null for plain HTTP. It and `server` must outlive the connection.
[[nodiscard]] std::unique_ptr<BrowserConnection> make_connection(Socket socket, std::string address,
                                                                 asio::ssl::context* tls, const Server& server);

}  // namespace drawbridge::console
