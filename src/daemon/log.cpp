#include "log.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace drawbridge::daemon {
namespace {

// What sd-daemon(3) reads at the head of a line.
class JournalPriority final : public spdlog::custom_flag_formatter {
  public:
    void format(const spdlog::details::log_msg& message, const std::tm& /*time*/, spdlog::memory_buf_t& into) override {
        const std::string_view prefix = priority(message.level);
        into.append(prefix.data(), prefix.data() + prefix.size());
    }
    [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
        return std::make_unique<JournalPriority>();
    }

  private:
    static std::string_view priority(spdlog::level::level_enum level) {
        switch (level) {
            case spdlog::level::trace:
            case spdlog::level::debug: return "<7>";
            case spdlog::level::info: return "<6>";
            case spdlog::level::warn: return "<4>";
            case spdlog::level::err: return "<3>";
            case spdlog::level::critical: return "<2>";
            case spdlog::level::off:
            case spdlog::level::n_levels: break;
        }
        return "<6>";
    }
};

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

}  // namespace

Log make_log(config::LogLevel level) {
    auto log = std::make_shared<spdlog::logger>("drawbridge", std::make_shared<spdlog::sinks::stderr_sink_st>());
    log->set_level(to_spdlog(level));
    log->flush_on(spdlog::level::trace);
    if (std::getenv("JOURNAL_STREAM") != nullptr) {
        auto formatter = std::make_unique<spdlog::pattern_formatter>();
        formatter->add_flag<JournalPriority>('*').set_pattern("%*%v");
        log->set_formatter(std::move(formatter));
    } else {
        log->set_pattern(::isatty(STDERR_FILENO) == 1 ? "%H:%M:%S %-5l %v" : "%Y-%m-%dT%H:%M:%S.%e%z %l %v");
    }
    return log;
}

}  // namespace drawbridge::daemon
