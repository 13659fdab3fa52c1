#include "drawbridge/daemon/log.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <systemd/sd-journal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "drawbridge/text/sanitize.hpp"

namespace drawbridge::daemon {
namespace {

spdlog::level::level_enum to_spdlog(config::LogLevel level) {
    switch (level) {
        case config::LogLevel::trace: return spdlog::level::trace;
        case config::LogLevel::debug: return spdlog::level::debug;
        case config::LogLevel::info: return spdlog::level::info;
        case config::LogLevel::warn: return spdlog::level::warn;
        case config::LogLevel::error: return spdlog::level::err;
    }
    return spdlog::level::info;
}

// The priority of syslog(3).
int priority(spdlog::level::level_enum level) {
    switch (level) {
        case spdlog::level::trace:
        case spdlog::level::debug: return 7;
        case spdlog::level::info: return 6;
        case spdlog::level::warn: return 4;
        case spdlog::level::err: return 3;
        case spdlog::level::critical: return 2;
        case spdlog::level::off:
        case spdlog::level::n_levels: break;
    }
    return 6;
}

// The program's only sink. Single-threaded: `fields` points to the event's fields while its message passes through.
class Outlet final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
  public:
    Outlet(config::LogTarget target, bool with_priority) : target_(target), with_priority_(with_priority) {}
    const Fields* fields = nullptr;
    [[nodiscard]] config::LogTarget target() const { return target_; }

  protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        static const Fields none;
        const std::string text = text::for_log({message.payload.data(), message.payload.size()});
        const Fields& with = fields != nullptr ? *fields : none;
        switch (target_) {
            case config::LogTarget::journal:
                if (send_to_journal(message.level, text, with)) return;
                break;  // fall back to stderr
            case config::LogTarget::json: {
                const auto at = std::chrono::time_point_cast<std::chrono::milliseconds>(message.time);
                return write(json_line(message.level, at, text, with));
            }
            case config::LogTarget::automatic:
            case config::LogTarget::text: break;
        }
        if (with_priority_) {
            return write("<" + std::to_string(priority(message.level)) + ">" + text + "\n");
        }
        spdlog::memory_buf_t line;
        spdlog::details::log_msg clean = message;
        clean.payload = text;
        formatter_->format(clean, line);
        write({line.data(), line.size()});
    }
    void flush_() override {}

  private:
    static bool send_to_journal(spdlog::level::level_enum level, std::string_view text, const Fields& with) {
        const auto entries = journal_fields(level, text, with);
        std::vector<iovec> parts;
        parts.reserve(entries.size());
        for (const auto& entry : entries)
            parts.push_back({const_cast<char*>(entry.data()), entry.size()});
        return sd_journal_sendv(parts.data(), static_cast<int>(parts.size())) == 0;
    }
    static void write(std::string_view line) { std::fwrite(line.data(), 1, line.size(), stderr); }

    config::LogTarget target_;
    bool with_priority_;  // "<6>", see sd-daemon(3)
};

Outlet& outlet(const Log& log) {
    return static_cast<Outlet&>(*log->sinks().front());
}

}  // namespace

bool is_journal(const char* journal_stream, int descriptor) {
    struct stat found{};
    if (journal_stream == nullptr || ::fstat(descriptor, &found) != 0) return false;
    return std::to_string(found.st_dev) + ":" + std::to_string(found.st_ino) == journal_stream;
}

Log make_log(config::LogLevel level, config::LogTarget target) {
    // Without a journal, libsystemd silently drops messages.
    const bool journal_listens = ::access("/run/systemd/journal/socket", W_OK) == 0;
    if (target == config::LogTarget::automatic) {
        target = is_journal(std::getenv("JOURNAL_STREAM"), STDERR_FILENO) ? config::LogTarget::journal
                                                                          : config::LogTarget::text;
    }
    if (target == config::LogTarget::journal && !journal_listens) target = config::LogTarget::text;
    auto log = std::make_shared<spdlog::logger>(
        "drawbridge", std::make_shared<Outlet>(target, std::getenv("JOURNAL_STREAM") != nullptr));
    log->set_level(to_spdlog(level));
    log->set_pattern(::isatty(STDERR_FILENO) == 1 ? "%H:%M:%S %-5l %v" : "%Y-%m-%dT%H:%M:%S.%e%z %l %v");
    return log;
}

bool is_structured(const Log& log) {
    const auto target = outlet(log).target();
    return target == config::LogTarget::journal || target == config::LogTarget::json;
}

void log_event(const Log& log, const MessageKind& kind, const Fields& fields, std::string_view text) {
    log_event(log, kind.level, kind, fields, text);
}

void log_event(const Log& log, spdlog::level::level_enum level, const MessageKind& kind, const Fields& fields,
               std::string_view text) {
    if (!log->should_log(level)) return;
    Fields with = {{"MESSAGE_ID", std::string(kind.id)}};
    with.insert(with.end(), fields.begin(), fields.end());
    outlet(log).fields = &with;
    log->log(level, "{}", text);
    outlet(log).fields = nullptr;
}

std::string json_line(spdlog::level::level_enum level, Instant at, std::string_view text, const Fields& fields) {
    const auto name = spdlog::level::to_string_view(level);
    nlohmann::ordered_json line = {
        {"at", format_instant(at)}, {"level", std::string(name.data(), name.size())}, {"message", text}};
    for (const auto& [field, value] : fields) {
        if (!value.empty()) line[std::string(field)] = value;
    }
    return text::for_json(line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)) + "\n";
}

std::vector<std::string> journal_fields(spdlog::level::level_enum level, std::string_view text, const Fields& fields) {
    std::vector<std::string> entries = {"MESSAGE=" + text::for_log(text), "PRIORITY=" + std::to_string(priority(level)),
                                        "SYSLOG_IDENTIFIER=drawbridge"};
    for (const auto& [field, value] : fields) {
        if (!value.empty()) entries.push_back(std::string(field) + "=" + text::for_log(value));
    }
    return entries;
}

}  // namespace drawbridge::daemon
