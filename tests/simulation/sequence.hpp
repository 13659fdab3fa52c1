// Random sequences of acts of an office, its bank and its portal, against a minimal model. The ledger,
// the service and the model must agree after each step, and every invariant must hold.
#pragma once

#include <map>
#include <random>
#include <set>

#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/resolutions.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "pipeline/pipeline_fixture.hpp"
#include "simulation/random_run.hpp"
#include "simulation/simulated_surroundings.hpp"

namespace drawbridge::pipeline {

struct ModelPayment {
    std::int64_t id = 0;
    std::string trace_number;
    Money amount;
    std::optional<BusinessDate> paid, returned;
    bool paid_said_again = false, returned_said_again = false;
};

struct ModelDraw {
    bool disbursed = false;  // in the portal
    bool reported = false;
    std::optional<BusinessDate> reported_on;
    bool reissue = false;       // ordered and not paid yet
    bool contradicted = false;  // a line reports its payment as paid but could not be applied, and nobody resolves it
    bool held = false;          // for that reason, instead of being paid again
    std::vector<ModelPayment> payments;

    [[nodiscard]] std::string state() const {
        if (payments.empty()) return "approved";
        const auto& last = payments.back();
        if (last.returned) return held ? "blocked" : reissue ? "approved" : "returned";
        if (!last.paid) return "paying";
        if (reported) return "reported";
        return disbursed ? "disbursed" : "paid";
    }
};

struct Line {
    std::size_t payment = 0;  // of all
    ConfirmationKind kind = ConfirmationKind::paid;
    BusinessDate date;
    bool is_stray = false;  // with an unknown reference
    bool is_of_other_amount = false;
};

struct StrayLine {
    std::int64_t exception_id = 0;
    ConfirmationKind kind = ConfirmationKind::paid;
    BusinessDate date;
    Money amount;
    std::optional<std::int64_t> matched_to;  // payment id
};

class Sequence : public Pipeline {
  public:
    Sequence(unsigned seed, std::shared_ptr<SimulatedSurroundings> around)
        : Pipeline(around), time_(*around), random_(seed) {}
    static int happened(const std::string& what) { return happened_[what]; }
    [[nodiscard]] const std::string& story() const { return story_; }

    void run() {
        begin();
        for (unsigned number = 1; number <= steps_of_a_seed(steps) && !HasFailure(); ++number) {
            step();
            SCOPED_TRACE("step " + std::to_string(number) + " of: " + story_);
            compare();
            if (number % steps_between_checks() == 0) expect_clean_ledger();
        }
        if (steps_of_a_seed(steps) % steps_between_checks() != 0) expect_clean_ledger();
    }

  protected:
    static constexpr DrawId draws = 4;
    static constexpr unsigned steps = 40;

    void TestBody() override {}
    void begin() {
        for (DrawId id = 1; id <= draws; ++id) {
            add(id, 4);
            model_[id] = {};
        }
        run_well({poll});
    }

    std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
    DrawId some_draw() { return static_cast<DrawId>(below(draws)) + 1; }

    std::vector<ModelPayment*> all_payments() {
        std::vector<ModelPayment*> all;
        for (auto& [id, draw] : model_) {
            for (auto& payment : draw.payments)
                all.push_back(&payment);
        }
        return all;
    }
    ModelDraw& draw_of(const ModelPayment& wanted) {
        for (auto& [id, draw] : model_) {
            for (const auto& payment : draw.payments) {
                if (payment.id == wanted.id) return draw;
            }
        }
        throw std::logic_error("a payment without a draw");
    }

