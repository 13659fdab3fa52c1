// The report as text, for a terminal or an email.
#include <algorithm>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/reconciliation/document.hpp"
#include "drawbridge/reconciliation/programs.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/show.hpp"
#include "words.hpp"

namespace drawbridge::reconciliation {
namespace {

constexpr std::size_t page_width = 98;

bool starts_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
}

std::string left(std::string_view text, std::size_t to) {
    return std::string(text) + std::string(to - std::min(to, width(text)), ' ');
}

// At least one blank before it.
std::string right(std::string_view text, std::size_t to) {
    return std::string(std::max<std::size_t>(to - std::min(to, width(text)), 1), ' ') + std::string(text);
}

// Breaks at spaces; a word longer than the line gets its own line.
void wrap(std::string& to, std::string_view text, std::size_t indent) {
    const std::string margin(indent, ' ');
    std::string line = margin;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const auto word = text.substr(at, end - at);
        if (line.size() > indent && width(line) + 1 + width(word) > page_width) {
            to += line + "\n";
            line = margin;
        }
        if (line.size() > indent) line += ' ';
        line += word;
        at = end + 1;
    }
    to += line + "\n";
}

std::string count_cell(std::int64_t count) {
    return right(text::grouped(count), 9);
}

std::string age_of(const Line& line) {
    return "since " + format_date(line.since) + " (" + text::counted(line.age_days, "day") + ")";
}

class TextPage {
  public:
    TextPage(const Report& report, std::size_t max_lines) : report_(report), max_lines_(max_lines) {}

    std::string text() {
        add_all();
        if (missing_ > 0) {  // an amount is wider than its column
            text_.clear();
            extra_ = missing_;
            add_all();
        }
        return std::move(text_);
    }

  private:
    void add_all() {
        add_head();
        add_differences();
        add_in_flight();
        add_sides();
        add_group(LineGroup::agrees);
        add_group(LineGroup::not_ours);
        add_flows();
        add_files();
        add_bank();
        add_controls();
        add_rules();
        add_configured_controls();
        add_makers();
    }

    std::string amount_cell(Money amount, std::size_t to = 16) {
        const std::string shown = amount.to_display();
        missing_ = std::max(missing_, std::max(width(shown) + 1, to) - to);
        return right(shown, to + extra_);
    }
    [[nodiscard]] std::string amount_title(std::string_view title, std::size_t to = 16) const {
        return right(title, to + extra_);
    }

    void add_title(std::string_view title) { text_ += "\n" + uppercase(title) + "\n"; }

    void add_head() {
        const auto& head = report_.head;
        text_ += "Reconciliation of " + format_date(head.period.from) + " to " + format_date(head.period.to) + " (" +
                 head.zone + "), ledger " + head.ledger_id + "\n";
        wrap(text_, freshness(head.service), 0);
        if (!head.read_from.empty()) wrap(text_, source(head), 0);
        text_ += "\n";
        wrap(text_, verdict(report_), 0);
    }

    void add_line(const Line& line) {
        std::string row = "  " + left(text::for_terminal(subject_of(line)), 30) + " " + amount_cell(line.amount) +
                          "  " + age_of(line);
        if (!line.name.empty()) row += "  " + text::for_terminal(line.name);
        text_ += row + "\n";
        if (!line.reference.empty() && line.payment_id) {
            wrap(text_, text::for_terminal(line.reference + (line.file_name.empty() ? "" : " in " + line.file_name)),
                 6);
        }
        if (!line.why.empty()) wrap(text_, text::for_terminal(line.why), 6);
    }

