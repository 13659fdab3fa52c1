#include "drawbridge/pipeline/acknowledge.hpp"

#include <fmt/format.h>

#include "drawbridge/domain/elapsed.hpp"
#include "drawbridge/ledger/deliveries.hpp"
#include "drawbridge/ledger/evidence.hpp"
#include "drawbridge/ledger/exceptions.hpp"
#include "drawbridge/ledger/makers.hpp"
#include "drawbridge/ledger/people.hpp"
#include "drawbridge/ledger/runs.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/show.hpp"

namespace drawbridge::pipeline {
namespace {

using disbursement::EvidenceKind;
using ledger::FileRow;
using statements::Acknowledgment;
using Outcome = AcknowledgmentOutcome;

// Files whose payments are all finished are asked about only so long after their time: those of before the key was set
// are none of its business.
constexpr std::chrono::days asked_about_finished{7};

std::int64_t payments_in(const FileRow& file) {
    return file.payment_count + file.prenote_count;
}

std::string numbers(std::int64_t payments, Money total) {
    return fmt::format("{}, {}", text::counted(payments, "payment"), total.to_display());
}

std::string shown(std::string_view name) {
    return text::for_terminal(name);
}

// The file that the bank can have under this name, its own or that of its encrypted form.
Result<FileRow> file_sent(ledger::Ledger& ledger, std::string_view name) {
    auto file = ledger::find_file(ledger, name);
    if (!file) file = ledger::find_file(ledger, ledger::encrypted_from(ledger, name).value_or(""));
    if (!file) {
        return fail(ErrorCode::not_found,
                    fmt::format("there is no payment file '{}': 'drawbridge files' lists them", shown(name)));
    }
    if (!file->released_at) {
        return fail(ErrorCode::conflict,
                    fmt::format("{} is not released: if the bank has it, somebody brought it there: ask the bank at "
                                "once, and 'drawbridge pause'",
                                file->name));
    }
    if (file->voided_at)
        return fail(ErrorCode::conflict, fmt::format("{} was voided by {}: ask the bank", file->name, file->voided_by));
    if (const auto delivery = ledger::find_delivery(ledger, file->file_id);
        delivery && delivery->way.by_sftp && !delivery->delivered_at) {
        return fail(ErrorCode::conflict, fmt::format("{} is not delivered yet: if the bank has it, 'drawbridge deliver "
                                                     "{} --by-hand --reason …' first",
                                                     file->name, file->name));
    }
    return *std::move(file);
}

// Whether this person's word counts, as for `deliver --by-hand`.
Result<void> may_say(ledger::Ledger& ledger, const FileRow& file, const ledger::Stamp& stamp) {
    if (ledger::is_set_up(ledger) && (!stamp.uid || ledger::is_nobody(*stamp.uid))) {
        return fail(ErrorCode::forbidden,
                    fmt::format("{}: {} is nobody in particular: somebody from finance says it in their own name: "
                                "'drawbridge acknowledge {} --payments N --total AMOUNT --reason …'",
                                file.name, stamp.actor, file.name));
    }
    return ledger::check_leaves_releaser(ledger, ledger::draws_of_check_orders(ledger, file.file_id), stamp);
}

Comparison refused(const Acknowledgment& said, const Error& why) {
    return {said, Outcome::refused, why.code, why.message};
}

void raise(ledger::Ledger& ledger, std::string_view reason_code, const std::string& subject, const std::string& detail,
           const ledger::Stamp& stamp) {
    ledger::raise_exception(ledger, {"pay", std::string(reason_code), std::nullopt, std::nullopt, subject, detail},
                            stamp);
}

void raise_and_pause(ledger::Ledger& ledger, std::string_view reason_code, const std::string& file,
                     const std::string& detail, const ledger::Stamp& stamp) {
    if (!ledger::is_paused(ledger)) ledger::set_paused(ledger, /*paused=*/true, detail, stamp);
    raise(ledger, reason_code, file, detail + ": all money movement is paused: ask the bank what it has", stamp);
}

}  // namespace

std::string_view to_string(Outcome outcome) {
    switch (outcome) {
        case Outcome::matches: return "matches";
        case Outcome::repeated: return "repeated";
        case Outcome::differs: return "differs";
        case Outcome::refused: return "refused";
    }
    return {};
}

Comparison compare(ledger::Ledger& ledger, Acknowledgment said, const std::optional<ledger::Stamp>& by) {
    const auto file = file_sent(ledger, said.file_name);
    if (!file) return refused(said, file.error());
    said.file_name = file->name;
    const auto in_file = numbers(payments_in(*file), file->total);
    if (said.payments != payments_in(*file) || said.total != file->total) {
        return {said, Outcome::differs, ErrorCode::conflict,
                fmt::format("the bank acknowledges {} with {}, the file has {}", file->name,
                            numbers(said.payments, said.total), in_file)};
    }
    const auto words = fmt::format("{}, as in the file", in_file);
    if (ledger::is_acknowledged(ledger, file->file_id)) return {said, Outcome::repeated, ErrorCode::conflict, words};
    if (by) {
        if (auto may = may_say(ledger, *file, *by); !may) return refused(said, may.error());
    }
    return {said, Outcome::matches, ErrorCode::conflict, words};
}

Comparison record_acknowledgment(ledger::Ledger& ledger, const Acknowledgment& said, std::string_view source,
                                 const ledger::Stamp& stamp) {
    auto found = compare(ledger, said, stamp);
    if (found.outcome == Outcome::differs) {
        raise_and_pause(ledger, "acknowledgment_differs", found.said.file_name, found.detail, stamp);
        ledger::audit(ledger, stamp, "acknowledgment.differs", "file " + found.said.file_name,
                      fmt::format("{}: {}", source, found.detail));
    }
    if (found.outcome == Outcome::matches) {
        const auto file = ledger::find_file(ledger, found.said.file_name);
        ledger::record_evidence(ledger, file->file_id, EvidenceKind::acknowledged,
                                fmt::format("{}: {}", source, found.detail), stamp);
        ledger::close_exceptions_of_subject(ledger, file->name, "acknowledgment_missing",
                                            "acknowledged: " + found.detail, stamp);
    }
    return found;
}

Comparison record_line_of_bank(ledger::Ledger& ledger, const Acknowledgment& said, std::string_view file_name,
                               const ledger::Stamp& stamp) {
    auto found = record_acknowledgment(ledger, said, fmt::format("{}:{}", file_name, said.line), stamp);
    if (found.outcome == Outcome::refused) {
        const bool is_unknown = found.code == ErrorCode::not_found;
        raise(ledger, is_unknown ? "acknowledgment_unknown" : "acknowledgment_refused", shown(said.file_name),
              fmt::format("{}:{} acknowledges it with {}: {}", file_name, said.line, numbers(said.payments, said.total),
                          found.detail),
              stamp);
    }
    return found;
}

Result<Comparison> acknowledge(Context& context, const Acknowledgment& said, std::string_view reason,
                               const ledger::Stamp& stamp) {
    auto found = context.ledger.transaction([&] { return record_acknowledgment(context.ledger, said, reason, stamp); });
    if (found.outcome == Outcome::refused) return fail(found.code, std::move(found.detail));
    return found;
}

std::int64_t watch_acknowledgments(Context& context) {
    const auto& within = context.settings.acknowledge_within;
    if (!within) return 0;
    const auto now = context.clock.now();
    std::int64_t overdue = 0;
    for (const auto& file : ledger::unacknowledged_files(context.ledger, now - *within - asked_about_finished)) {
        if (!has_elapsed(file.left_at, *within, now)) continue;
        ++overdue;
        context.ledger.transaction([&] {
            raise_and_pause(context.ledger, "acknowledgment_missing", file.name,
                            fmt::format("{} left at {}, and the bank has not acknowledged it within {}", file.name,
                                        format_instant(file.left_at), text::short_duration(*within)),
                            context.stamp());
        });
    }
    return overdue;
}

}  // namespace drawbridge::pipeline
