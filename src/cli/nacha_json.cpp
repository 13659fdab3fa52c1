#include "nacha_json.hpp"

#include <optional>
#include <utility>

#include "output.hpp"

namespace drawbridge::cli {

namespace {

using nlohmann::json;

void print(std::string_view text) {
    print_json_part(text);
}
std::string dumped(const json& value) {
    return json_text(value, -1);
}

json date(const std::optional<BusinessDate>& value) {
    return value && value->ok() ? json(format_date(*value)) : json();
}

json view(const nacha::FileHeader& header) {
    return {{"immediate_destination", header.immediate_destination},
            {"immediate_destination_name", header.immediate_destination_name},
            {"immediate_origin", header.immediate_origin},
            {"immediate_origin_name", header.immediate_origin_name},
            {"file_creation_date", date(header.file_creation_date)},
            {"file_id_modifier", std::string(1, header.file_id_modifier)},
            {"reference_code", header.reference_code}};
}

json view(const nacha::BatchHeader& header) {
    return {{"batch_number", header.batch_number},
            {"standard_entry_class_code", header.standard_entry_class_code},
            {"service_class", static_cast<int>(header.service_class)},
            {"company_name", header.company_name},
            {"company_identification", header.company_identification},
            {"company_entry_description", header.company_entry_description},
            {"effective_entry_date", date(header.effective_entry_date)},
            {"odfi_identification", header.odfi_identification}};
}

json view(const nacha::ShownEntry& entry) {
    return {{"transaction_code", entry.transaction_code},
            {"kind", entry.kind},
            {"routing_number", entry.routing_number},
            {"account", entry.account},
            {"amount", entry.amount.to_string()},
            {"identification", entry.identification},
            {"name", entry.name},
            {"trace_number", entry.trace_number},
            {"addenda", json::array()}};
}

json view(const nacha::ShownAddenda& addenda) {
    json shown = {{"type", addenda.type}, {"text", addenda.text}};
    if (!addenda.code.empty()) shown["code"] = addenda.code;
    if (!addenda.original_trace_number.empty()) shown["original_trace_number"] = addenda.original_trace_number;
    return shown;
}

json view(const nacha::Problem& problem) {
    const bool has_range = problem.position != 0 && problem.length != 0;
    return {{"line", problem.line},
            {"position", problem.position},
            {"last_position", has_range ? problem.position + problem.length - 1 : problem.position},
            {"field", problem.field},
            {"severity", problem.severity == nacha::Severity::warning ? "warning" : "error"},
            {"message", problem.message}};
}

}  // namespace

void NachaJson::begin() {
    if (!is_begun_) print("{\n");
    is_begun_ = true;
}

void NachaJson::add(const nacha::Record& record) {
    begin();
    switch (record.kind) {
        case nacha::RecordKind::file_header:
            if (has_header_ || in_contents_) begin_next_file();
            has_header_ = true;
            return print("  \"header\": " + dumped(view(nacha::file_header_of(record))) + ",\n");
        case nacha::RecordKind::batch_header: {
            end_batch();
            print(in_contents_ ? ",\n" : "  \"contents\": [\n");
            in_contents_ = in_batch_ = true;
            entries_ = 0;
            const std::string header = dumped(view(nacha::batch_header_of(record)));
            return print("    " + header.substr(0, header.size() - 1) + ", \"entries\": [");
        }
        case nacha::RecordKind::entry:
            end_entry();
            if (++entries_ <= entries_shown_) entry_ = view(masking_.entry(record));
            return;
        case nacha::RecordKind::addenda:
            if (!entry_.is_null()) entry_["addenda"].push_back(view(masking_.addenda(record)));
            return;
        case nacha::RecordKind::batch_control: return end_batch();
        case nacha::RecordKind::file_control: return;
    }
}

void NachaJson::begin_next_file() {
    end_contents();
    print(std::exchange(has_next_files_, true) ? "  },\n  {\n" : "  \"next_files\": [{\n");
}

void NachaJson::end_entry() {
    if (entry_.is_null()) return;
    print(std::string(entries_ > 1 ? "," : "") + "\n      " + dumped(entry_));
    entry_ = nullptr;
}

void NachaJson::end_batch() {
    if (!in_batch_) return;
    in_batch_ = false;
    end_entry();
    const auto left_out = entries_ > entries_shown_ ? entries_ - entries_shown_ : 0;
    print("], \"entries_left_out\": " + std::to_string(left_out) + "}");
}

// Ends the contents of the current file. Only the first file has keys after them.
void NachaJson::end_contents() {
    end_batch();
    print(std::exchange(in_contents_, false) ? "\n  ]" : "  \"contents\": []");
    print(has_next_files_ ? "\n" : ",\n");
}

void NachaJson::finish(const nacha::ReadSummary& summary) {
    begin();
    end_contents();
    if (has_next_files_) print("  }],\n");
    json problems = json::array();
    for (const auto& problem : summary.problems)
        problems.push_back(view(problem));
    const json rest = {{"valid", summary.is_valid()},
                       {"errors", summary.errors},
                       {"warnings", summary.warnings},
                       {"batches", summary.batches},
                       {"entries", summary.entries},
                       {"addenda", summary.addenda},
                       {"entry_hash", summary.entry_hash},
                       {"total_debit", summary.total_debit.to_string()},
                       {"total_credit", summary.total_credit.to_string()},
                       {"problems", std::move(problems)},
                       {"problems_left_out", summary.left_out}};
    // Without its opening brace: begin() already wrote one.
    print(json_text(rest, 2).substr(2) + "\n");
}

}  // namespace drawbridge::cli
