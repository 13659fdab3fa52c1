// The report as one self-contained HTML page without scripts, for viewing and printing.
#include <algorithm>

#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/show.hpp"
#include "drawbridge/text/utf8.hpp"
#include "html.hpp"
#include "words.hpp"

namespace drawbridge::reconciliation {
namespace {

std::string cell(std::string_view text) {
    return "<td>" + text::for_html(text) + "</td>";
}

std::string date_cell(BusinessDate date) {
    return "<td class=\"d\">" + format_date(date) + "</td>";
}

std::string number_cell(std::string_view text) {
    return "<td class=\"n\">" + text::for_html(text) + "</td>";
}

std::string row_head(std::string_view text) {
    return "<th scope=\"row\">" + text::for_html(text) + "</th>";
}

// Each column is a title; a leading "#" marks a column of numbers.
std::string table_head(std::string_view caption, std::initializer_list<std::string_view> columns) {
    std::string text = "<table>";
    if (!caption.empty()) text += "<caption>" + text::for_html(caption) + "</caption>";
    text += "<thead><tr>";
    for (const auto column : columns) {
        const bool is_number = column.starts_with('#');
        text += std::string("<th scope=\"col\"") + (is_number ? " class=\"n\">" : ">") +
                text::for_html(is_number ? column.substr(1) : column) + "</th>";
    }
    return text + "</tr></thead><tbody>\n";
}

constexpr std::string_view table_end = "</tbody></table>\n";

class HtmlPage {
  public:
    HtmlPage(const Report& report, std::size_t max_lines) : report_(report), max_lines_(max_lines) {}

    std::string html() {
        add_head();
        add_differences();
        add_in_flight();
        add_sides();
        add_settled();
        add_flows();
        add_days();
        add_files();
        add_bank();
        add_controls();
        add_rules();
        add_configured_controls();
        add_makers();
        text_ += "</main></body></html>\n";
        return std::move(text_);
    }

  private:
    void add_head() {
        const auto& head = report_.head;
        const auto days = format_date(head.period.from) + " to " + format_date(head.period.to);
        text_ +=
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
            "<meta name=\"color-scheme\" content=\"light dark\"><title>Reconciliation " +
            days + "</title><style>";
        text_ += style_sheet();
        text_ += "</style></head><body><main>\n<h1>Reconciliation</h1><p>" + days + ", " + text::for_html(head.zone) +
                 ". Ledger " + text::for_html(head.ledger_id) + ", as of " + moment(head.period.as_of) + ".</p>\n<p>" +
                 text::for_html(freshness(head.service)) + "</p>\n";
        if (!head.read_from.empty()) text_ += "<p>" + text::for_html(source(head)) + "</p>\n";
        const bool is_good = report_.adds_up() && report_.differences() == 0;
        text_ += std::string("<p class=\"verdict ") + (is_good ? "good" : "bad") + "\">" +
                 text::for_html(verdict(report_)) + "</p>\n";
        text_ += money_by_class_chart(report_.totals);
    }

    void add_line(const Line& line) {
        std::string why = text::for_html(line.why);
        if (line.payment_id && !line.reference.empty()) {
            why += std::string(why.empty() ? "" : "<br>") + "<small>" + text::for_html(line.reference) +
                   (line.file_name.empty() ? "" : " in " + text::for_html(line.file_name)) + "</small>";
        }
        text_ += "<tr>" + row_head(subject_of(line)) + cell(line.name) + number_cell(line.amount.to_display()) +
                 date_cell(line.since) + number_cell(text::grouped(line.age_days)) + "<td>" + why + "</td></tr>\n";
    }

    void add_lines(LineClass line_class) {
        const auto& info = words(line_class);
        const auto& total = report_.totals.of(line_class);
        text_ += "<h3>" + text::for_html(info.title) + "</h3><p>" + text::counted(total.lines, "line") + ", " +
                 total.amount.to_display() + ".";
        if (!info.what_to_do.empty()) text_ += " <strong>What to do: " + text::for_html(info.what_to_do) + ".</strong>";
        text_ += "</p>\n" + table_head("", {"What", "Name", "#Amount", "Since", "#Days", "Why"});
        const auto lines = lines_of(report_, line_class);
        const auto shown = std::min(max_lines_, lines.size());
        for (std::size_t i = 0; i < shown; ++i)
            add_line(*lines[i]);
        text_ += table_end;
        if (static_cast<std::int64_t>(shown) < total.lines) {
            text_ += "<p>These are the " + text::grouped(static_cast<std::int64_t>(shown)) + " oldest of " +
                     text::grouped(total.lines) + "; the CSV form lists all.</p>\n";
        }
    }

