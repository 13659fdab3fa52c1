// `drawbridge people`: people, their roles and links, and the changes that wait for a second person.
#include "call_api.hpp"
#include "commands.hpp"
#include "drawbridge/app/programs.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "parser.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

void show_people(const json& answer) {
    if (!answer["set_up"].get<bool>()) {
        print_line("No roles are set up. The groups of the state folder and of its inbox decide who may do what.");
    }
    Table people({{"PERSON", Align::right},
                  {"NAME", Align::left},
                  {"ROLES", Align::left},
                  {"UIDS", Align::left},
                  {"PORTAL", Align::left}});
    for (const auto& person : records_in<records::Person>(answer["people"])) {
        auto portal = person.emails;
        for (const auto& id : person.approver_ids)
            portal.push_back("approver " + plain(id));
        people.add({plain(person.id), plain(person.name), (person.locked ? "LOCKED: " : "") + joined(person.roles),
                    joined(person.uids), joined(portal)});
    }
    if (people.empty()) return print_line("no people yet: each uid counts as one person");
    people.print();
    Table waiting({{"CHANGE", Align::right},
                   {"PERSON", Align::left},
                   {"WHAT", Align::left},
                   {"PROPOSED", Align::left},
                   {"BY", Align::left},
                   {"REASON", Align::left}});
    for (const auto& change : records_in<records::ProposedChange>(answer["waiting"])) {
        waiting.add({plain(change.id), plain(change.person_id) + " " + plain(change.person), plain(change.change),
                     moment(change.proposed_at), plain(change.proposed_by), plain(change.reason)});
    }
    if (waiting.empty()) return;
    print_line("");
    print_line("Until another person runs `drawbridge people confirm CHANGE… --reason …`, these wait:");
    waiting.print();
}

int propose(const Options& options, const std::string& act, json body) {
    body["reason"] = options.reason;
    const auto answer = call_api(options, "POST", "/people/" + std::to_string(options.id) + "/" + act, body);
    if (!answer) return answer.error();
    if (options.json) {
        print_json(*answer);
        return app::exit_ok;
    }
    const std::string what = "person " + std::to_string(options.id) + ": " + plain((*answer)["change"]);
    print_line((*answer)["in_effect"].get<bool>() ? what + ": in effect"
                                                  : what + ": waits as change " + plain((*answer)["waits_as"]) +
                                                        " until another person runs: drawbridge people confirm " +
                                                        plain((*answer)["waits_as"]) + " --reason …");
    return app::exit_ok;
}

int change_link(const Options& options, const std::string& act) {
    json body = json::object();
    if (options.uid != 0) body["uid"] = options.uid;
    if (!options.email.empty()) body["email"] = options.email;
    if (options.approver_id != 0) body["approver_id"] = options.approver_id;
    if (body.size() != 1) {
        print_error("drawbridge: people " + act + ": name exactly one of --uid, --email and --approver-id");
        return app::exit_usage;
    }
    return propose(options, act, std::move(body));
}

bool is_fingerprint(const std::string& text) {
    return text.size() == 20 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// False: all is said.
bool confirm_passkey(const Options& options, app::Caller& caller, const std::string& fingerprint) {
    const auto answer = call_api(caller, "POST", "/passkeys/" + fingerprint + "/confirm", {{"reason", options.reason}});
    if (!answer) return false;
    if (options.json) {
        print_json(*answer);
    } else {
        print_line("passkey " + fingerprint + " of person " + plain((*answer)["passkey"]["person_id"]) +
                   ": confirmed: it may sign");
    }
    return true;
}

int close_changes(const Options& options, const std::string& act, const std::vector<std::int64_t>& ids) {
    app::Caller caller(options.config);
    for (const auto id : ids) {
        const auto answer =
            call_api(caller, "POST", "/people/changes/" + std::to_string(id) + "/" + act, {{"reason", options.reason}});
        if (!answer) return answer.error();
        if (options.json) {
            print_json(*answer);
        } else {
            print_line("change " + std::to_string(id) + ", " + plain((*answer)["person"]) + ": " +
                       plain((*answer)["change"]) + ": " + act + "ed");
        }
    }
    return app::exit_ok;
}

void add_person_argument(Parser& parser, CLI::App& sub) {
    sub.add_option("PERSON", parser.options.id, "the person's number, as in `people list`")->required()->check(is_id);
    parser.reason(sub);
    parser.json(sub);
}

void add_identity(Parser& parser, CLI::App& sub) {
    sub.add_option("--uid", parser.options.uid, "a numeric user id of this machine")->check(is_id);
    sub.add_option("--email", parser.options.email, "the person's email address in the Draws Service");
    sub.add_option("--approver-id", parser.options.approver_id, "the person's approver id in the Draws Service")
        ->check(is_id);
    add_person_argument(parser, sub);
}

// Validates a role. Returns the error; empty: valid.
std::string fault_in_role(const std::string& text) {
    constexpr const char* names = "viewer, auditor, finance, operator, releaser or admin";
    return ledger::parse_role(text) ? std::string() : "'" + text + "' is not a role: use " + names;
}

void add_changes_argument(Parser& parser, CLI::App& sub) {
    sub.add_option("CHANGE", parser.options.ids, "the numbers of the changes, as in `people list`")
        ->required()
        ->check(is_id);
    parser.reason(sub);
    parser.json(sub);
}

}  // namespace

