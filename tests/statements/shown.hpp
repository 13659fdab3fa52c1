// Shows a file as text: its facts, then one line per confirmation, or its errors.
#pragma once

#include <string>
#include <string_view>

#include "drawbridge/statements/read.hpp"

namespace drawbridge::statements {

inline std::string shown(const Confirmation& c) {
    const std::string amount = c.amount_source == AmountSource::line      ? c.amount.to_string()
                               : c.amount_source == AmountSource::payment ? "the payment's amount"
                                                                          : "no amount";
    std::string text = std::to_string(c.line) + " " + std::string(to_string(c.kind)) + " " + amount + " " + c.currency +
                       " " + format_date(c.date);
    for (const Reference& reference : c.references)
        text += " " + std::string(to_string(reference.kind)) + "=" + reference.text;
    if (c.references.empty() && !c.payment_reference.empty()) text += " " + c.payment_reference;
    if (!c.reason_code.empty()) text += " " + c.reason_code;
    if (!c.corrected_data.empty()) text += " corrected='" + c.corrected_data + "'";
    if (!c.payee_name.empty()) text += " payee='" + c.payee_name + "'";
    if (!c.note.empty()) text += " note='" + c.note + "'";
    return text + "\n";
}

inline std::string shown(std::string_view bytes, std::string_view file_name, const ReadOptions& options = {}) {
    std::string lines;
    const auto read = read_statement(bytes, file_name, options, [&](const Confirmation& c) { lines += shown(c); });
    if (!read) return text::to_string(read.error());
    std::string facts = std::string(to_string(read->format));
    if (!read->profile.empty()) facts += " by " + read->profile;
    facts += " '" + read->bank_file_id + "' " + (read->date ? format_date(*read->date) : "-") + ": " +
             std::to_string(read->lines) + " lines, paid " + read->paid.to_string() + ", returned " +
             read->returned.to_string() + "\n";
    return facts + lines;
}

// Of an XML file: one line per confirmation, or its errors.
inline std::string lines_of(const std::string& bytes, const ReadOptions& options = {}) {
    const std::string text = shown(bytes, "s.xml", options);
    return text.starts_with("s.xml") ? text : text.substr(text.find('\n') + 1);
}

}  // namespace drawbridge::statements
