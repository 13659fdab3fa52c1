#include "drawbridge/reconciliation/lines.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "drawbridge/domain/shown_date.hpp"
#include "drawbridge/reconciliation/match.hpp"
#include "drawbridge/text/show.hpp"
#include "payment_timeline.hpp"

namespace drawbridge::reconciliation {
namespace {

using std::chrono::sys_days;

Money shown_amount(const ReadingFacts& reading) {
    return reading.amount_approved.value_or(reading.amount_requested.value_or(Money()));
}

Money disbursed_amount(const ReadingFacts& reading) {
    return reading.amount_disbursed.value_or(shown_amount(reading));
}

std::string or_none(const std::optional<Money>& amount) {
    return amount ? amount->to_display() : "null";
}

// Classifies one draw at the end of one day.
class DrawClassifier {
  public:
    DrawClassifier(const DrawFacts& facts, const ReadingFacts& reading, BusinessDate day,
                   const ReportSettings& settings)
        : facts_(facts), reading_(reading), day_(day), settings_(settings) {}

    std::vector<Line> lines() {
        std::vector<Line> lines;
        for (const auto& payment : facts_.payments) {
            const PaymentTimeline timeline(payment, settings_.zone);
            if (timeline.made_on > day_) continue;
            lines.push_back(line_of(payment, timeline));
        }
        if (lines.empty() || !lines.back().counts_draw) lines.push_back(line_without_payment());
        add_exceptions(lines.back());
        for (auto& line : lines)
            finish(line);
        return lines;
    }

  private:
    [[nodiscard]] BusinessDate date_of(Instant at) const { return settings_.zone.date_of(at); }
    [[nodiscard]] bool by_now(const std::optional<Instant>& at) const { return at && date_of(*at) <= day_; }

    [[nodiscard]] Line line_of(const PaymentFacts& payment, const PaymentTimeline& timeline) const {
        Line line;
        line.draw_id = facts_.draw_id;
        line.payment_id = payment.payment_id;
        line.payment_id_text = payment.payment_id_text;
        line.reference = payment.reference;
        line.file_name = payment.file_name;
        line.name = payment.payee_name;
        line.amount = payment.amount;
        line.bucket = timeline.bucket_at(day_);
        if (line.bucket == Bucket::out) {
            decide_ended(payment, timeline, line);
        } else {
            line.counts_draw = true;
            if (by_now(payment.released_at)) line.sides.ledger = payment.amount;
            if (line.bucket != Bucket::in_flight) line.sides.bank = line.sides.ledger = payment.amount;
            decide_live(payment, timeline, line);
        }
        if (line.counts_draw && reading_.status == DrawStatus::disbursed)
            line.sides.service = disbursed_amount(reading_);
        return line;
    }

    // The draw goes on to its next payment, returns to where it waits for one, or stays with this one.
    void decide_ended(const PaymentFacts& payment, const PaymentTimeline& timeline, Line& line) const {
        line.since = *timeline.ended_on;
        const bool is_newest = &payment == &facts_.payments.back() || date_of((&payment + 1)->made_at) > day_;
        if (payment.file_voided_at) {
            line.line_class = LineClass::voided;
        } else if (!is_newest || by_now(payment.reissue_ordered_at)) {
            line.line_class = LineClass::replaced;
        } else {
            line.counts_draw = true;
            line.line_class = reading_.status == DrawStatus::cancelled   ? LineClass::came_back
                              : reading_.status == DrawStatus::disbursed ? LineClass::returned_after_disbursed
                                                                         : LineClass::returned;
        }
    }

    void decide_live(const PaymentFacts& payment, const PaymentTimeline& timeline, Line& line) const {
        line.since = date_of(reading_.read_at);
        if (const auto difference = service_difference(payment, line)) {
            line.line_class = *difference;
            return;
        }
        switch (line.bucket) {
            case Bucket::in_flight: return decide_in_flight(payment, timeline, line);
            case Bucket::confirmed:
                line.since = *timeline.paid_on;
                line.line_class =
                    reading_.status == DrawStatus::disbursed ? LineClass::disbursed : LineClass::confirmed;
                if (line.line_class == LineClass::confirmed && is_overdue(line))
                    line.line_class = LineClass::paid_never_disbursed;
                return;
            case Bucket::reported:
                line.since = *timeline.reported_on;
                line.line_class = LineClass::reported;
                return;
            case Bucket::none:
            case Bucket::out: return;
        }
    }

