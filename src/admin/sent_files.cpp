#include "sent_files.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/sent_before.hpp"

namespace drawbridge::admin {
namespace {

// An encrypted file is named after the payment file, with a suffix.
std::optional<ledger::FileRow> payment_file_of(ledger::Ledger& ledger, std::string name) {
    while (!name.empty()) {
        if (auto file = ledger::find_file(ledger, name)) return file;
        const auto point = name.rfind('.');
        name.resize(point == std::string::npos ? 0 : point);
    }
    return std::nullopt;
}

// The ledger was restored since, and recorded the file then: with these bytes, it is known.
bool was_sent_before_restore(AdminContext& context, const std::string& name) {
    if (!ledger::file_sent_before(context.ledger, name)) return false;
    const auto sha256 = context.shared.spool.outgoing_sha256(name);
    return sha256 && ledger::is_sent_file(context.ledger, name, *sha256);
}

}  // namespace

std::vector<reconciliation::Line> lines_of_sent_files(AdminContext& context,
                                                      const reconciliation::ReportSettings& settings) {
    namespace fs = std::filesystem;
    std::vector<reconciliation::Line> lines;
    std::error_code error;  // no such folder: nothing was sent
    for (const auto& entry : fs::directory_iterator(context.shared.config.state_dir / "spool" / "outgoing", error)) {
        const auto name = entry.path().filename().string();
        if (name.starts_with('.')) continue;
        const auto known = payment_file_of(context.ledger, name);
        const bool is_out =
            known && (known->state == ledger::FileState::released || known->state == ledger::FileState::releasing);
        if (is_out || was_sent_before_restore(context, name)) continue;
        reconciliation::Line line;
        line.line_class = reconciliation::LineClass::file_unknown;
        line.file_name = name;
        if (known) line.amount = known->total;
        line.since = settings.period.to;
        line.why =
            known ? "it is in outgoing/, and the ledger says that it is " + std::string(ledger::to_string(known->state))
                  : "it is in outgoing/, and no payment file of this ledger has that name";
        lines.push_back(std::move(line));
    }
    std::ranges::sort(lines, {}, &reconciliation::Line::file_name);
    return lines;
}

}  // namespace drawbridge::admin
