// `drawbridge checks`: the check register.
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

// "10001"; for a gap "10003-10010".
std::string numbers(const records::Check& check) {
    const std::string first = plain(check.number);
    return check.number == check.last_number ? first : first + "-" + plain(check.last_number);
}

// Details to show next to the state.
std::string remark(const records::Check& check) {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (check.state == ledger::CheckState::sent_before_restore) add("only the bank can stop it");
    if (check.state == ledger::CheckState::skipped_by_restore) add("may be at the bank");
    if (check.settled_on) add("on " + plain(check.settled_on));
    if (const auto& order = check.order) {
        add(plain(order->action) + " by " + plain(order->ordered_by) +
            (order->file ? " in " + plain(order->file) : ""));
    }
    if (check.replaces) add("after " + plain(check.replaces));
    if (check.replaced_by) add("replaced by " + plain(check.replaced_by));
    return text;
}

}  // namespace

void show_checks_register(const std::vector<records::Check>& checks) {
    Table table({{"CHECK", Align::right},
                 {"STATE", Align::left},
                 {"DATE", Align::left},
                 {"AMOUNT", Align::right},
                 {"DRAW", Align::right},
                 {"FILE", Align::left},
                 {"PAYEE", Align::left},
                 {"REMARK", Align::left}});
    for (const auto& check : checks) {
        table.add({numbers(check), plain(check.state), plain(check.check_date), money(check.amount),
                   plain(check.draw_id), plain(check.file), plain(check.payee_name), remark(check)});
    }
    if (table.empty()) return print_line("no checks");
    table.print();
}

}  // namespace drawbridge::cli