    void decide_in_flight(const PaymentFacts& payment, const PaymentTimeline& timeline, Line& line) const {
        line.since = timeline.made_on;
        if (!by_now(payment.released_at)) {
            line.line_class = by_now(payment.staged_at) ? LineClass::staged : LineClass::planned;
            if (is_overdue(line)) line.line_class = LineClass::unpaid_too_long;
            if (by_now(payment.settlement_missed_at)) line.line_class = LineClass::settlement_date_passed;
            return;
        }
        line.since = date_of(*payment.released_at);
        line.line_class = LineClass::released;
        if (!payment.is_check && is_overdue(line)) line.line_class = LineClass::unconfirmed_too_long;
    }

    // What is wrong at the service with a draw that has a live payment.
    [[nodiscard]] std::optional<LineClass> service_difference(const PaymentFacts& payment, Line& line) const {
        switch (reading_.status) {
            case DrawStatus::cancelled: return LineClass::cancelled_after_payment;
            case DrawStatus::not_submitted:
            case DrawStatus::submitted:
            case DrawStatus::pending_approval:
                line.why = "its status is now " + to_string(reading_.status);
                return LineClass::status_went_back;
            case DrawStatus::approved:
            case DrawStatus::disbursed: break;
        }
        if (!is_known(reading_.status)) return LineClass::unknown_status;
        if (reading_.amount_approved != payment.amount) {
            line.why = "the approved amount is now " + or_none(reading_.amount_approved) + ", but " +
                       payment.amount.to_display() + " was paid";
            return LineClass::amount_changed_after_payment;
        }
        if (reading_.status == DrawStatus::approved) {
            if (line.bucket != Bucket::reported) return std::nullopt;
            line.why = "its date was reported, but its status is now Approved";
            return LineClass::status_went_back;
        }
        if (reading_.amount_disbursed && *reading_.amount_disbursed != payment.amount) {
            line.why = "the service shows " + reading_.amount_disbursed->to_display() + ", but " +
                       payment.amount.to_display() + " was paid";
            return LineClass::amount_disbursed_differs;
        }
        if (!by_now(payment.released_at)) return LineClass::disbursed_before_release;
        if (line.bucket == Bucket::reported) return other_date(line);
        return std::nullopt;
    }

    [[nodiscard]] std::optional<LineClass> other_date(Line& line) const {
        if (!facts_.reported_date || !facts_.date_reported_at || reading_.read_at < *facts_.date_reported_at)
            return std::nullopt;
        const auto shown = reading_.disbursed_date;
        if (shown && is_same_day(settings_.zone, *shown, *facts_.reported_date)) return std::nullopt;
        line.why = "reported " + format_date(date_of(*facts_.reported_date)) + ", but it shows " +
                   (shown ? format_date(date_of(*shown)) : "none");
        return LineClass::date_differs;
    }

    [[nodiscard]] Line line_without_payment() const {
        Line line;
        line.draw_id = facts_.draw_id;
        line.counts_draw = true;
        line.name = facts_.case_name;
        line.amount = shown_amount(reading_);
        line.since = date_of(reading_.read_at);
        const bool paid_again = std::ranges::any_of(
            facts_.payments, [&](const PaymentFacts& payment) { return by_now(payment.reissue_ordered_at); });
        switch (reading_.status) {
            case DrawStatus::cancelled: line.line_class = LineClass::cancelled; break;
            case DrawStatus::disbursed:
                line.sides.service = disbursed_amount(reading_);
                line.amount = line.sides.service;
                line.since = reading_.disbursed_date ? date_of(*reading_.disbursed_date) : line.since;
                line.line_class = paid_again                   ? LineClass::approved
                                  : facts_.disbursed_before_us ? LineClass::disbursed_before_us
                                                               : LineClass::external;
                if (line.line_class == LineClass::external) name_payments_sent_before(line);
                break;
            case DrawStatus::approved: decide_approved(line); break;
            case DrawStatus::pending_approval: decide_pending(line); break;
            case DrawStatus::not_submitted:
            case DrawStatus::submitted: line.line_class = LineClass::pending; break;
        }
        if (!is_known(reading_.status)) {
            line.line_class = LineClass::unknown_status;
            line.why = to_string(reading_.status);
        }
        return line;
    }