    void pay_some() {
        run_well({pay});
        std::map<DrawId, std::vector<ModelPayment>> found;
        // Marked as Disbursed after its reissue was ordered: a question. Here it is the payment that came back.
        if (resolve_all("disbursed_elsewhere", context_->stamp()) > 0) run_well({pay});
        auto files = ledger::payment_files(*ledger_, /*unreleased_only=*/false);
        for (auto file = files.rbegin(); file != files.rend(); ++file) {
            for (const auto& payment : ledger::load_file(*ledger_, file->file_id).file.payments) {
                ModelPayment one;
                one.id = payment.payment_id;
                one.trace_number = *payment.trace_number;
                one.amount = payment.amount;
                found[payment.draw_id].push_back(std::move(one));
            }
        }
        for (auto& [id, draw] : model_) {
            draw.held = draw.reissue && draw.contradicted;
            const bool is_due = draw.payments.empty() || (draw.reissue && !draw.contradicted);
            ASSERT_EQ(found[id].size(), draw.payments.size() + (is_due ? 1 : 0)) << "draw " << id;
            if (draw.held) ++happened_["held for a bank report"];
            if (!is_due) continue;
            std::ranges::sort(found[id], {}, &ModelPayment::id);
            draw.payments.push_back(found[id].back());
            draw.reissue = false;
        }
    }

    void drop_file() {
        const auto payments = all_payments();
        if (payments.empty()) return;
        std::vector<Line> lines(1 + below(4));
        for (auto& line : lines) {
            line.payment = below(payments.size());
            line.kind = below(3) == 0 ? ConfirmationKind::returned : ConfirmationKind::paid;
            line.date = BusinessDate(std::chrono::sys_days(today_) + std::chrono::days(below(5) == 0 ? 1 : 0));
            line.is_stray = below(3) == 0;
            line.is_of_other_amount = below(8) == 0;
        }
        const std::string name = "file-" + std::to_string(++files_) + ".csv";
        write(name, lines, payments);
        if (below(3) == 0) write("again-" + name, lines, payments);  // the same bytes under another name
        const auto before = open_exceptions();
        time_.pass(std::chrono::seconds(1));
        run_well({confirm});
        expect_file(lines, payments);
        remember_strays(before);
    }

    void write(const std::string& name, const std::vector<Line>& lines, const std::vector<ModelPayment*>& payments) {
        // No two files have the same bytes: the second would count as repeated.
        std::string csv =
            "payment_reference,status,amount,date" + std::string(static_cast<std::size_t>(files_), ' ') + "\n";
        for (const auto& line : lines) {
            const auto& payment = *payments[line.payment];
            const auto amount = line.is_of_other_amount ? payment.amount + Money::from_cents(1) : payment.amount;
            csv += (line.is_stray ? "999999999999999" : payment.trace_number) + "," +
                   std::string(to_string(line.kind)) + "," + amount.to_string() + "," + format_date(line.date) + "\n";
        }
        write_file_at(folder_.path() / "state/inbox" / name, csv, clock_.now());
    }

    // What a file means for the model: per payment, paid lines first; at most one fact of each kind.
    void expect_file(const std::vector<Line>& lines, const std::vector<ModelPayment*>& payments) {
        for (std::size_t i = 0; i < payments.size(); ++i) {
            auto last_paid = payments[i]->paid;
            for (const auto kind : {ConfirmationKind::paid, ConfirmationKind::returned}) {
                std::vector<BusinessDate> said;
                bool is_contradicted = false;
                for (const auto& line : lines) {
                    if (line.payment != i || line.kind != kind || line.is_stray) continue;
                    if (line.is_of_other_amount) {
                        is_contradicted = true;
                    } else {
                        said.push_back(line.date);
                        if (kind == ConfirmationKind::paid) last_paid = std::max(last_paid, std::optional(line.date));
                    }
                }
                // What came back before the bank paid it did not end the payment.
                if (kind == ConfirmationKind::returned && !payments[i]->returned &&
                    std::ranges::any_of(said, [&](BusinessDate date) { return last_paid && date < *last_paid; }))
                    continue;
                if (!said.empty() && !expect_facts(*payments[i], kind, said)) is_contradicted = true;
                if (is_contradicted && kind == ConfirmationKind::paid) draw_of(*payments[i]).contradicted = true;
            }
        }
    }
    // Whether every line was applied or repeated a known fact. A second paid line of one file may be a second debit.
    static bool expect_facts(ModelPayment& payment, ConfirmationKind kind, std::vector<BusinessDate> said) {
        const bool is_paid = kind == ConfirmationKind::paid;
        auto& known = is_paid ? payment.paid : payment.returned;
        auto& said_again = is_paid ? payment.paid_said_again : payment.returned_said_again;
        const auto lines = said.size();
        // A debit from before the return does not contradict it.
        if (is_paid && payment.returned && !known)
            std::erase_if(said, [&](BusinessDate date) { return date >= *payment.returned; });
        if (said.empty()) return false;
        const std::set<BusinessDate> facts(said.begin(), said.end());
        auto same = std::ranges::count(said, known.value_or(said.front()));
        const bool all_agree = same == std::ssize(said);
        if (!known) {
            if (facts.size() > 1) return false;
            known = said.front();
            --same;
        }
        said_again = said_again || same > 0;
        return all_agree && said.size() == lines && (!is_paid || lines == 1);
    }