    void add_differences() {
        const auto classes = classes_of(report_.totals, LineGroup::differs);
        if (classes.empty()) return;
        text_ += "<h2>Needs a person</h2>\n";
        for (const auto line_class : classes)
            add_lines(line_class);
    }

    void add_in_flight() {
        const auto classes = classes_of(report_.totals, LineGroup::in_flight);
        if (classes.empty()) return;
        text_ += "<h2>In flight</h2>\n" + age_chart(report_.totals);
        add_class_table(classes);
        for (const auto line_class : classes)
            add_lines(line_class);
    }

    void add_class_table(const std::vector<LineClass>& classes) {
        text_ += table_head("", {"What", "#Lines", "#Amount"});
        for (const auto line_class : classes) {
            const auto& total = report_.totals.of(line_class);
            text_ += "<tr>" + row_head(words(line_class).title) + number_cell(text::grouped(total.lines)) +
                     number_cell(total.amount.to_display()) + "</tr>\n";
        }
        text_ += table_end;
    }

    void add_settled() {
        for (const auto group : {LineGroup::agrees, LineGroup::not_ours}) {
            const auto classes = classes_of(report_.totals, group);
            if (classes.empty()) continue;
            text_ += "<h2>" + text::for_html(title_of(group)) + "</h2>\n";
            add_class_table(classes);
        }
    }

    void add_sides_row(std::string_view title, const ThreeSides& sides) {
        text_ += "<tr>" + row_head(title) + number_cell(sides.ledger.to_display()) +
                 number_cell(sides.service.to_display()) + number_cell(sides.bank.to_display()) + "</tr>\n";
    }

    void add_sides() {
        text_ +=
            "<h2>Disbursed, three ways</h2>\n" +
            table_head("Totals of the lines in this report", {"", "#Sent by us", "#At the service", "#By the bank"});
        ClassTotal all;
        for (const auto group : groups_in_order) {
            const auto total = report_.totals.of(group);
            if (total.lines == 0) continue;
            all += total;
            add_sides_row(title_of(group), total.sides);
        }
        add_sides_row("Total", all.sides);
        text_ += table_end;
    }

    void add_flows() {
        text_ += "<h2>Opening and closing positions</h2>\n";
        for (const auto& flow : flows_of(report_.totals)) {
            text_ += table_head(flow.title, {"", "#Count", "#Amount"});
            for (const auto& row : flow.rows) {
                if (row.sign == '=' && !flow.revalued.is_zero()) {
                    text_ += "<tr>" + row_head("+ amounts that changed") + number_cell("") +
                             number_cell(flow.revalued.to_display()) + "</tr>\n";
                }
                text_ += std::string(row.sign == '=' ? "<tr class=\"sum\">" : "<tr>") +
                         row_head((row.sign == ' ' ? "" : std::string(1, row.sign) + " ") + std::string(row.title)) +
                         number_cell(text::grouped(row.sum.count)) + number_cell(row.sum.amount.to_display()) +
                         "</tr>\n";
            }
            text_ += table_end;
        }
    }

    void add_days() {
        if (report_.totals.days.empty()) return;
        text_ += "<h2>Day by day</h2>\n" + flow_chart(report_.totals) +
                 table_head("", {"Day", "#Made", "#Paid by the bank", "#Reported", "#Voided or returned"});
        for (const auto& [day, flow] : report_.totals.days) {
            text_ += "<tr>" + date_cell(day) + number_cell(flow.made.amount.to_display()) +
                     number_cell(flow.confirmed.amount.to_display()) + number_cell(flow.reported.amount.to_display()) +
                     number_cell(flow.ended.amount.to_display()) + "</tr>\n";
        }
        text_ += table_end;
    }

    void add_files() {
        if (report_.files.empty()) return;
        text_ += "<h2>Payment files and the bank</h2>\n" +
                 table_head("", {"File", "#Payments", "#Total", "#Paid", "#Voided/returned", "#Open"});
        for (const auto& file : report_.files) {
            text_ += "<tr>" + row_head(file.name) + number_cell(text::grouped(file.payment_count)) +
                     number_cell(file.total.to_display()) + number_cell(file.paid.to_display()) +
                     number_cell(file.ended.to_display()) + number_cell(file.open.to_display()) + "</tr>\n";
        }
        text_ += table_end;
    }