    void add_class(LineClass line_class) {
        const auto& total = report_.totals.of(line_class);
        const auto& info = words(line_class);
        text_ += "\n";
        wrap(text_,
             std::string(info.title) + ": " + text::grouped(total.lines) + ", " + total.amount.to_display() +
                 (info.what_to_do.empty() ? "" : " -> " + std::string(info.what_to_do)),
             0);
        const auto lines = lines_of(report_, line_class);
        for (std::size_t i = 0; i < std::min(max_lines_, lines.size()); ++i)
            add_line(*lines[i]);
        const auto shown = static_cast<std::int64_t>(std::min(max_lines_, lines.size()));
        if (shown < total.lines)
            text_ += "  and " + text::grouped(total.lines - shown) + " more: --format csv lists all\n";
    }

    void add_differences() {
        const auto classes = classes_of(report_.totals, LineGroup::differs);
        if (classes.empty()) return;
        add_title(title_of(LineGroup::differs));
        for (const auto line_class : classes)
            add_class(line_class);
    }

    void add_in_flight() {
        const auto classes = classes_of(report_.totals, LineGroup::in_flight);
        if (classes.empty()) return;
        add_title("In flight, by age");
        text_ += left("", 46) + right("count", 9) + amount_title("amount");
        text_ += right("oldest", 12) + "\n";
        for (const auto line_class : classes) {
            const auto& total = report_.totals.of(line_class);
            const auto lines = lines_of(report_, line_class);
            text_ += left(words(line_class).title, 46) + count_cell(total.lines) + amount_cell(total.amount) +
                     right(lines.empty() ? "" : format_date(lines.front()->since), 12) + "\n";
        }
        Ages all{};
        for (const auto line_class : classes) {
            const auto found = report_.totals.ages.find(line_class);
            if (found == report_.totals.ages.end()) continue;
            for (std::size_t age = 0; age < all.size(); ++age)
                all[age] += found->second[age];
        }
        for (std::size_t age = 0; age < all.size(); ++age) {
            if (all[age].count == 0) continue;
            text_ += left("  " + age_words(age), 46) + count_cell(all[age].count) + amount_cell(all[age].amount) + "\n";
        }
    }

    void add_group(LineGroup group) {
        const auto classes = classes_of(report_.totals, group);
        if (classes.empty()) return;
        add_title(title_of(group));
        for (const auto line_class : classes) {
            const auto& total = report_.totals.of(line_class);
            text_ += left(words(line_class).title, 55) + count_cell(total.lines) + amount_cell(total.amount) + "\n";
        }
    }

    void add_sides() {
        add_title("Disbursed, three ways");
        text_ += left("", 24) + amount_title("sent by us", 18) + amount_title("at the service", 18) +
                 amount_title("by the bank", 18) + "\n";
        ClassTotal all;
        for (const auto group : groups_in_order) {
            const auto total = report_.totals.of(group);
            if (total.lines == 0) continue;
            all += total;
            add_sides_row(title_of(group), total.sides);
        }
        add_sides_row("Total", all.sides);
    }

    void add_sides_row(std::string_view title, const ThreeSides& sides) {
        text_ += left(title, 24) + amount_cell(sides.ledger, 18) + amount_cell(sides.service, 18) +
                 amount_cell(sides.bank, 18) + "\n";
    }

    void add_flows() {
        add_title("Opening and closing positions");
        for (const auto& flow : flows_of(report_.totals)) {
            text_ += std::string(flow.title) + "\n";
            for (const auto& row : flow.rows) {
                if (row.sign == '=' && !flow.revalued.is_zero()) {
                    text_ += left("  + amounts that changed", 55) + right("", 9) + amount_cell(flow.revalued) + "\n";
                }
                text_ += left(std::string("  ") + row.sign + " " + std::string(row.title), 55) +
                         count_cell(row.sum.count) + amount_cell(row.sum.amount) + "\n";
            }
        }
    }

    void add_files() {
        if (report_.files.empty()) return;
        add_title("Payment files and the bank");
        text_ += left("file", 26) + right("payments", 9) + amount_title("total", 15) + amount_title("paid", 16) +
                 amount_title("voided/returned", 16) + amount_title("open", 16) + "\n";
        for (const auto& file : report_.files) {
            text_ += left(text::for_terminal(file.name), 26) + right(text::grouped(file.payment_count), 9) +
                     amount_cell(file.total, 15) + amount_cell(file.paid, 16) + amount_cell(file.ended, 16) +
                     amount_cell(file.open, 16) + "\n";
        }
    }

