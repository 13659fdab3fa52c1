// Answers browsers: makes pages from the daemon's answers, and passes the requests of forms and scripts to the daemon.
//
// It decides nothing and keeps nothing of value: the browsers keep the tokens, and the daemon checks roles and
// signatures.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/console/daemon_client.hpp"
#include "drawbridge/console/forms.hpp"
#include "drawbridge/console/pulse_hub.hpp"
#include "drawbridge/console/settings.hpp"
#include "drawbridge/console/web.hpp"
#include "drawbridge/domain/clock.hpp"
#include "drawbridge/pages/context.hpp"

namespace drawbridge::console {

struct Download;
struct Screen;

class Site {
  public:
    // `log` gets internal errors, without tokens or text that a person entered.
    Site(asio::any_io_executor executor, const Settings& settings, const Clock& clock,
         std::function<void(const std::string&)> log);
    Site(const Site&) = delete;
    Site& operator=(const Site&) = delete;
    ~Site();

    [[nodiscard]] asio::awaitable<Reply> answer(WebRequest request);
    // Runs the pulses until stop().
    [[nodiscard]] asio::awaitable<void> serve() { return pulses_.serve(); }
    void stop() { pulses_.stop(); }

  private:
    // A request and its session.
    struct Visit {
        WebRequest request;
        std::string token;  // empty: none
        pages::PageContext page;
    };
    // What a page needs, or the reply that is sent instead of the page.
    template <class T>
    using OrReply = std::expected<T, Reply>;
    // The answers that the page Today was made from.
    struct Remembered {
        Instant at;
        pages::Json me, pulse;
        std::vector<pages::Json> answers;
    };

    [[nodiscard]] asio::awaitable<Reply> answer_or_throw(WebRequest request);
    [[nodiscard]] asio::awaitable<Reply> answer_get(Visit visit);
    [[nodiscard]] asio::awaitable<Reply> answer_post(Visit visit);
    [[nodiscard]] Visit visit_of(WebRequest request) const;

    // Pages.
    [[nodiscard]] asio::awaitable<OrReply<Visit>> signed_in(Visit visit);
    [[nodiscard]] asio::awaitable<Reply> show(Visit visit, const Screen* screen);
    [[nodiscard]] asio::awaitable<Reply> find(Visit visit);
    [[nodiscard]] asio::awaitable<Reply> reconciliation(Visit visit);
    [[nodiscard]] asio::awaitable<Reply> reconciliation_csv(Visit visit);
    // Sends a list as a file.
    [[nodiscard]] asio::awaitable<Reply> save(Visit visit, const Download& download);
    [[nodiscard]] asio::awaitable<Reply> preview_report(Visit visit);
    [[nodiscard]] asio::awaitable<Reply> events(Visit visit);

    // Forms.
    [[nodiscard]] asio::awaitable<Reply> pause(Visit visit, Form form);
    [[nodiscard]] asio::awaitable<Reply> sign(Visit visit, Form form);
    [[nodiscard]] asio::awaitable<Reply> refresh(Visit visit);
    [[nodiscard]] asio::awaitable<Reply> sign_out(Visit visit);
    [[nodiscard]] asio::awaitable<Reply> upload(Visit visit, Form form);
    [[nodiscard]] asio::awaitable<Reply> try_rules(Visit visit, Form form);
    [[nodiscard]] asio::awaitable<Reply> explain(Visit visit, Form form);
    [[nodiscard]] Reply prefer(const Visit& visit, const Form& form) const;

    // Scripts.
    [[nodiscard]] asio::awaitable<Reply> answer_script(Visit visit);
    [[nodiscard]] asio::awaitable<Reply> open_session(Visit visit);
    [[nodiscard]] asio::awaitable<Reply> draws_in_question(Visit visit);

    [[nodiscard]] asio::awaitable<Result<DaemonAnswer>> ask(const Visit& visit, std::string method, std::string target,
                                                            std::string body = {});
    [[nodiscard]] OrReply<pages::Json> json_of(const Visit& visit, const Result<DaemonAnswer>& answer) const;
    [[nodiscard]] asio::awaitable<OrReply<pages::Json>> backtest(Visit visit, pages::Json body);
    [[nodiscard]] Reply refusal_of(const Visit& visit, const DaemonAnswer& answer) const;
    [[nodiscard]] Reply failure_of(const Visit& visit, const Error& error) const;
    [[nodiscard]] Reply to_sign_in(const Visit& visit) const;
    [[nodiscard]] Reply error_reply(const Visit& visit, int status, const std::string& message) const;

    // The page Today as each of the newest sessions last saw it, to show while the daemon does not answer.
    void remember(const Visit& visit, const std::vector<pages::Json>& answers);
    [[nodiscard]] std::optional<Reply> remembered(const Visit& visit) const;

    const Settings& settings_;
    const Clock& clock_;
    std::function<void(const std::string&)> log_;
    DaemonClient daemon_;
    PulseHub pulses_;
    std::map<std::string, Remembered> remembered_;  // by token
};

}  // namespace drawbridge::console