    std::set<std::int64_t> open_exceptions() {
        std::set<std::int64_t> ids;
        for (const auto& row : ledger::open_exceptions(*ledger_))
            ids.insert(row.exception_id);
        return ids;
    }
    void remember_strays(const std::set<std::int64_t>& before) {
        for (const auto& row : ledger::open_exceptions(*ledger_)) {
            if (before.contains(row.exception_id) || row.what.reason_code != "unknown_payment") continue;
            const auto line = ledger::line_of_exception(*ledger_, row.exception_id);
            ASSERT_TRUE(line);
            const auto& said = line->confirmation;
            strays_.push_back({row.exception_id, said.kind, said.date, said.amount, std::nullopt});
        }
    }

    void match_stray() {
        const auto payments = all_payments();
        if (strays_.empty() || payments.empty()) return;
        auto& stray = strays_[below(strays_.size())];
        // Usually a payment that it may mean.
        std::vector<ModelPayment*> alike;
        std::ranges::copy_if(payments, std::back_inserter(alike),
                             [&](const ModelPayment* payment) { return payment->amount == stray.amount; });
        const auto& choice = alike.empty() || below(4) == 0 ? payments : alike;
        auto& payment = *choice[below(choice.size())];
        const bool is_paid = stray.kind == ConfirmationKind::paid;
        const bool is_early = !is_paid && payment.paid && stray.date < *payment.paid;
        const bool fits = !stray.matched_to && stray.amount == payment.amount && !payment.returned &&
                          !(is_paid && payment.paid) && !is_early;
        const auto done = ledger_->transaction([&] {
            return ledger::match_line(*ledger_, {stray.exception_id, "the bank's letter"}, payment.id,
                                      context_->settings.plan.zone, person());
        });
        ASSERT_EQ(done.has_value(), fits) << (done ? "applied" : done.error().message);
        if (!done) return;
        ++happened_["matched " + std::string(to_string(stray.kind))];
        stray.matched_to = payment.id;
        (is_paid ? payment.paid : payment.returned) = stray.date;
    }

    void undo_stray() {
        if (strays_.empty()) return;
        std::vector<std::size_t> matched;
        for (std::size_t i = 0; i < strays_.size(); ++i) {
            if (strays_[i].matched_to) matched.push_back(i);
        }
        const bool any = matched.empty() || below(4) == 0;
        auto& stray = strays_[any ? below(strays_.size()) : matched[below(matched.size())]];
        bool may = stray.matched_to.has_value();
        ModelPayment* payment = nullptr;
        for (auto* one : all_payments()) {
            if (stray.matched_to == one->id) payment = one;
        }
        const bool is_paid = stray.kind == ConfirmationKind::paid;
        if (payment != nullptr) {
            const auto& draw = draw_of(*payment);
            const bool is_followed = draw.reissue || draw.payments.back().id != payment->id;
            may = is_paid ? !draw.reported && !payment->returned && !payment->paid_said_again
                          : !is_followed && !payment->returned_said_again;
        }
        const auto done = ledger_->transaction(
            [&] { return ledger::undo_resolution(*ledger_, {stray.exception_id, "the wrong one"}, person()); });
        ASSERT_EQ(done.has_value(), may) << (done ? "undone" : done.error().message);
        if (!done) return;
        ++happened_["undone " + std::string(to_string(stray.kind))];
        (is_paid ? payment->paid : payment->returned).reset();
        stray.matched_to.reset();
        stray.exception_id = done->exception_id;
    }

