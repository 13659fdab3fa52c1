// The sub-commands that protect the ledger: verify, backup, restore, ledger copy, witness init.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "call_api.hpp"
#include "drawbridge/app/programs.hpp"
#include "drawbridge/reconciliation/manifest.hpp"
#include "drawbridge/text/show.hpp"
#include "listing.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

namespace fs = std::filesystem;
using reconciliation::KnownExport;
using reconciliation::ManifestContents;

std::expected<ManifestContents, int> read_manifests(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (at->path().extension() == ".jsonl") files.push_back(at->path());
    }
    std::ranges::sort(files);
    ManifestContents contents;
    for (const auto& file : files) {
        std::ifstream in(file, std::ios::binary);
        const std::string bytes(std::istreambuf_iterator<char>(in), {});
        if (!in) error = std::make_error_code(std::errc::io_error);
        reconciliation::read_manifest(file.filename().string(), bytes, reconciliation::WithPayments::no, contents);
    }
    if (error || files.empty()) {
        print_error("drawbridge: " + folder.string() + ": " +
                    (error ? error.message() : std::string("no manifests (*.jsonl)")) +
                    ": name a folder with copies of state_dir/spool/manifests");
        return std::unexpected(app::exit_failed);
    }
    return contents;
}

std::vector<KnownExport> known_exports(const json& list) {
    std::vector<KnownExport> known;
    for (const auto& one : list) {
        known.push_back({one["export"].get<std::int64_t>(), one["file"].get<std::string>(),
                         one["sha256"].get<std::string>(), one["line_sha256"].get<std::string>(),
                         one["audit_seq"].get<std::int64_t>(), one["audit_head"].get<std::string>(),
                         one["from_manifest"].get<bool>(), one["went_out"].get<bool>(),
                         one["derived_sha256"].get<std::string>()});
    }
    return known;
}

// Adds the comparison with the manifests in the folder to the answer. Otherwise an exit code; the error is printed.
std::expected<void, int> add_manifests(const Options& options, json& answer) {
    const auto manifests = read_manifests(options.manifests);
    if (!manifests) return std::unexpected(manifests.error());
    const auto exports = call_api(options, "GET", "/exports");
    if (!exports) return std::unexpected(exports.error());
    const auto known = known_exports((*exports)["exports"]);
    const auto violations = reconciliation::compare_manifests(
        *manifests, known, (*exports)["ledger"].get<std::string>(), reconciliation::Manifests::copied);
    answer["invariants"].push_back(
        api::to_json(records::Invariant{.number = ledger::manifests_invariant,
                                        .title = "the manifests in " + options.manifests + " agree with the ledger",
                                        .checked = static_cast<std::int64_t>(known.size()),
                                        .ok = violations.empty(),
                                        .violations = violations}));
    if (!violations.empty()) answer["clean"] = false;
    return {};
}

// An audit trail entry noted earlier: "1234", or "1234:HASH" as in the daily digest.
struct NotedEntry {
    std::string number, hash;
};
NotedEntry noted_entry(const std::string& text) {
    const auto colon = text.find(':');
    if (colon == std::string::npos) return {text, ""};
    return {text.substr(0, colon), text.substr(colon + 1)};
}

// Adds to the answer whether the trail still has the noted entry.
void add_noted_entry(const NotedEntry& noted, json& answer) {
    const auto hash = answer["trail"]["hash"].get<std::string>();
    std::vector<std::string> violations;
    if (hash != noted.hash) {
        violations.push_back("entry " + noted.number + " is " + hash +
                             ": the ledger was rewritten, or this is another ledger, or the hash was copied wrong");
        answer["clean"] = false;
    }
    answer["invariants"].push_back(
        api::to_json(records::Invariant{.number = 13,
                                        .title = "entry " + noted.number + " of the audit trail is as noted",
                                        .checked = 1,
                                        .ok = violations.empty(),
                                        .violations = violations}));
}

// The daemon may see other folders than the person who asks. A folder that this person may not read says nothing.
bool is_there(const records::Backup& backup) {
    std::error_code error;
    const auto size = fs::file_size(backup.file, error);
    return error ? error != std::errc::no_such_file_or_directory : std::cmp_equal(size, backup.bytes);
}

void show_backups(const json& answer) {
    Table table(
        {{"MADE", Align::left}, {"BY", Align::left}, {"BYTES", Align::right}, {"FILE", Align::left, /*whole=*/true}});
    for (const auto& backup : records_in<records::Backup>(answer["backups"])) {
        table.add({moment(backup.at), plain(backup.by), text::grouped(backup.bytes),
                   plain(backup.file) + (is_there(backup) ? "" : " (not there, or another file)")});
    }
    if (table.empty()) return print_line("no backups yet");
    table.print();
}

}  // namespace

