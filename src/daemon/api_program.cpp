#include "drawbridge/daemon/api_program.hpp"

#include <utility>

#include "drawbridge/daemon/archiving.hpp"
#include "drawbridge/daemon/backup.hpp"

namespace drawbridge::daemon {

std::vector<std::string> ApiProgram::alert_channels() const {
    std::vector<std::string> channels;
    for (const auto channel : app_.alerts->channels())
        channels.emplace_back(ledger::to_string(channel));
    return channels;
}

asio::awaitable<Result<std::vector<admin::AlertTest>>> ApiProgram::test_alerts(std::string reason, ledger::Stamp by) {
    const auto sends = co_await app_.alerts->test(std::move(reason), std::move(by));
    if (!sends) co_return std::unexpected(sends.error());
    std::vector<admin::AlertTest> tests;
    for (const auto& send : *sends)
        tests.push_back({std::string(ledger::to_string(send.channel)), send.error});
    co_return Result<std::vector<admin::AlertTest>>(std::move(tests));
}

asio::awaitable<Result<void>> ApiProgram::mail(std::string title, std::string text) {
    return app_.alerts->mail_now(std::move(title), std::move(text));
}

asio::awaitable<Result<ledger::Backup>> ApiProgram::back_up(std::string file, ledger::Stamp by) {
    return make_backup(app_, BackupOrder{std::move(file), std::move(by), /*scheduled=*/false});
}

asio::awaitable<Result<std::vector<admin::ArchiveEntry>>> ApiProgram::list_archive() {
    return daemon::list_archive(app_);
}

asio::awaitable<Result<std::string>> ApiProgram::read_archived(std::string path, std::uint64_t offset,
                                                               std::size_t most) {
    return daemon::read_archived(app_, std::move(path), offset, most);
}

}  // namespace drawbridge::daemon