    void reissue() {
        const auto id = some_draw();
        auto& draw = model_[id];
        const bool may = !draw.payments.empty() && draw.payments.back().returned && !draw.reissue;
        const auto done = ledger_->transaction(
            [&] { return ledger::order_reissue(*ledger_, id, context_->payees, "paid again", person()); });
        ASSERT_EQ(done.has_value(), may) << (done ? "ordered" : done.error().message);
        if (!done) return;
        ++happened_["reissued"];
        draw.reissue = true;
    }

    void disburse() {
        const auto id = some_draw();
        auto& draw = model_[id];
        // People mark each paid draw once.
        if (draw.disbursed || draw.payments.empty() || !draw.payments.back().paid) return;
        sandbox_.act(id, "disburse");
        draw.disbursed = true;
        run_well({poll});
    }

    void report_all() {
        run_well({report});
        for (auto& [id, draw] : model_) {
            if (draw.state() != "disbursed") continue;
            ++happened_["reported"];
            draw.reported = true;
            draw.reported_on = draw.payments.back().paid;
        }
    }

    // As after a crash: only the ledger and the folders are left.
    void restart() {
        ledger_.reset();
        auto opened = ledger::Ledger::open(folder_.path() / "state", clock_.now());
        ASSERT_TRUE(opened);
        ledger_.emplace(std::move(*opened));
    }

    // Reports and retry times are recorded while the clock is years ahead.
    void jump() {
        constexpr auto years = std::chrono::hours(24 * 365 * 5);
        clock_.ahead += years;
        run_well({poll});
        report_all();
        clock_.ahead -= years;
        run_well({poll});
        ASSERT_EQ(resolve_all("clock_went_back", person()), 1) << "it is right now: files are released again";
        ++happened_["the clock jumped"];
    }

    void step() {
        time_.pass(std::chrono::seconds(2));
        switch (below(16)) {
            case 0:
            case 1: story_ += "pay, "; return pay_some();
            case 2:
            case 3:
            case 4: story_ += "file, "; return drop_file();
            case 5:
            case 10:
            case 11: story_ += "match, "; return match_stray();
            case 6:
            case 12: story_ += "undo, "; return undo_stray();
            case 7: story_ += "reissue, "; return reissue();
            case 8: story_ += "disburse, "; return disburse();
            case 9: story_ += "restart, "; return restart();
            case 13: story_ += "jump, "; return jump();
            default: story_ += "report, "; return report_all();
        }
    }

    void compare() {
        for (const auto& [id, draw] : model_) {
            EXPECT_EQ(state_of(id), draw.state()) << "draw " << id;
            if (!draw.reported) continue;
            const auto sent = parse_instant(sandbox_.draw(id).at("disbursedDate").get<std::string>()).value();
            EXPECT_EQ(context_->settings.plan.zone.date_of(sent), draw.reported_on) << "draw " << id;
        }
    }

    [[nodiscard]] ledger::Stamp person() const { return {clock_.now(), "uid 7 (ana)", 7}; }

    SimulatedSurroundings& time_;
    std::mt19937 random_;
    std::map<DrawId, ModelDraw> model_;
    std::vector<StrayLine> strays_;
    const BusinessDate today_ = context_->settings.plan.zone.date_of(clock_.now());
    static inline std::map<std::string, int> happened_;  // over all seeds
    int files_ = 0;
    std::string story_;
};

}  // namespace drawbridge::pipeline
