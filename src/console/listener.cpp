#include "drawbridge/console/listener.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <exception>
#include <list>
#include <optional>
#include <utility>

#include "admission.hpp"
#include "browser_connection.hpp"
#include "certificate.hpp"
#include "sockets.hpp"

namespace drawbridge::console {
namespace {

namespace ssl = asio::ssl;
using boost::system::error_code;

class WebListener final : public Listener {
  public:
    WebListener(asio::any_io_executor executor, const Settings& settings, WebHandler handler)
        : executor_(std::move(executor)),
          ended_(executor_),
          server_{.settings = settings, .handler = std::move(handler)} {}

    [[nodiscard]] Result<void> bind() {
        if (server_.settings.has_tls()) {
            tls_.emplace(ssl::context::tls_server);
            if (auto used = use_certificate(*tls_, server_.settings); !used) return used;
        }
        auto listening = listening_sockets(executor_, server_.settings);
        if (!listening) return std::unexpected(listening.error());
        acceptors_ = std::move(*listening);
        return {};
    }

    [[nodiscard]] asio::awaitable<void> serve() override {
        for (auto& acceptor : acceptors_) {
            ++accepting_;
            asio::co_spawn(executor_, accept(acceptor), [this](const std::exception_ptr& failure) {
                if (failure) failure_ = failure;
                --accepting_;
                ended_.cancel();
            });
        }
        while (accepting_ > 0 || !server_.connections.empty()) {
            ended_.expires_at(asio::steady_timer::time_point::max());
            co_await ended_.async_wait(with_error);
        }
        if (failure_) std::rethrow_exception(failure_);
    }

    void stop() override {
        if (std::exchange(server_.is_stopping, true)) return;
        error_code ignored;
        for (auto& acceptor : acceptors_)
            acceptor.close(ignored);
        for (auto& connection : server_.connections) {
            if (!connection->is_answering) connection->cancel();
        }
        ended_.cancel();
    }

    [[nodiscard]] std::uint16_t port() const override {
        // native_handle() is not const in Asio.
        return acceptors_.empty() ? std::uint16_t{0} : port_of(const_cast<Acceptor&>(acceptors_.front()));
    }
    [[nodiscard]] std::size_t connections() const override { return server_.connections.size(); }

  private:
    asio::awaitable<void> accept(Acceptor& acceptor) {
        while (!server_.is_stopping) {
            auto [error, socket] = co_await acceptor.async_accept(with_error);
            if (server_.is_stopping) break;
            if (error) {  // out of descriptors, for instance
                asio::steady_timer pause(executor_, std::chrono::milliseconds(100));
                static_cast<void>(co_await pause.async_wait(with_error));
                continue;
            }
            start(std::move(socket));
        }
    }

    void start(Socket socket) {
        std::string address = address_of(socket);
        if (!admit(server_.connections, address, server_.settings.limits)) return;
        const auto connection = server_.connections.insert(
            server_.connections.end(),
            make_connection(std::move(socket), std::move(address), tls_ ? &*tls_ : nullptr, server_));
        asio::co_spawn(executor_, (*connection)->converse(), [this, connection](const std::exception_ptr& failure) {
            server_.connections.erase(connection);
            if (failure) {
                failure_ = failure;
                stop();
            }
            ended_.cancel();
        });
    }

    asio::any_io_executor executor_;
    std::optional<ssl::context> tls_;
    std::list<Acceptor> acceptors_;
    std::size_t accepting_ = 0;
    asio::steady_timer ended_;  // wakes serve() when a connection has ended
    Server server_;
    std::exception_ptr failure_;
};

}  // namespace

Result<std::unique_ptr<Listener>> Listener::open(asio::any_io_executor executor, const Settings& settings,
                                                 WebHandler handler) {
    auto listener = std::make_unique<WebListener>(std::move(executor), settings, std::move(handler));
    if (auto bound = listener->bind(); !bound) return std::unexpected(bound.error());
    return listener;
}

Result<void> check_certificate(const Settings& settings) {
    if (!settings.has_tls()) return {};
    ssl::context context(ssl::context::tls_server);
    return use_certificate(context, settings);
}

}  // namespace drawbridge::console
