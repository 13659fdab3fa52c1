#include <algorithm>
#include <charconv>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/passkeys.hpp"
#include "drawbridge/passkeys/encoding.hpp"
#include "facts/not_after.hpp"
#include "store/connection.hpp"
#include "store/like.hpp"

namespace drawbridge::ledger {
namespace {

#define ACT_COLUMNS                                                                                        \
    "SELECT act_id, at, person_id, passkey_id, request, text, client_data, authenticator_data, signature " \
    "FROM signed_act "

std::string bytes_of_act(const std::string& text) {
    return passkeys::from_base64url(text).value_or("");
}

SignedAct read_act(const Query& query) {
    SignedAct act;
    std::string client_data, authenticator_data, signature;
    query.read(act.act_id, act.at, act.person_id, act.passkey_id, act.request, act.text, client_data,
               authenticator_data, signature);
    act.assertion = {bytes_of_act(client_data), bytes_of_act(authenticator_data), bytes_of_act(signature)};
    return act;
}

// The file of a release: its row must be what the text says.
void check_console_releases(Ledger& ledger, InvariantResult& result) {
    Query query(ledger,
                R"sql(
        SELECT f.name, f.sha256, f.payment_count, f.total_cents, s.text, s.act_id, e.export_no, x.text
        FROM payment_file f
        LEFT JOIN export_record e ON e.file_id = f.file_id
        LEFT JOIN export_act a ON a.export_no = e.export_no
        LEFT JOIN signed_act x ON x.act_id = a.act_id AND x.request = 'POST /files/' || f.name || '/release'
            AND x.person_id = f.release_uid - 4294967296
        LEFT JOIN signed_act s ON s.request = 'POST /files/' || f.name || '/release'
            AND s.person_id = f.release_uid - 4294967296
            AND s.act_id = (SELECT max(n.act_id) FROM signed_act n WHERE n.request = s.request
            AND n.person_id = s.person_id AND )sql" NOT_AFTER("n.at", "f.release_ordered_at") R"sql()
        WHERE f.release_uid >= 4294967296 AND f.release_ordered_at IS NOT NULL)sql");
    while (query.next()) {
        ++result.checked;
        const auto [file, sha256, payments, total, text, act_id, export_no, act_of_export] =
            query.row<std::string, std::string, std::int64_t, Money, std::string, std::optional<std::int64_t>,
                      std::optional<std::int64_t>, std::string>();
        if (!act_id) {
            result.violations.push_back("file " + file + " was released in the console without a signature");
            continue;
        }
        if (export_no && line_of_act(act_of_export, "sha256") != sha256) {
            result.violations.push_back("export " + std::to_string(*export_no) + " (" + file +
                                        ") names no signed act that releases this file");
        }
        if (line_of_act(text, "sha256") == sha256 && line_of_act(text, "payments") == std::to_string(payments) &&
            line_of_act(text, "total") == total.to_string()) {
            continue;
        }
        result.violations.push_back("file " + file + " is not the one that act " + std::to_string(*act_id) +
                                    " releases: its hash, count or total differ");
    }
}

// The counter at its newest sign-in or its enrollment. Each sign-in has a greater one than those before.
std::uint32_t last_audited_counter(Ledger& ledger, const Passkey& passkey) {
    std::string words = words_of_counter(passkey.fingerprint, 0);
    words.pop_back();  // the number
    Query query(ledger,
                R"sql(
        SELECT detail FROM audit
        WHERE subject = ? AND action IN ('session.opened', 'passkey.enrolled') AND detail LIKE ? ESCAPE '\'
        ORDER BY seq DESC LIMIT 1)sql",
                "person " + std::to_string(passkey.person_id), like_pattern(words));
    const auto detail = query.first<std::string>().value_or("");
    std::uint32_t counter = 0;
    if (const auto at = detail.find(words); at != std::string::npos)
        std::from_chars(detail.data() + at + words.size(), detail.data() + detail.size(), counter);
    return counter;
}

}  // namespace

