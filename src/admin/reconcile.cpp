#include "drawbridge/admin/reconcile.hpp"

#include <charconv>
#include <chrono>
#include <string_view>
#include <utility>

#include "drawbridge/ledger/facts/confirmations.hpp"
#include "drawbridge/ledger/facts/draws.hpp"
#include "drawbridge/ledger/reports/reconciliation.hpp"
#include "drawbridge/pipeline/let_others_run.hpp"
#include "sent_files.hpp"
#include "views.hpp"

namespace drawbridge::admin {
namespace {

using reconciliation::Line;
using reconciliation::Period;
using reconciliation::ReportAccumulator;
using reconciliation::ReportHead;
using reconciliation::ReportSettings;
using std::chrono::steady_clock;

// A slice ends at whichever limit comes first.
constexpr std::chrono::milliseconds slice_time(100);
constexpr std::size_t lines_per_slice = 5000;
constexpr int draws_per_query = 500;
constexpr int lines_per_query = 1000;
constexpr int files_per_query = 1;  // each may have tens of thousands of payments
constexpr int exceptions_per_query = 500;

// The parts of a report, in order.
enum class Part : std::uint8_t { draws, lines, files, exceptions };
constexpr std::string_view part_names[] = {"draws", "lines", "files", "exceptions"};

// Where a slice starts: "draws:17" means after draw 17.
struct Place {
    Part part = Part::draws;
    std::int64_t after = 0;
};

std::string to_string(const Place& place) {
    return std::string(part_names[static_cast<std::size_t>(place.part)]) + ":" + std::to_string(place.after);
}

Result<Place> place_of(std::string_view text) {
    if (text.empty()) return Place{Part::draws, std::numeric_limits<DrawId>::min()};
    const auto colon = text.find(':');
    for (std::size_t part = 0; colon != std::string_view::npos && part < std::size(part_names); ++part) {
        if (text.substr(0, colon) != part_names[part]) continue;
        Place place{static_cast<Part>(part), 0};
        const auto number = text.substr(colon + 1);
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), place.after);
        if (error == std::errc() && end == number.data() + number.size()) return place;
    }
    return fail(ErrorCode::invalid_input, "after '" + std::string(text) + "' is not a position in this report");
}

Result<Period> period_of(const AdminContext& context, const ReconcileQuery& query) {
    const Instant now = context.clock.now();
    const BusinessDate today = context.zone.date_of(now);
    Period period{query.from.value_or(std::min(context.zone.date_of(context.ledger.created_at()), today)),
                  query.to.value_or(today), query.as_of.value_or(now)};
    // A report has all lines of a bank file or none.
    if (const auto since = ledger::recording_since(context.ledger))
        period.as_of = std::min(period.as_of, *since - std::chrono::milliseconds(1));
    if (period.to > today) {
        return fail(ErrorCode::invalid_input, "the period ends on " + format_date(period.to) +
                                                  ", in the future: today is " + format_date(today) + " in " +
                                                  context.zone.name());
    }
    if (period.from > period.to) {
        return fail(ErrorCode::invalid_input, "the period begins on " + format_date(period.from) +
                                                  ", after its end on " + format_date(period.to));
    }
    return period;
}

reconciliation::ServiceReading service_reading(ledger::Ledger& ledger) {
    reconciliation::ServiceReading reading;
    if (const auto sweep = ledger::last_full_sweep(ledger)) reading.all_read_at = sweep->completed_at;
    if (const auto sweep = ledger::last_sweep(ledger)) reading.changes_read_at = sweep->completed_at;
    return reading;
}

// Builds one slice.
class SliceBuilder {
  public:
    SliceBuilder(AdminContext& context, const ReportSettings& settings, Place place)
        : context_(context), settings_(settings), accumulator_(settings), place_(place) {}

    api::ReportSlice run() {
        const auto ends = steady_clock::now() + slice_time;
        do {
            step();
        } while (!is_complete_ && steady_clock::now() < ends && slice_.lines.size() < lines_per_slice);
        if (is_complete_) {
            finish();
        } else {
            slice_.next = to_string(place_);
        }
        slice_.totals = std::move(accumulator_.totals());
        return std::move(slice_);
    }