int backup_command(const Options& options) {
    if (options.list) return print_listing(options, {.path = "/backups", .rows = "backups", .show = show_backups});
    json body = json::object();
    if (!options.name.empty()) body["file"] = fs::absolute(options.name).lexically_normal().string();
    const auto answer = call_api(options, "POST", "/backup", body);
    if (!answer) return answer.error();
    const auto backup = api::from_json<records::Backup>((*answer)["backup"]);
    if (options.json) {
        print_json(*answer);
    } else {
        print_line(plain(backup.file) + ": " + text::grouped(backup.bytes) + " bytes, verified; sha256 " +
                   plain(backup.sha256));
    }
    if (is_there(backup)) return app::exit_ok;
    print_error("drawbridge: " + plain(backup.file) +
                ": this file is not there, or is another: the service sees other folders than you do: make the backup "
                "in another folder, or without FILE in backup.folder");
    return app::exit_failed;
}

int restore_command(const Options& options) {
    const auto restored = app::restore(options.config, options.name, options.reason);
    if (!restored) {
        print_error("drawbridge: " + restored.error().message);
        return restored.error().exit_code;
    }
    if (options.json) {
        const auto null_if_empty = [](const std::string& text) { return text.empty() ? json(nullptr) : json(text); };
        const json answer = {{"restored", options.name},
                             {"sha256", restored->sha256},
                             {"audit_seq", restored->audit_seq},
                             {"lost_acts", restored->lost_acts},
                             {"other_ledger", null_if_empty(restored->other_ledger)},
                             {"unreadable", null_if_empty(restored->unreadable)},
                             {"set_aside", null_if_empty(restored->set_aside)}};
        print_json(answer);
        return app::exit_ok;
    }
    print_line(options.name + " is now the ledger, with " + text::grouped(restored->audit_seq) +
               " entries in its audit trail");
    if (std::filesystem::exists(restored->set_aside))
        print_line("the previous ledger: " + restored->set_aside.string());
    if (!restored->other_ledger.empty()) {
        print_line("That was ledger " + restored->other_ledger.substr(0, 12) +
                   ", which never planned a payment: make sure that the backup is this office's.");
    }
    if (!restored->lost_acts.empty()) {
        print_line("It does not know " + text::counted(std::ssize(restored->lost_acts), "act") +
                   " of people since. Repeat what must still hold, then resolve each exception acts_lost:");
        for (const auto& act : restored->lost_acts)
            print_line("  " + act);
    }
    if (!restored->unreadable.empty()) {
        print_line("The previous ledger cannot be read to its end (" + restored->unreadable +
                   "): find out what people did since the backup, then resolve the exception acts_lost about it");
    }
    print_line("It is paused. Start the daemon, which compares the ledger with the service and the files sent.");
    print_line("Then: drawbridge status, drawbridge exceptions, drawbridge resume --reason ...");
    return app::exit_ok;
}

int verify_command(const Options& options) {
    const auto noted = noted_entry(options.head);
    auto answer =
        call_api(options, "GET", "/verify" + (noted.number.empty() ? "" : "?entry=" + percent_encoded(noted.number)));
    if (!answer) return answer.error();
    if (!noted.hash.empty()) add_noted_entry(noted, *answer);
    if (!options.manifests.empty()) {
        if (const auto added = add_manifests(options, *answer); !added) return added.error();
    }
    print_answer(options, *answer, show_verify);
    return (*answer)["clean"].get<bool>() ? app::exit_ok : app::exit_failed;
}

int ledger_copy_command(const Options& options) {
    const bool is_in = !options.from.empty();
    const auto copied = app::copy_ledger(options.config, is_in ? options.from : options.to,
                                         is_in ? app::CopyDirection::from_file : app::CopyDirection::to_file);
    if (!copied) {
        print_error("drawbridge: " + copied.error().message);
        return copied.error().exit_code;
    }
    print_line("copied: " + *copied);
    if (is_in) {
        print_line("Move " + options.from + " out of the state folder: only one of the two may continue.");
        print_line("The copy starts paused. Start the daemon, which compares it with the service and the files sent.");
        print_line("Then: drawbridge status, drawbridge exceptions, drawbridge resume --reason ...");
    }
    return app::exit_ok;
}

int witness_init_command(const Options& options) {
    const auto made = app::init_witness(options.config);
    if (!made) {
        print_error("drawbridge: " + made.error().message);
        return made.error().exit_code;
    }
    print_line(*made);
    return app::exit_ok;
}

}  // namespace drawbridge::cli