std::int64_t record_signed_act(Ledger& ledger, const SignedAct& act, const Passkey& passkey, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const auto act_id = new_row(ledger, "SELECT max(act_id) FROM signed_act");
    Query(ledger,
          R"sql(
        INSERT INTO signed_act (act_id, at, person_id, passkey_id, request, text, client_data, authenticator_data,
            signature)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?))sql",
          act_id, stamp.at, passkey.person_id, passkey.passkey_id, act.request, act.text,
          passkeys::to_base64url(act.assertion.client_data), passkeys::to_base64url(act.assertion.authenticator_data),
          passkeys::to_base64url(act.assertion.signature))
        .run();
    audit(ledger, stamp, "act.signed", "act " + std::to_string(act_id),
          act.request + ", with passkey " + passkey.fingerprint);
    return act_id;
}

std::uint32_t last_signature_counter(Ledger& ledger, const Passkey& passkey) {
    Query query(ledger, ACT_COLUMNS "WHERE passkey_id = ? ORDER BY act_id DESC LIMIT 1", passkey.passkey_id);
    const auto of_act = query.next() ? passkeys::signature_counter(read_act(query).assertion.authenticator_data) : 0;
    return std::max(of_act, last_audited_counter(ledger, passkey));
}

std::optional<SignedAct> find_signed_act(Ledger& ledger, std::int64_t act_id) {
    Query query(ledger, ACT_COLUMNS "WHERE act_id = ?", act_id);
    if (!query.next()) return std::nullopt;
    return read_act(query);
}

std::vector<SignedAct> signed_acts(Ledger& ledger, std::int64_t after, int limit) {
    Query query(ledger, ACT_COLUMNS "WHERE act_id > ? ORDER BY act_id LIMIT ?", after, limit);
    std::vector<SignedAct> acts;
    while (query.next())
        acts.push_back(read_act(query));
    return acts;
}

std::int64_t count_signed_acts(Ledger& ledger) {
    Query query(ledger, "SELECT count(*) FROM signed_act");
    return query.only<std::int64_t>();
}

std::string line_of_act(std::string_view text, std::string_view key) {
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto line = text.substr(0, end);
        if (line.starts_with(key) && line.substr(key.size()).starts_with(": "))
            return std::string(line.substr(key.size() + 2));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return {};
}

std::optional<std::string> fault_in(Ledger& ledger, const SignedAct& act) {
    Query query(ledger, "SELECT algorithm, public_key, person_id FROM passkey WHERE passkey_id = ?", act.passkey_id);
    if (!query.next()) return "its passkey is not in the ledger";
    const auto [cose_number, public_key, person_id] = query.row<std::int64_t, std::string, PersonId>();
    const auto algorithm = passkeys::parse_algorithm(cose_number);
    if (!algorithm || person_id != act.person_id) return "its passkey is not that person's";
    if (!line_of_act(act.text, "person").starts_with(std::to_string(act.person_id) + " "))
        return "its text names another person";
    if (line_of_act(act.text, "request") != act.request) return "its text is about another request";
    if (line_of_act(act.text, "ledger") != ledger.ledger_id()) return "its text names another ledger";
    const passkeys::RelyingParty site{line_of_act(act.text, "site"), line_of_act(act.text, "origin")};
    const auto verified =
        passkeys::verify_assertion(act.assertion, {*algorithm, bytes_of_act(public_key)}, site, sha256(act.text));
    if (!verified) return verified.error().message;
    return std::nullopt;
}

void check_signed_acts(Ledger& ledger, InvariantResult& result) {
    std::vector<SignedAct> acts;
    {
        Query query(ledger, ACT_COLUMNS "ORDER BY act_id");
        while (query.next())
            acts.push_back(read_act(query));
    }
    for (const auto& act : acts) {
        ++result.checked;
        if (const auto fault = fault_in(ledger, act))
            result.violations.push_back("signed act " + std::to_string(act.act_id) + " does not verify: " + *fault);
    }
    check_console_releases(ledger, result);
}

}  // namespace drawbridge::ledger