  private:
    void step() {
        const auto& period = settings_.period;
        auto& ledger = context_.ledger;
        switch (place_.part) {
            case Part::draws:
                return take(ledger::facts_of_draws(ledger, place_.after, draws_per_query, period, context_.zone),
                            draws_per_query, [](const auto& draw) { return draw.draw_id; });
            case Part::lines:
                return take(ledger::facts_of_bank_lines(ledger, place_.after, lines_per_query, period), lines_per_query,
                            [](const auto& line) { return line.line_id; });
            case Part::files:
                return take(
                    ledger::facts_of_payment_files(ledger, place_.after, files_per_query, period, context_.zone),
                    files_per_query, [this](const auto& file) {
                        add_file(file);
                        return file.file_id;
                    });
            case Part::exceptions:
                return take(ledger::facts_of_exceptions(ledger, place_.after, exceptions_per_query, period),
                            exceptions_per_query, [](const auto& open) { return open.exception_id; });
        }
    }

    template <class Facts, class IdOf>
    void take(const std::vector<Facts>& facts, int limit, const IdOf& id_of) {
        for (const auto& fact : facts) {
            place_.after = id_of(fact);
            for (auto& line : accumulator_.add(fact))
                slice_.lines.push_back(std::move(line));
        }
        if (facts.size() == static_cast<std::size_t>(limit)) return;
        if (place_.part == Part::exceptions) {
            is_complete_ = true;
        } else {
            place_ = {static_cast<Part>(static_cast<std::uint8_t>(place_.part) + 1), 0};
        }
    }

    void add_file(const reconciliation::PaymentFileFacts& file) {
        const auto made_on = settings_.zone.date_of(file.made_at);
        if (made_on <= settings_.period.to && (made_on >= settings_.period.from || file.open_count > 0))
            slice_.files.push_back(file);
    }

    void finish() {
        for (auto& line : lines_of_sent_files(context_, settings_)) {
            accumulator_.add(line);
            slice_.lines.push_back(std::move(line));
        }
        const auto files = ledger::bank_files_of(context_.ledger, settings_.period, context_.zone);
        accumulator_.totals().bank.files = files.taken;
        accumulator_.totals().bank.refused_files = files.refused;
        slice_.counted = ledger::count_for_reconciliation(context_.ledger, settings_.period);
    }

    AdminContext& context_;
    const ReportSettings& settings_;
    ReportAccumulator accumulator_;
    Place place_;
    bool is_complete_ = false;
    api::ReportSlice slice_;
};

}  // namespace

Result<api::ReportSlice> reconcile_slice(AdminContext& context, const ReconcileQuery& query) {
    const auto period = period_of(context, query);
    if (!period) return std::unexpected(period.error());
    const auto place = place_of(query.after);
    if (!place) return std::unexpected(place.error());
    const ReportSettings settings{*period, context.zone, query.overdue_after_days};
    auto slice = SliceBuilder(context, settings, *place).run();
    slice.head = ReportHead{
        context.ledger.ledger_id(),      context.zone.name(),          *period,          query.overdue_after_days,
        service_reading(context.ledger), configured_controls(context), context.read_from};
    return slice;
}

asio::awaitable<Result<ReconcileResult>> reconcile(AdminContext& context, ReconcileQuery query) {
    ReconcileResult result;
    while (true) {
        auto slice = reconcile_slice(context, query);
        if (!slice) co_return std::unexpected(slice.error());
        result.totals += slice->totals;
        result.head = std::move(slice->head);
        if (slice->counted) {
            result.controls = reconciliation::controls(result.totals, *slice->counted);
            co_return Result<ReconcileResult>(std::move(result));
        }
        query.from = result.head.period.from;
        query.to = result.head.period.to;
        query.as_of = result.head.period.as_of;
        query.after = slice->next.value_or("");
        co_await pipeline::let_others_run();
    }
}

}  // namespace drawbridge::admin
