// What the operators' API asks of its program, as far as the daemon and a sub-command without a daemon do it alike.
#pragma once

#include <string>
#include <vector>

#include "drawbridge/admin/handlers.hpp"
#include "drawbridge/daemon/application.hpp"

namespace drawbridge::daemon {

class ApiProgram : public admin::Program {
  public:
    explicit ApiProgram(Application& app) : app_(app) {}

    [[nodiscard]] std::vector<std::string> alert_channels() const override;
    [[nodiscard]] asio::awaitable<Result<std::vector<admin::AlertTest>>> test_alerts(std::string reason,
                                                                                     ledger::Stamp by) override;
    [[nodiscard]] asio::awaitable<Result<void>> mail(std::string title, std::string text) override;
    [[nodiscard]] asio::awaitable<Result<ledger::Backup>> back_up(std::string file, ledger::Stamp by) override;
    [[nodiscard]] asio::awaitable<Result<std::vector<admin::ArchiveEntry>>> list_archive() override;
    [[nodiscard]] asio::awaitable<Result<std::string>> read_archived(std::string path, std::uint64_t offset,
                                                                     std::size_t most) override;

  protected:
    Application& app_;
};

}  // namespace drawbridge::daemon