    // The ledger has no payment of the draw, but a manifest shows one from before a restore.
    void name_payments_sent_before(Line& line) const {
        for (const auto& sent : facts_.sent_before) {
            if (!by_now(sent.at)) continue;
            line.line_class = LineClass::sent_before_restore;
            line.why += (line.why.empty() ? "" : ", and ") + sent.text;
        }
    }

    void decide_approved(Line& line) const {
        line.line_class = LineClass::approved;
        if (reading_.approved_date) line.since = std::min(line.since, date_of(*reading_.approved_date));
        if (is_overdue(line)) line.line_class = LineClass::unpaid_too_long;
    }

    void decide_pending(Line& line) const {
        line.line_class = LineClass::pending;
        if (!facts_.decision || !by_now(facts_.decision->decided_at)) return;
        const auto& decision = *facts_.decision;
        if (!decision.approve || decision.refused) {
            line.line_class = LineClass::held;
            line.why = decision.reason;
        } else {
            line.line_class = decision.approved ? LineClass::approved : LineClass::approving;
        }
    }

    // Open exceptions of the draw appear on its line. The first gives the reason, unless the line has a better one.
    void add_exceptions(Line& line) const {
        const ExceptionFacts* first = nullptr;
        std::int64_t more = 0;
        for (const auto& open : facts_.exceptions) {
            if (!by_now(open.opened_at) || by_now(open.closed_at) || is_about_bank_line(open)) continue;
            if (first != nullptr) {
                ++more;
            } else {
                first = &open;
            }
        }
        if (first == nullptr) return;
        const bool differs = words(line.line_class).group == LineGroup::differs;
        if (differs && !line.why.empty()) return;
        line.why = first->reason_code + ": " + first->detail;
        if (more > 0) line.why += " (and " + std::to_string(more) + " more)";
        if (differs && line.line_class != LineClass::unpaid_too_long) return;
        const bool waits = line.line_class == LineClass::approved || line.line_class == LineClass::unpaid_too_long;
        line.line_class = waits && first->step == "pay" ? LineClass::blocked : LineClass::exception_open;
    }

    [[nodiscard]] bool is_overdue(const Line& line) const {
        return (sys_days(day_) - sys_days(line.since)).count() > settings_.overdue_after_days;
    }

    void finish(Line& line) const {
        line.since = std::min(line.since, day_);
        line.age_days = (sys_days(day_) - sys_days(line.since)).count();
    }