    void add_bank() {
        const auto& bank = report_.totals.bank;
        add_title("Bank lines");
        text_ += text::counted(bank.files, "file") + " imported, " + text::grouped(bank.refused_files) + " refused\n";
        for (const auto& row : bank_rows_of(bank)) {
            if (row.sum.count == 0) continue;
            text_ += left("  " + std::string(row.title), 55) + count_cell(row.sum.count) + amount_cell(row.sum.amount) +
                     "\n";
        }
    }

    void add_controls() {
        add_title("Control sums");
        for (const auto& control : report_.controls) {
            text_ += std::string(control.holds ? "ok    " : "FAIL  ") + std::string(control.title) + "\n";
            wrap(text_, control.detail, 6);
        }
    }

    void add_rules() {
        add_title("How to read it");
        for (const auto& rule : reading_rules(report_.head))
            wrap(text_, rule, 0);
    }

    void add_configured_controls() {
        if (report_.head.configured_controls.empty()) return;
        add_title("Appendix: controls");
        for (const auto& control : report_.head.configured_controls)
            wrap(text_, (control.on ? "on   " : "OFF  ") + control.key + ": " + control.state, 0);
    }

    void add_makers() {
        if (report_.files.empty()) return;
        add_title("Appendix: who made and released the files");
        for (const auto& file : report_.files) {
            text_ += text::for_terminal(file.name) + "\n";
            wrap(text_,
                 "made by     " + (file.makers.empty() ? "nobody: the schedule" : text::for_terminal(file.makers)), 2);
            wrap(text_, "released by " + text::for_terminal(releaser_of(file)), 2);
        }
    }

    const Report& report_;
    std::size_t max_lines_;
    std::string text_;
    // Beyond the usual width of the columns with amounts: what they have, and what they would need.
    std::size_t extra_ = 0, missing_ = 0;
};

}  // namespace

std::string to_text(const Report& report, std::size_t max_lines) {
    return TextPage(report, max_lines).text();
}

std::string to_text(const std::vector<ProgramReport>& programs, std::size_t max_lines) {
    const auto sum = sum_of(programs);
    std::string page = "Reconciliation of " + format_date(sum.head.period.from) + " to " +
                       format_date(sum.head.period.to) + ", " +
                       text::counted(static_cast<std::int64_t>(programs.size()), "program") + "\n";
    for (const auto& rule : reading_rules(programs))
        wrap(page, rule, 0);
    page += "\n";
    wrap(page, verdict(sum), 0);
    constexpr std::size_t name_width = 18, money_width = 17, count_width = 12;
    page += "\n" + left("program", name_width) + right("sent by us", money_width) +
            right("at the service", money_width) + right("by the bank", money_width) + right("in flight", money_width) +
            right("differences", count_width) + "\n";
    const auto add_row = [&](std::string_view name, const Report& report) {
        ClassTotal all;
        for (const auto group : groups_in_order)
            all += report.totals.of(group);
        page += left(name, name_width) + right(all.sides.ledger.to_display(), money_width) +
                right(all.sides.service.to_display(), money_width) + right(all.sides.bank.to_display(), money_width) +
                right(report.totals.of(LineGroup::in_flight).amount.to_display(), money_width) +
                right(text::grouped(report.differences()), count_width) +
                (report.adds_up() ? "" : "  DOES NOT ADD UP") + "\n";
    };
    for (const auto& program : programs)
        add_row(text::for_terminal(program.name), program.report);
    add_row("Total", sum);
    for (const auto& program : programs)
        page += "\n== " + text::for_terminal(program.name) + "\n" + to_text(program.report, max_lines);
    return page;
}

}  // namespace drawbridge::reconciliation
