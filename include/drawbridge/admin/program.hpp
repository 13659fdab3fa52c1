// The program that serves the operators' API: the daemon, or a sub-command while no daemon runs. What the API needs of
// it beyond the ledger: its live state, and work that it does in the background.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/ledger/reports/verify.hpp"
#include "drawbridge/ledger/store/backups.hpp"
#include "drawbridge/ledger/store/ledger.hpp"
#include "drawbridge/service/client.hpp"

namespace drawbridge::admin {

namespace asio = boost::asio;

// The state of a running program that is not in the ledger.
struct DaemonStatus {
    bool daemon = false;
    Instant started_at;
    std::string doing;  // "waiting", "poll"
    std::optional<service::ClientHealth> service;
    std::optional<Instant> next_cutoff;
    std::string rule_set_sha256;               // empty: no rules are loaded
    std::vector<std::string> reload_problems;  // why the last reload kept the old rules or payees
    // When rules and payees were last read, and last loaded successfully, at startup or by a reload.
    std::optional<Instant> reloaded_at = {}, reloaded_well_at = {};
    std::string no_space = {};      // the full disk, if any
    std::string reports_read = {};  // where reports were read last; empty: from the ledger
    // How long the work loop has been idle without a ping, and the limit.
    std::chrono::milliseconds idle{0}, idle_at_most{std::chrono::minutes(5)};
    std::chrono::milliseconds poll_every{0};
};

// The result of a test message.
struct AlertTest {
    std::string channel;
    std::string error;  // empty: accepted
};

// An archived file.
struct ArchiveEntry {
    std::string path;    // of the plain form, below spool/archive
    std::string state;   // "plain", "sealed", "deleted", "missing"
    std::string sha256;  // of the plain bytes; empty: not recorded
    std::int64_t size_bytes = 0;
    std::optional<Instant> sealed_at, deleted_at;
};

class Program {
  public:
    Program() = default;
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    virtual ~Program() = default;

    [[nodiscard]] virtual DaemonStatus status() const = 0;
    // Reads rules and payees again; replaces both or neither. The message says what is in force, or what is wrong.
    [[nodiscard]] virtual Result<std::string> reload(const ledger::Stamp& by) = 0;
    enum class LogLevel { info, warning, error };
    virtual void log(LogLevel level, const std::string& text) = 0;
    // An act was recorded: shows it in the journal, even while a step runs.
    virtual void acted() {}

    [[nodiscard]] virtual std::vector<std::string> alert_channels() const = 0;  // "webhook", "email"
    [[nodiscard]] virtual asio::awaitable<Result<std::vector<AlertTest>>> test_alerts(std::string reason,
                                                                                      ledger::Stamp by) = 0;
    // Mails the alerts.email recipients only, at once. Errors: no email is configured; sendmail does not accept the
    // message.
    [[nodiscard]] virtual asio::awaitable<Result<void>> mail(std::string title, std::string text) = 0;

    // Checks the invariants and records the result.
    [[nodiscard]] virtual asio::awaitable<Result<std::vector<ledger::InvariantResult>>> verify(ledger::Stamp by) = 0;
    // Makes a verified backup of the ledger. Empty name: a new file in backup.folder.
    [[nodiscard]] virtual asio::awaitable<Result<ledger::Backup>> back_up(std::string file, ledger::Stamp by) = 0;
    [[nodiscard]] virtual asio::awaitable<Result<std::vector<ArchiveEntry>>> list_archive() = 0;  // by path
    // Bytes of the plain form from the offset. Fewer than `most` bytes: the end of the file.
    [[nodiscard]] virtual asio::awaitable<Result<std::string>> read_archived(std::string path, std::uint64_t offset,
                                                                             std::size_t most) = 0;
};

}  // namespace drawbridge::admin
