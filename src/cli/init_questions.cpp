#include "init_questions.hpp"

#include <algorithm>

#include "drawbridge/config/input_files.hpp"
#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/assigned_routing.hpp"
#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/domain/web_address.hpp"

namespace drawbridge::cli {
namespace {

bool always(const Answers&) {
    return true;
}
bool by_ach(const Answers& answers) {
    return answers.at("pay_by") != "check";
}
bool by_check(const Answers& answers) {
    return answers.at("pay_by") != "ach";
}

std::string one_line(const std::string& text, std::size_t low, std::size_t high) {
    if (text.size() < low || text.size() > high) {
        return "must have " + (low == high ? std::string() : std::to_string(low) + " to ") + std::to_string(high) +
               " characters, not " + std::to_string(text.size());
    }
    const bool plain = std::ranges::all_of(text, [](char c) { return c >= 0x20 && c <= 0x7E; });
    return plain ? "" : "only letters, digits, spaces and ASCII punctuation are allowed in a NACHA file";
}

template <std::size_t Low, std::size_t High>
std::string text_of(const std::string& text) {
    return one_line(text, Low, High);
}

std::string url(const std::string& text) {
    const auto address = parse_base_address(text);
    return address ? "" : address.error().message;
}

std::string number(const std::string& text) {
    const bool is_good = is_number(text) && text.size() <= 10 && text.front() != '0';
    return is_good ? "" : "must be a whole number above zero, without leading zeros";
}

std::string zone(const std::string& text) {
    return TimeZone::find(text) ? "" : "unknown time zone: write it like America/New_York";
}

std::string field(const std::string& text) {
    const auto* found = find_draw_field(text);
    return found != nullptr && found->kind == FieldKind::text ? ""
                                                              : "not a text field of a draw: write fieldA to fieldE";
}

std::string rail(const std::string& text) {
    return text == "ach" || text == "check" || text == "both" ? "" : "answer ach, check or both";
}

std::string routing(const std::string& text) {
    const auto parsed = parse_assigned_routing(text);
    return parsed ? "" : parsed.error().message;
}

std::string account(const std::string& text) {
    const auto parsed = AccountNumber::parse(text);
    return parsed ? "" : parsed.error().message;
}

std::string folder(const std::string& text) {
    return text.starts_with('/') ? "" : "write an absolute path";
}

std::string folder_or_none(const std::string& text) {
    return text == "none" ? "" : folder(text);
}

std::string amount_or_none(const std::string& text) {
    if (text == "none") return "";
    const auto amount = Money::parse(text);
    if (!amount) return amount.error().message;
    return *amount > Money() ? "" : "must be above zero";
}

// The text as a YAML string in double quotes.
std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

std::string ach_section(const Answers& answers) {
    return "\nach:\n"
           "  odfi:\n"
           "    routing_number: " +
           quoted(answers.at("odfi_routing_number")) + "\n    name: " + quoted(answers.at("odfi_name")) +
           "\n"
           "  origin:\n"
           "    id: " +
           quoted(answers.at("origin_id")) + "\n    name: " + quoted(answers.at("origin_name")) +
           "\n"
           "  company:\n"
           "    name: " +
           quoted(answers.at("company_name")) + "\n    id: " + quoted(answers.at("company_id")) +
           "\n    entry_description: " + quoted(answers.at("entry_description")) + "\n";
}

std::string checks_section(const Answers& answers) {
    return "\nchecks:\n"
           "  account_number_file: check_account\n"
           "  first_number: " +
           answers.at("first_check_number") + "\n  layout: layouts/issue-csv.yaml\n";
}

std::string limits(const std::string& day) {
    if (day == "none") return "";
    return "  limits: {day: " + day + "}   # the most that is planned on one day\n  release_limit: " + day +
           "   # with `release: auto`, the most that is released without a person per day\n";
}

// The units may write to the folder in /var/backups that is named like the state folder.
std::string backup_section(const std::string& state_dir) {
    constexpr std::string_view units_folder = "/var/lib/";
    const std::string name = state_dir.starts_with(units_folder) ? state_dir.substr(units_folder.size()) : "";
    const bool is_of_unit =
        (name == "drawbridge" || name.starts_with("drawbridge-")) && name.find('/') == std::string::npos;
    return "\nbackup:   # keep the copies on another disk\n"
           "  every: 24h\n"
           "  at: \"02:00\"\n"
           "  keep: 14\n" +
           (is_of_unit ? "  folder: " + quoted("/var/backups/" + name) + "\n" : "");
}

std::string configuration(const Answers& answers) {
    std::string text =
        "# Drawbridge: the administrator's configuration, written by `drawbridge init`.\n"
        "# drawbridge.yaml(5) explains every key. `drawbridge check` reports every mistake in this file.\n"
        "\nservice:\n"
        "  base_url: " +
        quoted(answers.at("service_url")) +
        "\n"
        "  client_id_file: client_id\n"
        "  client_secret_file: client_secret\n"
        "\nstate_dir: " +
        quoted(answers.at("state_dir")) +
        "\n"
        "\nrules: {file: rules.yaml}\n"
        "payees: {file: payees.csv, key: " +
        answers.at("payee_field") +
        "}\n"
        "\nchange_control: second_person   # changed rules or payees wait until two people accept them\n"
        "\npay:\n"
        "  timezone: " +
        answers.at("timezone") +
        "\n"
        "  cutoffs: [\"10:00\", \"15:30\"]\n"
        "  release: manual   # a person who is not a maker releases each file\n" +
        limits(answers.at("day_limit")) +
        "  payee_hold: 3d   # payments to new or changed bank details are held this long\n"
        "  duplicate_window: 7d   # the same amount to the same payee within this time is held\n";
    if (by_ach(answers)) text += ach_section(answers);
    if (by_check(answers)) text += checks_section(answers);
    return text +
           "\nconfirmations:\n"
           "  profiles:\n"
           "    - {match: \"*.csv\", format: csv}\n"
           "\n# A folder outside this machine's snapshots with a copy of the high-water mark. none: no witness, on "
           "purpose.\n"
           "ledger: {witness: " +
           quoted(answers.at("witness")) + "}\n" + backup_section(answers.at("state_dir"));
}

std::string rules(const Answers& answers) {
    return "# What Drawbridge approves without a person. For now nothing: every draw is held for a person.\n"
           "# drawbridge-rules(5) describes the rule language. Before a change goes live:\n"
           "#   drawbridge rules check --strict rules.yaml\n"
           "version: 1\n"
           "approver_id: " +
           answers.at("approver_id") +
           "\n"
           "rules:\n"
           "  - name: everything-waits-for-a-person\n"
           "    when: always\n"
           "    hold: no rules are written yet\n";
}

constexpr std::string_view payees =
    "key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,state,zip\n";

}  // namespace

std::vector<Question> init_questions(std::string_view instance) {
    std::string state_dir = config::default_state_dir;
    if (!instance.empty()) state_dir += "-" + std::string(instance);
    return {
        {"service_url", "URL of the Draws Service", "", false, url, always},
        {"client_id", "Client id for the service", "", true, text_of<1, 1000>, always},
        {"client_secret", "Client secret for the service", "", true, text_of<1, 1000>, always},
        {"approver_id", "Id of the approver under whose name Drawbridge approves draws", "", false, number, always},
        {"state_dir", "Folder for the ledger and the files", state_dir, false, folder, always},
        {"witness", "Witness folder on another disk or machine, which reveals a ledger rollback, or none", "none",
         false, folder_or_none, always},
        {"timezone", "Time zone of the office", "America/New_York", false, zone, always},
        {"day_limit", "Maximum total of payments per day in dollars, or none", "", false, amount_or_none, always},
        {"payee_field", "The field of a draw that names the payee", "fieldA", false, field, always},
        {"pay_by", "Pay by ach, check or both", "ach", false, rail, always},
        {"odfi_routing_number", "Routing number of the office's bank", "", false, routing, by_ach},
        {"odfi_name", "Name of that bank", "", false, text_of<1, 23>, by_ach},
        {"origin_id", "Immediate origin that the bank assigned (9 or 10 characters)", "", false, text_of<9, 10>,
         by_ach},
        {"origin_name", "Immediate origin name: the office, in the file header", "", false, text_of<1, 23>, by_ach},
        {"company_name", "Company name that payees see", "", false, text_of<1, 16>, by_ach},
        {"company_id", "Company id that the bank assigned", "", false, text_of<1, 10>, by_ach},
        {"entry_description", "Entry description that payees see on statements", "DRAWPMT", false, text_of<1, 10>,
         by_ach},
        {"check_account", "Number of the account that checks are drawn on", "", true, account, by_check},
        {"first_check_number", "Number of the first check", "", false, number, by_check},
    };
}

std::vector<NewFile> init_files(const Answers& answers) {
    std::vector<NewFile> files = {
        {"credentials/client_id", answers.at("client_id") + "\n", true},
        {"credentials/client_secret", answers.at("client_secret") + "\n", true},
        {"rules.yaml", rules(answers), false},
        {"payees.csv", std::string(payees), true},
    };
    if (by_check(answers)) {
        files.push_back({"credentials/check_account", answers.at("check_account") + "\n", true});
        files.push_back({"layouts/issue-csv.yaml", std::string(issue_layout()), false});
    }
    // Written last: an interrupted init leaves no drawbridge.yaml.
    files.push_back({"drawbridge.yaml", configuration(answers), false});
    return files;
}

}  // namespace drawbridge::cli
