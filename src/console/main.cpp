// drawbridge-console: the web console, a process of its own. It holds no secret but its TLS key.
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <systemd/sd-daemon.h>

#include <CLI/CLI.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>

#include "drawbridge/console/listener.hpp"
#include "drawbridge/console/settings.hpp"
#include "drawbridge/console/site.hpp"
#include "manual.hpp"

namespace {

namespace asio = boost::asio;
namespace console = drawbridge::console;

constexpr int exit_ok = 0, exit_failed = 1, exit_usage = 2, exit_configuration = 78;

class SystemTime final : public drawbridge::Clock {
  public:
    [[nodiscard]] drawbridge::Instant now() const override {
        return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    }
};

struct Options {
    std::string config;
    console::Overrides overrides;
    bool check = false, manual = false;
};

void declare(CLI::App& app, Options& options) {
    auto& values = options.overrides;
    app.set_version_flag("--version", std::string("drawbridge-console ") + DRAWBRIDGE_VERSION);
    app.add_option("--config", options.config, "YAML file with the keys listen, origin, certificate, key, socket")
        ->type_name("FILE");
    app.add_option(
           "--listen", values.listen,
           "ADDRESS:PORT to serve on, or systemd for the sockets that systemd hands over; plain HTTP is for this "
           "machine only (default: 127.0.0.1:8080)")
        ->type_name("ADDRESS:PORT");
    app.add_option("--origin", values.origin,
                   "what browsers show: scheme, host and port, the same as console.origin of drawbridge.yaml")
        ->type_name("URL");
    app.add_option("--certificate", values.certificate, "certificate chain, PEM; with systemd: the credential tls.pem")
        ->type_name("FILE");
    app.add_option("--key", values.key, "its private key, PEM; with systemd: the credential tls.key")
        ->type_name("FILE");
    app.add_option("--socket", values.socket,
                   "the daemon's socket for consoles (default: /run/drawbridge/console.sock)")
        ->type_name("SOCKET");
    app.add_flag("--check", options.check, "check the configuration and exit");
    app.add_flag("--manual-page", options.manual)->group("");
}

// Prevents core dumps and debuggers, because tokens pass through memory. If a call fails, the system's own limits stay.
void close_to_other_eyes() {
    const rlimit none{0, 0};
    static_cast<void>(::setrlimit(RLIMIT_CORE, &none));
#ifndef __SANITIZE_ADDRESS__  // its leak check attaches to the process
    static_cast<void>(::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
#endif
}

void say_failure(const std::string& message) {
    fmt::print(stderr, "drawbridge-console: {}\n", message);
}

int serve(console::Settings settings) {
    asio::io_context io(1);
    const SystemTime clock;
    std::optional<console::Site> site;
    auto listener = console::Listener::open(
        io.get_executor(), settings, [&site](console::WebRequest request) { return site->answer(std::move(request)); });
    if (!listener) {
        say_failure(listener.error().message);
        return exit_configuration;
    }
    site.emplace(io.get_executor(), settings, clock, say_failure);
    std::exception_ptr failure;
    const auto stop = [&] {
        (*listener)->stop();
        site->stop();
    };
    const auto ended = [&](const std::exception_ptr& thrown) {
        if (!thrown) return;
        failure = thrown;
        stop();
    };
    asio::co_spawn(io, (*listener)->serve(), ended);
    asio::co_spawn(io, site->serve(), ended);
    asio::signal_set signals(io, SIGTERM, SIGINT);
    signals.async_wait([&](const boost::system::error_code& error, int) {
        if (error) return;
        sd_notify(/*unset_environment=*/0, "STOPPING=1");
        stop();
    });
    const bool named_port = settings.listen.ends_with(":0");
    fmt::print("drawbridge-console ready at {}{}\n", settings.origin,
               named_port ? fmt::format(" (port {})", (*listener)->port()) : "");
    std::fflush(stdout);
    sd_notify(/*unset_environment=*/0, "READY=1");
    io.run();
    if (failure) std::rethrow_exception(failure);
    return exit_ok;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "The web console of Drawbridge: pages for browsers, made from what the daemon answers on its socket for "
        "consoles.",
        "drawbridge-console"};
    Options options;
    declare(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // prints the help or the version
        say_failure(fmt::format("{}: `drawbridge-console --help` lists the options", error.what()));
        return exit_usage;
    }
    if (options.manual) {
        fmt::print("{}", console::manual_page(app));
        return exit_ok;
    }
    close_to_other_eyes();
    try {
        const auto file = options.config.empty() ? std::nullopt : std::optional<std::filesystem::path>(options.config);
        auto settings = console::load_settings(file, options.overrides);
        if (!settings) {
            fmt::print(stderr, "{}", drawbridge::text::to_string(settings.error()));
            return exit_configuration;
        }
        if (const auto good = console::check_certificate(*settings); !good) {
            say_failure(good.error().message);
            return exit_configuration;
        }
        if (!options.check) return serve(std::move(*settings));
        fmt::print("the console's configuration can be used: {}\n", settings->origin);
        return exit_ok;
    } catch (const std::exception& failure) {
        say_failure(failure.what());
        return exit_failed;
    }
}
