#include "drawbridge/pipeline/acknowledge.hpp"

#include <fmt/format.h>

#include "drawbridge/domain/elapsed.hpp"
#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/evidence.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/facts/sent_before.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/show.hpp"

namespace drawbridge::pipeline {
namespace {

using disbursement::EvidenceKind;
using ledger::FileRow;
using statements::Acknowledgment;
using Outcome = AcknowledgmentOutcome;

// A file whose payments are all finished is watched only this long after its deadline: files from before the key was
// set are not expected to be acknowledged.
constexpr std::chrono::days finished_files_watched{7};

std::int64_t payments_in(const FileRow& file) {
    return file.payment_count + file.prenote_count;
}

std::string numbers(std::int64_t payments, Money total) {
    return fmt::format("{}, {}", text::counted(payments, "payment"), total.to_display());
}

std::string shown(std::string_view name) {
    return text::for_terminal(name);
}

// The payment file that the bank may have under this name: its own, or that of its encrypted form.
std::optional<FileRow> named_file(ledger::Ledger& ledger, std::string_view name) {
    auto file = ledger::find_file(ledger, name);
    if (!file) file = ledger::find_file(ledger, ledger::encrypted_from(ledger, name).value_or(""));
    return file;
}

// Why the bank should not have the file. Empty: it was sent.
std::string why_unsent(ledger::Ledger& ledger, const FileRow& file) {
    if (file.voided_at) return "was voided by " + file.voided_by;
    if (!file.released_at) return "is not released";
    const auto delivery = ledger::find_delivery(ledger, file.file_id);
    return delivery && delivery->method.by_sftp && !delivery->delivered_at ? "is not delivered yet" : "";
}

// Whether this person may acknowledge the file; the same rule as for `deliver --by-hand`.
Result<void> may_acknowledge(ledger::Ledger& ledger, const std::string& name, const ledger::Stamp& stamp) {
    const ledger::Roles may{ledger::Role::finance, ledger::Role::operate};
    if (ledger::roles_are_set_up(ledger) &&
        (!stamp.uid || !ledger::acts_for_a_person(ledger, *stamp.uid, stamp.at, may))) {
        return fail(
            ErrorCode::forbidden,
            fmt::format("{}: {} is not a person with the role finance: someone from finance must acknowledge it: "
                        "'drawbridge acknowledge {} --payments N --total AMOUNT --reason …'",
                        name, stamp.actor, name));
    }
    return {};
}

Result<void> may_acknowledge(ledger::Ledger& ledger, const FileRow& file, const ledger::Stamp& stamp) {
    if (auto may = may_acknowledge(ledger, file.name, stamp); !may) return may;
    return ledger::check_leaves_releaser(ledger, ledger::draws_of_check_orders(ledger, file.file_id), stamp,
                                         {ledger::Role::operate, ledger::Role::finance});
}

Comparison refused(const Acknowledgment& acknowledgment, const Error& why) {
    return {acknowledgment, Outcome::refused, why.code, why.message};
}

// Whether the bank counts other payments than a manifest does, which does not count prenotes: only ACH files have them.
bool differs(const Acknowledgment& acknowledgment, const ledger::FileSentBefore& sent) {
    if (sent.payments == 0) return false;  // unknown
    const bool may_have_prenotes = !sent.file_id_modifier.empty();
    return acknowledgment.total != sent.total || acknowledgment.payments < sent.payments ||
           (acknowledgment.payments > sent.payments && !may_have_prenotes);
}

// A file that this ledger has only as sent, because it was restored since.
Comparison compare_sent_before(ledger::Ledger& ledger, const Acknowledgment& acknowledgment,
                               const ledger::FileSentBefore& sent, const std::optional<ledger::Stamp>& by) {
    if (differs(acknowledgment, sent)) {
        return {acknowledgment, Outcome::differs, ErrorCode::conflict,
                fmt::format("the bank acknowledges {} with {}: {}", sent.name,
                            numbers(acknowledgment.payments, acknowledgment.total), ledger::describe(sent))};
    }
    if (by) {
        if (auto may = may_acknowledge(ledger, sent.name, *by); !may) return refused(acknowledgment, may.error());
    }
    return {acknowledgment, Outcome::matches, ErrorCode::conflict, ledger::describe(sent)};
}

// Evidence belongs to a payment file. Of a file that this ledger has only as sent, the audit trail keeps it.
void record_match(ledger::Ledger& ledger, const Comparison& found, std::string_view source,
                  const ledger::Stamp& stamp) {
    const auto detail = fmt::format("{}: {}", source, found.detail);
    const auto file = ledger::find_file(ledger, found.acknowledgment.file_name);
    if (!file) {
        ledger::audit(ledger, stamp, "acknowledgment.sent_before", "file " + found.acknowledgment.file_name, detail);
        return;
    }
    ledger::record_evidence(ledger, file->file_id, EvidenceKind::acknowledged, detail, stamp);
    ledger::close_exceptions_of_subject(ledger, file->name, "acknowledgment_missing", "acknowledged: " + found.detail,
                                        stamp);
}

void raise(ledger::Ledger& ledger, std::string_view reason_code, const std::string& subject, const std::string& detail,
           const ledger::Stamp& stamp) {
    ledger::raise_exception(ledger, {"pay", std::string(reason_code), std::nullopt, std::nullopt, subject, detail},
                            stamp);
}

void raise_and_pause(ledger::Ledger& ledger, std::string_view reason_code, const std::string& file,
                     const std::string& detail, const ledger::Stamp& stamp) {
    // Even if everything is paused: whoever reports it does not resume alone.
    if (!ledger::is_paused(ledger) || ledger::check_may_override_pause(ledger, stamp))
        ledger::set_paused(ledger, /*paused=*/true, detail, stamp);
    raise(ledger, reason_code, file, detail + ": all money movement is paused: ask the bank what it received", stamp);
}

}  // namespace

std::string_view to_string(Outcome outcome) {
    switch (outcome) {
        case Outcome::matches: return "matches";
        case Outcome::repeated: return "repeated";
        case Outcome::differs: return "differs";
        case Outcome::unsent: return "unsent";
        case Outcome::refused: return "refused";
    }
    return {};
}

Comparison compare(ledger::Ledger& ledger, Acknowledgment acknowledgment, const std::optional<ledger::Stamp>& by) {
    const auto file = named_file(ledger, acknowledgment.file_name);
    if (!file) {
        if (const auto sent = ledger::file_sent_before(ledger, acknowledgment.file_name))
            return compare_sent_before(ledger, acknowledgment, *sent, by);
        return refused(acknowledgment, {ErrorCode::not_found,
                                        fmt::format("there is no payment file '{}': 'drawbridge files' lists them",
                                                    shown(acknowledgment.file_name))});
    }
    acknowledgment.file_name = file->name;
    const auto acknowledged = numbers(acknowledgment.payments, acknowledgment.total);
    const auto in_file = numbers(payments_in(*file), file->total);
    const bool is_same = acknowledgment.payments == payments_in(*file) && acknowledgment.total == file->total;
    if (const auto why = why_unsent(ledger, *file); !why.empty()) {
        const auto difference = fmt::format("; the acknowledgment has {}, but the file has {}", acknowledged, in_file);
        return {acknowledgment, Outcome::unsent, ErrorCode::conflict,
                fmt::format("the bank acknowledges {}, which {}{}", file->name, why, is_same ? "" : difference)};
    }
    if (!is_same) {
        return {
            acknowledgment, Outcome::differs, ErrorCode::conflict,
            fmt::format("the bank acknowledges {} with {}, but the file has {}", file->name, acknowledged, in_file)};
    }
    const auto detail = fmt::format("{}, as in the file", in_file);
    if (ledger::is_acknowledged(ledger, file->file_id))
        return {acknowledgment, Outcome::repeated, ErrorCode::conflict, detail};
    if (by) {
        if (auto may = may_acknowledge(ledger, *file, *by); !may) return refused(acknowledgment, may.error());
    }
    return {acknowledgment, Outcome::matches, ErrorCode::conflict, detail};
}

Comparison record_acknowledgment(ledger::Ledger& ledger, const Acknowledgment& acknowledgment, std::string_view source,
                                 const ledger::Stamp& stamp) {
    auto found = compare(ledger, acknowledgment, stamp);
    if (found.outcome == Outcome::differs) {
        raise_and_pause(ledger, "acknowledgment_differs", found.acknowledgment.file_name, found.detail, stamp);
        ledger::audit(ledger, stamp, "acknowledgment.differs", "file " + found.acknowledgment.file_name,
                      fmt::format("{}: {}", source, found.detail));
    }
    if (found.outcome == Outcome::matches) record_match(ledger, found, source, stamp);
    return found;
}

Comparison record_bank_line(ledger::Ledger& ledger, const Acknowledgment& acknowledgment, std::string_view file_name,
                            const ledger::Stamp& stamp) {
    auto found =
        record_acknowledgment(ledger, acknowledgment, fmt::format("{}:{}", file_name, acknowledgment.line), stamp);
    if (found.outcome == Outcome::unsent) {
        raise_and_pause(ledger, "acknowledgment_unsent", found.acknowledgment.file_name,
                        fmt::format("{}:{}: {}", file_name, acknowledgment.line, found.detail), stamp);
    }
    if (found.outcome == Outcome::refused) {
        const bool is_unknown = found.code == ErrorCode::not_found;
        raise(ledger, is_unknown ? "acknowledgment_unknown" : "acknowledgment_refused", shown(acknowledgment.file_name),
              fmt::format("{}:{} acknowledges it with {}: {}", file_name, acknowledgment.line,
                          numbers(acknowledgment.payments, acknowledgment.total), found.detail),
              stamp);
    }
    return found;
}

Result<Comparison> acknowledge(Context& context, const Acknowledgment& acknowledgment, std::string_view reason,
                               const ledger::Stamp& stamp) {
    auto found = context.ledger.transaction(
        [&] { return record_acknowledgment(context.ledger, acknowledgment, reason, stamp); });
    if (found.outcome == Outcome::refused) return fail(found.code, std::move(found.detail));
    if (found.outcome == Outcome::unsent) {
        return fail(found.code,
                    found.detail +
                        ": if the bank has it, call the bank at once and run 'drawbridge pause --reason …'; "
                        "if it should have it, run 'drawbridge deliver NAME --by-hand --reason …' first");
    }
    return found;
}

std::int64_t watch_acknowledgments(Context& context) {
    const auto& within = context.config.pay.acknowledge_within;
    if (!within) return 0;
    const auto now = context.clock.now();
    std::int64_t overdue = 0;
    for (const auto& file : ledger::unacknowledged_files(context.ledger, now - *within - finished_files_watched)) {
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
