// Answers the operators' API in this process, without a daemon. Private to this module.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "build.hpp"
#include "drawbridge/app/programs.hpp"
#include "drawbridge/daemon/api_program.hpp"
#include "drawbridge/daemon/verifying.hpp"

namespace drawbridge::app {

class InProcess : public daemon::ApiProgram {
  public:
    explicit InProcess(Built from);

    // Locks this process as a writer first, unless it is a query.
    [[nodiscard]] std::expected<admin::Response, StartFailure> answer(admin::Request request);

    [[nodiscard]] admin::DaemonStatus status() const override;
    [[nodiscard]] Result<std::string> reload(const ledger::Stamp& by) override;
    [[nodiscard]] boost::asio::awaitable<daemon::Verified> verify(ledger::Stamp by) override;
    void log(LogLevel level, const std::string& text) override;

  private:
    Built built_;
    admin::AdminContext context_;
};

// Answers queries from the server in ledger.read_url. It writes nothing.
class ReportReader {
  public:
    // Opens nothing yet.
    explicit ReportReader(std::filesystem::path config_file);
    ReportReader(const ReportReader&) = delete;
    ReportReader& operator=(const ReportReader&) = delete;
    ~ReportReader();

    // The caller is named by `request`. With `written`: from a server that has all of that, with these settings.
    struct Expected {
        ledger::Position written;
        std::string settings;  // Config::settings_sha256
    };
    [[nodiscard]] std::expected<admin::Response, StartFailure> answer(const admin::Request& request,
                                                                      const std::optional<Expected>& expected);

  private:
    class Program;
    [[nodiscard]] std::expected<void, StartFailure> open(const std::optional<Expected>& expected);

    std::filesystem::path config_file_;
    std::unique_ptr<Program> program_;
};

// The person who runs this process.
void name_caller(admin::Request& request);

}  // namespace drawbridge::app