    const DrawFacts& facts_;
    const ReadingFacts& reading_;
    BusinessDate day_;
    const ReportSettings& settings_;
};

void set_age(Line& line, const ReportSettings& settings) {
    line.since = std::min(line.since, settings.period.to);
    line.age_days = (sys_days(settings.period.to) - sys_days(line.since)).count();
}

std::string kind_and_day(const BankLineFacts& facts) {
    return std::string(to_string(facts.kind)) + " on " + format_date(facts.confirmed_on);
}

// Money that the bank says it paid and that matches none of our payments.
bool is_paid_elsewhere(const BankLineFacts& facts) {
    return facts.kind == ConfirmationKind::paid && facts.currency == "USD" && !facts.payment_is_paid;
}

// Whoever closed its exception did not state what happened to the payment that it names.
bool is_unsettled(const BankLineFacts& facts) {
    return facts.kind == ConfirmationKind::disputed && facts.payment_id && !facts.payment_is_settled;
}

}  // namespace

std::vector<Line> lines_at(const DrawFacts& facts, const std::optional<ReadingFacts>& reading, BusinessDate day,
                           const ReportSettings& settings) {
    if (!reading) return {};
    return DrawClassifier(facts, *reading, day, settings).lines();
}

std::optional<Line> line_of(const BankLineFacts& facts, const ReportSettings& settings) {
    const auto& period = settings.period;
    const BusinessDate taken_on = settings.zone.date_of(facts.file_recorded_at);
    if (taken_on > period.to || facts.outcome == "applied") return std::nullopt;
    Line line;
    line.draw_id = facts.draw_id;
    line.payment_id = facts.payment_id;
    line.payment_id_text = facts.payment_id_text;
    line.reference = facts.payment_reference;
    line.file_name = facts.file_name;
    line.file_line = facts.line;
    line.amount = facts.amount;
    line.since = taken_on;
    line.why = kind_and_day(facts) + (facts.detail.empty() ? "" : ": " + facts.detail);
    std::optional<BusinessDate> closed_on;
    if (facts.outcome == "exception") {
        if (facts.exception_closed_at) closed_on = settings.zone.date_of(*facts.exception_closed_at);
        const bool is_closed = closed_on && *closed_on <= period.to;
        if (is_closed) line.why += ": " + facts.exception_closed_reason;
        if (is_closed && !is_unsettled(facts)) {
            line.line_class = LineClass::bank_exception_closed;
        } else {
            line.line_class = facts.payment_id ? LineClass::bank_line_in_doubt : LineClass::bank_line_unmatched;
            if (is_paid_elsewhere(facts)) line.sides.bank = facts.amount;
        }
    } else {
        line.line_class = facts.outcome == "duplicate" ? LineClass::bank_duplicate : LineClass::bank_no_effect;
    }
    const bool is_over = words(line.line_class).terminal;
    if (is_over && taken_on < period.from && (!closed_on || *closed_on < period.from)) return std::nullopt;
    set_age(line, settings);
    return line;
}

std::optional<Line> line_of(const PaymentFileFacts& facts, const ReportSettings& settings) {
    const BusinessDate made_on = settings.zone.date_of(facts.made_at);
    const bool adds_up = facts.payment_count == facts.row_count && facts.total == facts.row_total &&
                         facts.paid_count + facts.ended_count + facts.open_count == facts.row_count &&
                         facts.paid + facts.ended + facts.open == facts.row_total;
    if (adds_up || made_on > settings.period.to) return std::nullopt;
    Line line;
    line.line_class = LineClass::file_totals_differ;
    line.file_name = facts.name;
    line.amount = facts.total;
    line.since = made_on;
    line.why = "the file says " + text::counted(facts.payment_count, "payment") + " of " + facts.total.to_display() +
               ", but the ledger has " + std::to_string(facts.row_count) + " of " + facts.row_total.to_display();
    set_age(line, settings);
    return line;
}

std::optional<Line> line_of(const ExceptionFacts& facts, const ReportSettings& settings) {
    const auto opened_on = settings.zone.date_of(facts.opened_at);
    const bool is_closed = facts.closed_at && settings.zone.date_of(*facts.closed_at) <= settings.period.to;
    if (opened_on > settings.period.to || is_closed || is_about_bank_line(facts)) return std::nullopt;
    Line line;
    line.line_class = facts.reason_code == "file_refused" ? LineClass::file_refused : LineClass::general_exception_open;
    line.draw_id = facts.draw_id;
    line.payment_id = facts.payment_id;
    line.payment_id_text = facts.payment_id_text;
    line.reference = "exception " + std::to_string(facts.exception_id);
    line.file_name = facts.subject;
    line.amount = facts.amount;
    line.since = opened_on;
    line.why = facts.reason_code + ": " + facts.detail;
    set_age(line, settings);
    return line;
}

bool is_about_bank_line(const ExceptionFacts& facts) {
    constexpr std::array codes = {unknown_payment,      ambiguous_reference, amount_differs,      payment_not_released,
                                  dated_before_payment, dated_in_the_future, settled_differently, currency_not_usd,
                                  disputed_return,      impossible_return,   listed_twice};
    return facts.step == "confirm" && std::ranges::find(codes, facts.reason_code) != codes.end();
}

}  // namespace drawbridge::reconciliation
