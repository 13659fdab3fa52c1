#include "drawbridge/reconciliation/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/text/json.hpp"

namespace drawbridge::reconciliation {
namespace {

using nlohmann::json;

constexpr const char* payments_key = "payments";

// A JSON string; bytes that are not UTF-8 become U+FFFD.
std::string quoted(const std::string& text) {
    const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
    if (std::ranges::all_of(text, is_plain)) return '"' + text + '"';
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

// Reads the members of a line strictly: a missing member or one of another type is an error, never a default.
class Reader {
  public:
    explicit Reader(const json& object) : object_(object) {}

    std::string text(const char* key) {
        const auto found = object_.find(key);
        if (found != object_.end() && found->is_string()) return found->get<std::string>();
        return missing(key), std::string();
    }
    std::int64_t integer(const char* key) {
        const auto found = object_.find(key);
        if (found != object_.end() && found->is_number_integer()) return found->get<std::int64_t>();
        return missing(key), 0;
    }
    Money money(const char* key) {
        const auto amount = Money::parse(text(key));
        if (!amount) missing(key);
        return amount.value_or(Money());
    }
    const json& object(const char* key) {
        static const json none = json::object();
        const auto found = object_.find(key);
        if (found != object_.end() && found->is_object()) return *found;
        return missing(key), none;
    }
    const json& list(const char* key) {
        static const json none = json::array();
        const auto found = object_.find(key);
        if (found != object_.end() && found->is_array()) return *found;
        return missing(key), none;
    }
    void missing(std::string_view key) {
        if (fault_.empty()) fault_ = "'" + std::string(key) + "' is missing or invalid";
    }
    [[nodiscard]] const std::string& fault() const { return fault_; }

  private:
    const json& object_;
    std::string fault_;
};

std::vector<SentPayment> read_payments(const json& list, std::string& fault) {
    std::vector<SentPayment> payments;
    payments.reserve(list.size());
    for (const auto& object : list) {
        Reader reader(object);
        payments.push_back(
            {reader.integer("payment"), reader.integer("draw"), reader.money("amount"), reader.text("reference")});
        if (fault.empty()) fault = reader.fault();
    }
    return payments;
}

NextNumbers read_numbers(const json& object, std::string& fault) {
    Reader reader(object);
    const NextNumbers numbers{reader.integer("payment_id"), reader.integer("trace_sequence"),
                              reader.integer("check_number"), reader.integer("batch_number"),
                              reader.integer("file_sequence")};
    if (fault.empty()) fault = reader.fault();
    return numbers;
}

std::string describe(const ExportLine& line) {
    return "export " + std::to_string(line.export_no) + " (" + line.file + ")";
}

// Compares one line with the ledger's own record of that export.
void compare_line(const ManifestEntry& entry, const KnownExport* known, std::vector<std::string>& faults) {
    const auto says = [&](const std::string& what) { faults.push_back(entry.place + ": " + what); };
    if (known == nullptr) {
        says(describe(entry.line) + " is not in the ledger: it is an older copy, or the export was removed");
        return;
    }
    if (known->file != entry.line.file || known->sha256 != entry.line.sha256) {
        says(describe(entry.line) + " is a different file in the ledger: " + known->file);
    } else if (known->line_sha256 != entry.hash) {
        says(describe(entry.line) +
             " differs from what the ledger released: the line, or the ledger's record of it, was changed");
    }
    if (known->from_manifest) return;  // the ledger was restored to an earlier point, so its own chain differs
    if (known->audit_head != entry.line.audit_head) {
        says("entry " + std::to_string(entry.line.audit_seq) + " of the audit trail is not the one recorded when " +
             entry.line.file + " was released: the ledger was rewritten");
    }
}

}  // namespace

void append_payment(std::string& payments, const SentPayment& payment) {
    if (!payments.empty()) payments += ',';
    fmt::format_to(std::back_inserter(payments), R"({{"payment":{},"draw":{},"amount":"{}","reference":{}}})",
                   payment.payment_id, payment.draw_id, payment.amount.to_string(), quoted(payment.reference));
}

std::string to_line(const ExportLine& line) {
    std::string payments;
    for (const auto& payment : line.payments)
        append_payment(payments, payment);
    return to_line(line, payments);
}

std::string to_line(const ExportLine& line, std::string_view payments) {
    std::string text;
    text.reserve(1000 + payments.size());
    const auto to = std::back_inserter(text);
    fmt::format_to(to, R"({{"export":{},"at":"{}","released_by":{},)", line.export_no, format_instant(line.at),
                   quoted(line.released_by));
    if (!line.act_sha256.empty()) fmt::format_to(to, R"("act_sha256":{},)", quoted(line.act_sha256));
    fmt::format_to(to, R"("ledger":{},"file":{},"kind":{},"rail":{},)", quoted(line.ledger_id), quoted(line.file),
                   quoted(line.kind), quoted(line.rail));
    fmt::format_to(to, R"("sha256":{},"creation_date":"{}","file_id_modifier":{},"prenotes":{},"total":"{}",)",
                   quoted(line.sha256), format_date(line.creation_date), quoted(line.file_id_modifier), line.prenotes,
                   line.total.to_string());
    text += R"("payments":[)";
    text += payments;
    fmt::format_to(to,
                   R"(],"next":{{"payment_id":{},"trace_sequence":{},"check_number":{},"batch_number":{},)"
                   R"("file_sequence":{}}},"audit_seq":{},"audit_head":{},"previous":{}}})",
                   line.next.payment_id, line.next.trace_sequence, line.next.check_number, line.next.batch_number,
                   line.next.file_sequence, line.audit_seq, quoted(line.audit_head), quoted(line.previous));
    return text;
}

Result<ExportLine> parse_line(std::string_view text, WithPayments with) {
    const auto object = text::parse_json(text, with == WithPayments::no ? payments_key : "");
    if (!object) return std::unexpected(object.error());
    if (!object->is_object()) return fail(ErrorCode::invalid_input, "it is not a JSON object");
    Reader reader(*object);
    ExportLine line;
    line.export_no = reader.integer("export");
    const auto at = parse_instant(reader.text("at"));
    line.at = at.value_or(Instant());
    line.released_by = reader.text("released_by");
    if (object->contains("act_sha256")) line.act_sha256 = reader.text("act_sha256");
    line.ledger_id = reader.text("ledger");
    line.file = reader.text("file");
    line.kind = reader.text("kind");
    line.rail = reader.text("rail");
    line.sha256 = reader.text("sha256");
    const auto date = parse_date(reader.text("creation_date"));
    line.creation_date = date.value_or(BusinessDate());
    line.file_id_modifier = reader.text("file_id_modifier");
    line.prenotes = reader.integer("prenotes");
    line.total = reader.money("total");
    std::string fault;
    if (with == WithPayments::yes) line.payments = read_payments(reader.list(payments_key), fault);
    line.next = read_numbers(reader.object("next"), fault);
    line.audit_seq = reader.integer("audit_seq");
    line.audit_head = reader.text("audit_head");
    line.previous = reader.text("previous");
    if (!at) reader.missing("at");
    if (!date) reader.missing("creation_date");
    if (!reader.fault().empty()) fault = reader.fault();
    if (!fault.empty()) return fail(ErrorCode::invalid_input, fault);
    return line;
}

std::string line_hash(std::string_view text) {
    return sha256_hex(text);
}

void read_manifest_line(std::string place, std::string_view text, WithPayments with, ManifestContents& contents) {
    if (auto line = parse_line(text, with)) {
        contents.entries.push_back({std::move(place), line_hash(text), *std::move(line)});
    } else {
        contents.faults.push_back(place + ": it cannot be read: " + line.error().message);
    }
}

void read_manifest(std::string_view name, std::string_view bytes, WithPayments with, ManifestContents& contents) {
    for (int number = 1; !bytes.empty(); ++number) {
        const auto end = bytes.find('\n');
        const auto text = bytes.substr(0, end);
        bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
        read_manifest_line(fmt::format("{}:{}", name, number), text, with, contents);
    }
}

std::vector<std::string> compare_manifests(const ManifestContents& manifests, const std::vector<KnownExport>& exports,
                                           std::string_view ledger_id, Manifests kept) {
    std::vector<std::string> faults = manifests.faults;
    std::map<std::int64_t, const KnownExport*> known;
    for (const auto& one : exports)
        known.emplace(one.export_no, &one);
    std::map<std::int64_t, const ManifestEntry*> seen;
    for (const auto& entry : manifests.entries) {
        if (entry.line.ledger_id != ledger_id) {
            faults.push_back(entry.place + ": " + describe(entry.line) + " belongs to another ledger, " +
                             entry.line.ledger_id.substr(0, 12));
            continue;
        }
        const auto [first, fresh] = seen.emplace(entry.line.export_no, &entry);
        if (!fresh) {
            faults.push_back(entry.place + ": " + describe(entry.line) + " is also in " + first->second->place + "");
            continue;
        }
        const auto found = known.find(entry.line.export_no);
        compare_line(entry, found == known.end() ? nullptr : found->second, faults);
    }
    // By number: the line of a file that waited for encryption may come after those of later exports.
    for (const auto& [number, entry] : seen) {
        const auto before = seen.find(number - 1);
        const bool follows = before != seen.end() ? entry->line.previous == before->second->hash
                                                  : number != 1 || entry->line.previous == ledger_id;
        if (!follows)
            faults.push_back(entry->place + ": it does not follow from the previous line: one of them was changed");
    }
    const std::int64_t newest = seen.empty() ? 0 : seen.rbegin()->first;
    for (const auto& one : exports) {
        if (!one.from_manifest && one.derived_sha256 != one.line_sha256) {
            faults.push_back("export " + std::to_string(one.export_no) + " (" + one.file +
                             "): the ledger's rows no longer match the line written at its release: the "
                             "file, a payment or the export was changed");
        }
        const bool expected = one.went_out && (kept == Manifests::beside_ledger || one.export_no < newest);
        if (expected && !seen.contains(one.export_no)) {
            faults.push_back("export " + std::to_string(one.export_no) + " (" + one.file +
                             ") is in no manifest: a line or a day's file was removed");
        }
    }
    return faults;
}

}  // namespace drawbridge::reconciliation
