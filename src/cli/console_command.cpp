// `drawbridge console open`, and the passkeys of people: `drawbridge people invite ID --reason …`, `keys`, `lock-key`.
#include "call_api.hpp"
#include "commands.hpp"
#include "drawbridge/admin/session_record.hpp"
#include "drawbridge/app/programs.hpp"
#include "parser.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

// What is behind the # never reaches a server's log: the page itself hands it in.
std::string link_to(const json& answer, const std::string& page) {
    return answer["origin"].get<std::string>() + "/" + page + "#" + answer["code"].get<std::string>();
}

void show_keys(const json& answer) {
    Table keys({{"FINGERPRINT", Align::left},
                {"PERSON", Align::right},
                {"STATE", Align::left},
                {"LABEL", Align::left},
                {"ENROLLED", Align::left},
                {"INVITED BY", Align::left},
                {"CONFIRMED BY", Align::left},
                {"LAST SIGNED", Align::left}});
    for (const auto& key : answer["passkeys"]) {
        keys.add({plain(key["fingerprint"]), plain(key["person_id"]), plain(key["state"]), plain(key["label"]),
                  moment(key["enrolled_at"]), plain(key["invited_by"]), plain(key["confirmed_by"]),
                  moment(key["last_signed_at"])});
    }
    if (keys.empty())
        return print_line("nobody has a passkey yet: invite a person with `drawbridge people invite ID --reason …`");
    keys.print();
}

void show_sessions(const json& answer) {
    Table table({{"SESSION"}, {"BY"}, {"HOW"}, {"SINCE"}, {"LAST USED"}, {"FROM"}});
    for (const auto& one : records_in<records::Session>(answer["sessions"])) {
        table.add({plain(one.id), plain(one.by), plain(one.how) + (one.read_only ? ", only reads" : ""),
                   moment(one.opened_at), moment(one.last_used_at), plain(one.address)});
    }
    if (table.empty()) return print_line("no open session");
    table.print();
}

}  // namespace

void add_console(Parser& parser) {
    CLI::App& console = *parser.app.add_subcommand("console", "the web console");
    console.require_subcommand(1);
    console.fallthrough();
    auto& open = parser.add(console, "open", "print a link to a read-only session of the console; it works once",
                            "console open", console_open_command);
    parser.reason_if_any(open);
    parser.json(open);
}

void add_passkeys(Parser& parser, CLI::App& people) {
    Options& options = parser.options;
    auto& invite = parser.add(people, "invite", "print a link with which a person enrolls a passkey",
                              "people invite 3 --reason \"new laptop\"", people_invite_command);
    invite.add_option("PERSON", options.id, "the person's number, as `people list` shows it")->required()->check(is_id);
    parser.reason(invite);
    parser.json(invite);
    parser.json(
        parser.add(people, "keys", "every passkey, its owner and its state", "people keys", people_keys_command));
    parser.json(parser.add(people, "sessions",
                           "open sessions of the web console: everybody's for an admin, otherwise your own",
                           "people sessions", people_sessions_command));
    auto& end =
        parser.add(people, "end-session", "end a session of the web console at once",
                   "people end-session 3fGq9aZk --reason \"left open in the lobby\"", people_end_session_command);
    end.add_option("SESSION", options.name, "as `people sessions` shows it")->required();
    parser.reason(end);
    parser.json(end);
    auto& lock = parser.add(people, "lock-key", "lock a passkey at once and for good",
                            "people lock-key 0f3a5c7e9b1d2f4a6c8e --reason \"laptop stolen\"", people_lock_key_command);
    lock.add_option("FINGERPRINT", options.name, "as `people keys` shows it")->required();
    parser.reason(lock);
    parser.json(lock);
}

int console_open_command(const Options& options) {
    const std::string reason = options.reason.empty() ? "a look at the console" : options.reason;
    return act(options, "/console/link", [](const json& answer) { return link_to(answer, "open"); },
               {{"reason", reason}});
}

int people_invite_command(const Options& options) {
    const auto answer =
        call_api(options, "POST", "/people/" + std::to_string(options.id) + "/invite", {{"reason", options.reason}});
    if (!answer) return answer.error();
    if (options.json) {
        print_json(*answer);
        return app::exit_ok;
    }
    print_line(link_to(*answer, "enroll"));
    print_line("Hand it to the person alone. It works once, until " + moment((*answer)["expires"]) +
               " or a restart of the daemon" +
               "; then an admin who is neither you nor that person confirms the passkey's fingerprint: drawbridge "
               "people confirm FINGERPRINT --reason …");
    return app::exit_ok;
}

int people_keys_command(const Options& options) {
    return show_answer(options, "/passkeys", show_keys);
}

int people_sessions_command(const Options& options) {
    return show_answer(options, "/sessions", show_sessions);
}

int people_end_session_command(const Options& options) {
    return act(options, "/sessions/" + percent_encoded(options.name) + "/end",
               [&](const json&) { return "session " + options.name + ": ended"; });
}

int people_lock_key_command(const Options& options) {
    return act(options, "/passkeys/" + percent_encoded(options.name) + "/lock",
               [&](const json&) { return "passkey " + options.name + ": locked"; });
}

}  // namespace drawbridge::cli
