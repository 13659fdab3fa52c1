// What the recorded delivery steps of a file mean, and what the files found on the bank's server mean. Every decision
// to upload a file, or to upload it again, is made here.
//
// A file is uploaded under a temporary name, checked, and renamed. The rename is sent only after the step `uploaded` is
// recorded. An upload without that step never had the final name, and one with it may have. `unknown` is like it.
#pragma once

#include <boost/describe/enum.hpp>
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
    failed,       // nothing has the final name: the file may be uploaded again
    uploaded,     // complete on the server under its temporary name; it may be renamed from now on
    refused,      // the server refused the rename: the upload still has its temporary name
    unknown,      // the rename, or a whole upload, was sent and not answered: the bank may have taken it
    unreachable,  // the server could not be queried; nothing was sent
    damaged,      // the upload still has its temporary name but is incomplete: it may be uploaded again
    conflict,     // the server has a different file of that name: a person decides
    uncertain,    // the server has neither name, and the bank may have taken the file: a person decides
    again,        // a person confirms that the bank does not have it
    delivered,    // the bank has it, by our upload or as a person confirms
};
[[nodiscard]] std::string_view to_string(DeliveryStep step);  // "unreachable"
[[nodiscard]] std::optional<DeliveryStep> parse_delivery_step(std::string_view text);

// The evidence that the bank has a file.
enum class EvidenceKind {
    sftp,          // our upload: the bank's server has the file under its name
    by_hand,       // a person's statement
    acknowledged,  // the bank's acknowledgment: the file's number of payments and total
};
BOOST_DESCRIBE_ENUM(EvidenceKind, sftp, by_hand, acknowledged)
[[nodiscard]] std::string_view to_string(EvidenceKind kind);  // "by_hand"
[[nodiscard]] std::optional<EvidenceKind> parse_evidence_kind(std::string_view text);

struct DeliveryFact {
    DeliveryStep step = DeliveryStep::intent;
    Instant at;
    std::string by;
    std::optional<std::int64_t> uid{};           // of `by`; empty: the daemon itself
    EvidenceKind evidence = EvidenceKind::sftp;  // for `delivered`; part of the file's evidence
    std::string server{};                        // for an intent: "sftp://payer@bank.example:22/inbox"
    std::string temporary_name{};                // for an intent
    std::optional<std::uint64_t> size_bytes{};   // of the file; for an intent
    std::string detail{};                        // for people
    friend bool operator==(const DeliveryFact&, const DeliveryFact&) = default;
};

enum class DeliveryPhase {
    waiting,       // to be uploaded
    uploading,     // an upload began, and its end is not recorded: after a restart, query the server first
    unconfirmed,   // uploaded, perhaps renamed or taken: query the server before anything else
    needs_person,  // a conflict, or uncertain
    delivered,
};
[[nodiscard]] std::string_view to_string(DeliveryPhase phase);  // "needs_person"

struct DeliveryState {
    DeliveryPhase phase = DeliveryPhase::waiting;
    // These two belong to the newest upload; empty: none began.
    std::string server, temporary_name;
    std::optional<std::uint64_t> size_bytes;
    int uploads = 0;                // uploads that began
    int failures = 0;               // in a row, since the last successful step
    Instant since;                  // of the newest step
    std::string last_problem;       // of the newest failed step; empty once delivered
    std::string delivered_by = {};  // who recorded it: the daemon, or a person who delivered it by hand
    friend bool operator==(const DeliveryState&, const DeliveryState&) = default;
};
// Derived from the steps in order.
[[nodiscard]] DeliveryState delivery_state(const std::vector<DeliveryFact>& facts);

// Unique for each upload of a file. No pattern that matches the file's own name matches it.
[[nodiscard]] std::string temporary_name(std::string_view name, int upload);
// When to retry after this many failures in a row: `base`, doubled each time, up to 15 minutes.
[[nodiscard]] std::chrono::milliseconds delivery_wait(int failures, std::chrono::milliseconds base);

struct RemoteFile {
    std::uint64_t size = 0;
    std::string sha256;  // empty: the server does not allow reading it, or it is too large to read back
    friend bool operator==(const RemoteFile&, const RemoteFile&) = default;
};

enum class DeliveryVerdict {
    upload,        // the file is not there
    rename,        // it is complete under its temporary name
    delivered,     // it is there
    upload_again,  // the file under the temporary name is incomplete
    conflict,
    uncertain,
};
// Before an upload. `final_` is what the server has under the file's final name.
[[nodiscard]] DeliveryVerdict before_upload(const std::optional<RemoteFile>& final_, const RemoteFile& wanted);
// After an upload that may or may not have been renamed. Look for `temporary` first.
[[nodiscard]] DeliveryVerdict after_upload(const std::optional<RemoteFile>& temporary,
                                           const std::optional<RemoteFile>& final_, const RemoteFile& wanted);

}  // namespace drawbridge::disbursement
