#include "drawbridge/daemon/journal_mirror.hpp"

#include <algorithm>
#include <utility>

#include "drawbridge/ledger/reports/journal.hpp"

namespace drawbridge::daemon {
namespace {

constexpr int rows_at_once = 1000;
constexpr int max_shown = 100;
constexpr std::int64_t max_missed = 1000;

Fields fields_of(const ledger::JournalEntry& entry, const ledger::JournalReferences& references) {
    return {{"ACTION", entry.action},
            {"SUBJECT", entry.subject},
            {"ACTOR", entry.actor},
            {"DRAW_ID", references.draw_id ? std::to_string(*references.draw_id) : std::string()},
            {"PAYMENT_ID", references.payment_id},
            {"FILE_NAME", references.file_name},
            {"FILE_SHA256", references.file_sha256},
            {"RULE", references.rule}};
}

}  // namespace

JournalMirror::JournalMirror(ledger::Ledger& ledger, Log log)
    : ledger_(ledger),
      log_(std::move(log)),
      last_copied_(std::max(ledger::journal_begin(ledger), ledger::journal_end(ledger) - max_missed)) {}

void JournalMirror::mirror() {
    int shown = 0;
    int cut_off = 0;
    while (last_copied_ < ledger::journal_end(ledger_)) {
        const auto entries = ledger::journal_since(ledger_, last_copied_, rows_at_once);
        // The remaining rows seal facts and are not acts.
        last_copied_ = entries.empty() ? ledger::journal_end(ledger_) : entries.back().seq;
        for (const auto& entry : entries) {
            const MessageKind& kind = kind_of_action(entry.action);
            auto level = kind.level;
            if (level > spdlog::level::debug && ++shown > max_shown) {
                level = spdlog::level::debug;
                ++cut_off;
            }
            if (!log_->should_log(level)) continue;
            const std::string by = entry.actor == "drawbridge" ? "" : " by " + entry.actor;
            const std::string detail = entry.detail.empty() ? "" : ": " + entry.detail;
            log_event(log_, level, kind, fields_of(entry, ledger::references_of(ledger_, entry)),
                      entry.action + by + ": " + entry.subject + detail);
        }
    }
    if (cut_off > 0) log_->info("and {} more of these in the audit trail", cut_off);
}

}  // namespace drawbridge::daemon
