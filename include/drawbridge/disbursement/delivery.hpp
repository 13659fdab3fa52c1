// What the recorded steps of a file's way to the bank's server mean, and what a look at the server says of a file.
// Every decision about sending a file, or sending it again, is made here.
//
// A file is uploaded under a temporary name, checked, and renamed. The rename is sent only after the step `uploaded` is
// recorded: an upload without it never had the file's own name, one with it may have.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/time.hpp"

namespace drawbridge::disbursement {

enum class DeliveryStep {
    intent,       // an upload begins
    failed,       // nothing got the file's own name: it may be uploaded again
    uploaded,     // whole at the server, under its temporary name; from now on it may be renamed
    refused,      // the server refused the rename: the upload still has its temporary name
    unknown,      // the rename was sent and not answered
    unreachable,  // the server could not be asked; nothing was sent
    damaged,      // the upload still has its temporary name, and is not whole any more: it may be uploaded again
    conflict,     // the server has another file of that name: a person
    uncertain,    // neither name is there: the bank may have taken the file: a person
    again,        // a person says that the bank does not have it
    delivered,    // the bank has it, by our upload or by a person's word
};
[[nodiscard]] std::string_view to_string(DeliveryStep step);  // "look_failed"
[[nodiscard]] std::optional<DeliveryStep> parse_delivery_step(std::string_view text);

// How it is known that the bank has a file.
enum class EvidenceKind {
    sftp,          // our upload: the bank's server has the file under its name
    by_hand,       // a person's word
    acknowledged,  // the bank's own word: as many payments, and the same total, as in the file
};
[[nodiscard]] std::string_view to_string(EvidenceKind kind);  // "by_hand"
[[nodiscard]] std::optional<EvidenceKind> parse_evidence_kind(std::string_view text);

struct DeliveryFact {
    DeliveryStep step = DeliveryStep::intent;
    Instant at;
    std::string by;
    std::optional<std::int64_t> uid{};           // of `by`; empty: the daemon by itself
    EvidenceKind evidence = EvidenceKind::sftp;  // of `delivered`; kept in the file's evidence
    std::string server{};                        // of an intent: "sftp://payer@bank.example:22/inbox"
    std::string temporary_name{};                // of an intent
    std::optional<std::uint64_t> size_bytes{};   // of the file, with an intent
    std::string detail{};                        // for people
    friend bool operator==(const DeliveryFact&, const DeliveryFact&) = default;
};

enum class DeliveryPhase {
    waiting,       // to be uploaded
    uploading,     // an upload was begun; after a restart: it may be uploaded again
    unconfirmed,   // uploaded, perhaps renamed: the server must be asked before anything else
    needs_person,  // a conflict, or uncertain
    delivered,
};
[[nodiscard]] std::string_view to_string(DeliveryPhase phase);  // "needs_person"

struct DeliveryState {
    DeliveryPhase phase = DeliveryPhase::waiting;
    // Of the newest upload; empty: none was begun.
    std::string server, temporary_name;
    std::optional<std::uint64_t> size_bytes;
    int uploads = 0;                // that were begun
    int failures = 0;               // in a row, since the last step that went well
    Instant since;                  // of the newest step
    std::string last_problem;       // of the newest step that did not go well; empty once it is delivered
    std::string delivered_by = {};  // who recorded it: the daemon, or a person who did it by hand
    friend bool operator==(const DeliveryState&, const DeliveryState&) = default;
};
// From the steps in their order.
[[nodiscard]] DeliveryState delivery_state(const std::vector<DeliveryFact>& facts);

// No two uploads of a file share one; no pattern for the file's own name fits it.
[[nodiscard]] std::string temporary_name(std::string_view name, int upload);
// When to try again after so many failures in a row: `base`, doubled with each, up to a quarter of an hour.
[[nodiscard]] std::chrono::milliseconds delivery_wait(int failures, std::chrono::milliseconds base);

struct RemoteFile {
    std::uint64_t size = 0;
    std::string sha256;  // empty: the server does not let it be read, or it is too large to read back
    friend bool operator==(const RemoteFile&, const RemoteFile&) = default;
};

enum class DeliveryVerdict {
    upload,        // it is not there
    rename,        // it is there whole under its temporary name
    delivered,     // it is there
    upload_again,  // what is there under the temporary name is not whole
    conflict,
    uncertain,
};
// Before an upload, `final_` being what the server has under the file's own name.
[[nodiscard]] DeliveryVerdict before_upload(const std::optional<RemoteFile>& final_, const RemoteFile& wanted);
// After an upload of which it is not known whether it was renamed. `temporary` must have been looked for first.
[[nodiscard]] DeliveryVerdict after_upload(const std::optional<RemoteFile>& temporary,
                                           const std::optional<RemoteFile>& final_, const RemoteFile& wanted);

}  // namespace drawbridge::disbursement