    void add_bank() {
        const auto& bank = report_.totals.bank;
        text_ += "<h2>Bank lines</h2>\n<p>" + text::counted(bank.files, "file") + " imported,  " +
                 text::grouped(bank.refused_files) + " refused.</p>\n" + table_head("", {"", "#Lines", "#Amount"});
        for (const auto& row : bank_rows_of(bank)) {
            text_ += "<tr>" + row_head(row.title) + number_cell(text::grouped(row.sum.count)) +
                     number_cell(row.sum.amount.to_display()) + "</tr>\n";
        }
        text_ += table_end;
    }

    void add_controls() {
        text_ += "<h2>Control sums</h2>\n" + table_head("", {"", "What must be equal", "Both sides"});
        for (const auto& control : report_.controls) {
            text_ += std::string("<tr><td class=\"") + (control.holds ? "good\">holds" : "bad\">FAILS") + "</td>" +
                     row_head(control.title) + cell(control.detail) + "</tr>\n";
        }
        text_ += table_end;
    }

    void add_rules() {
        text_ += "<h2>How to read it</h2>\n<ul>";
        for (const auto& rule : reading_rules(report_.head))
            text_ += "<li>" + text::for_html(rule) + "</li>\n";
        text_ += "</ul>\n";
    }

    void add_configured_controls() {
        if (report_.head.configured_controls.empty()) return;
        text_ += "<h2>Appendix: controls</h2>\n" +
                 table_head("", {"", "Control", "What it does, or what its absence allows"});
        for (const auto& control : report_.head.configured_controls) {
            text_ += std::string("<tr><td class=\"") + (control.on ? "good\">on" : "bad\">OFF") + "</td>" +
                     row_head(control.key) + cell(control.state) + "</tr>\n";
        }
        text_ += table_end;
    }

    void add_makers() {
        if (report_.files.empty()) return;
        text_ +=
            "<h2>Appendix: who made and released the files</h2>\n" + table_head("", {"File", "Made by", "Released by"});
        for (const auto& file : report_.files) {
            text_ += "<tr>" + row_head(file.name) + cell(file.makers.empty() ? "nobody: the schedule" : file.makers) +
                     cell(releaser_of(file)) + "</tr>\n";
        }
        text_ += table_end;
    }

    const Report& report_;
    std::size_t max_lines_;
    std::string text_;
};

}  // namespace

std::string_view style_sheet() {
    return R"(
:root{--ink:#1b1f24;--paper:#fff;--faint:#d5dae0;--soft:#f4f6f8;--bad:#b3261e;--flight:#a05a00;--good:#1b6e3c;--blue:#1f5fa8;--grey:#69727d}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e6e9ed;--paper:#15181c;--faint:#3a4149;--soft:#1e2227;--bad:#ff8a80;--flight:#f0a94a;--good:#6bd08f;--blue:#7db3f0;--grey:#9aa4af}}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
main{max-width:62rem;margin:0 auto;padding:1.5rem}
h1{margin:0}h2{margin:2rem 0 .5rem;border-bottom:2px solid var(--faint)}h3{margin:1.2rem 0 .2rem}p{margin:.3rem 0}
.verdict{font-weight:700;padding:.6rem .8rem;border-left:6px solid;background:var(--soft)}
.good{color:var(--good)}.bad{color:var(--bad)}
table{border-collapse:collapse;width:100%;margin:.4rem 0 1rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:700;padding:.3rem 0}
th,td{text-align:left;vertical-align:top;padding:.25rem .5rem;border-bottom:1px solid var(--faint);overflow-wrap:break-word}
tbody th{font-weight:400}thead th{background:var(--soft)}.n,.d{white-space:nowrap}.n{text-align:right}
.sum th,.sum td{font-weight:700;border-top:2px solid var(--ink)}
figure{margin:.8rem 0}figcaption{font-weight:700}svg{width:100%;height:auto}
svg text{fill:var(--ink);font-size:12px}svg line{stroke:var(--grey)}
rect.differs{fill:var(--bad)}rect.in_flight,rect.made{fill:var(--flight)}rect.agrees{fill:var(--good)}rect.not_ours{fill:var(--grey)}rect.reported{fill:var(--blue)}
@page{margin:15mm}
@media print{body{font-size:9.5pt}main{max-width:none;padding:0}thead{display:table-header-group}tr,figure{break-inside:avoid}h2,h3{break-after:avoid}rect{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)";
}

std::string to_html(const Report& report, std::size_t max_lines) {
    return HtmlPage(report, max_lines).html();
}

}  // namespace drawbridge::reconciliation