void add_people(Parser& parser) {
    Options& options = parser.options;
    CLI::App& people = *parser.app.add_subcommand("people", "manage people, their roles and their logins");
    people.require_subcommand(1);
    people.fallthrough();
    parser.json(parser.add(people, "list", "list every person, and the changes that wait for confirmation",
                           "people list", people_list_command));
    auto& add = parser.add(people, "add", "add a person without roles or logins",
                           "people add \"Anna Berg\" --reason \"new in the office\"", people_add_command);
    add.add_option("NAME", options.name, "the person's name, for display only")->required();
    parser.reason(add);
    parser.json(add);
    add_identity(parser, parser.add(people, "link", "propose to link a uid, email address or approver id to a person",
                                    "people link 3 --uid 5001 --reason \"her login\"", people_link_command));
    add_identity(parser, parser.add(people, "unlink", "propose to remove such a link",
                                    "people unlink 3 --uid 5001 --reason \"login closed\"", people_unlink_command));
    auto& role = parser.add(people, "role", "propose to give a person a role, or to take it away",
                            "people role 3 operator --reason \"runs the daily cycle\"", people_role_command);
    add_person_argument(parser, role);
    role.add_option("ROLE", options.role, "viewer, auditor, finance, operator, releaser or admin")
        ->required()
        ->check(fault_in_role);
    role.add_flag("--revoke", options.revoke, "take the role away");
    add_person_argument(parser, parser.add(people, "lock", "propose to lock a person",
                                           "people lock 3 --reason \"on leave\"", people_lock_command));
    add_person_argument(parser, parser.add(people, "unlock", "propose to unlock a person",
                                           "people unlock 3 --reason \"back\"", people_unlock_command));
    auto& confirm = parser.add(people, "confirm",
                               "confirm changes that somebody else proposed and that are not about you, or passkeys "
                               "whose owners somebody else invited",
                               "people confirm 4 5 --reason \"agreed\"", people_confirm_command);
    confirm
        .add_option("CHANGE", options.to_confirm,
                    "the numbers of changes, as `people list` shows them, or the fingerprints of passkeys, as their "
                    "owners read them out")
        ->required()
        ->check([](const std::string& text) {
            if (is_fingerprint(text) || is_id(text).empty()) return std::string();
            return "'" + text +
                   "' is neither the number of a change, like 4, nor a fingerprint, which has 20 characters of 0 to 9 "
                   "and a to f";
        });
    parser.reason(confirm);
    parser.json(confirm);
    add_changes_argument(parser, parser.add(people, "reject", "reject proposed changes",
                                            "people reject 4 --reason \"wrong login\"", people_reject_command));
    add_passkeys(parser, people);
}

int people_list_command(const Options& options) {
    return show_answer(options, "/people", show_people);
}

int people_add_command(const Options& options) {
    const auto message = [](const json& answer) {
        const auto person = api::from_json<records::Person>(answer["person"]);
        return "person " + plain(person.id) + ": " + plain(person.name);
    };
    return act(options, "/people", message, {{"name", options.name}});
}

int people_link_command(const Options& options) {
    return change_link(options, "link");
}
int people_unlink_command(const Options& options) {
    return change_link(options, "unlink");
}
int people_role_command(const Options& options) {
    return propose(options, options.revoke ? "revoke" : "grant", {{"role", options.role}});
}
int people_lock_command(const Options& options) {
    return propose(options, "lock", json::object());
}
int people_unlock_command(const Options& options) {
    return propose(options, "unlock", json::object());
}
int people_confirm_command(const Options& options) {
    std::vector<std::int64_t> changes;
    app::Caller caller(options.config);
    for (const auto& what : options.to_confirm) {
        if (!is_fingerprint(what)) {
            changes.push_back(std::stoll(what));
        } else if (!confirm_passkey(options, caller, what)) {
            return app::exit_failed;
        }
    }
    return changes.empty() ? app::exit_ok : close_changes(options, "confirm", changes);
}
int people_reject_command(const Options& options) {
    return close_changes(options, "reject", options.ids);
}

}  // namespace drawbridge::cli
