// archive: when archived files are sealed, and when they are deleted.
#include "sections.hpp"

namespace drawbridge::config {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::days seven_years{2557};  // including two leap days

std::optional<milliseconds> read_age(const Section& section, std::string_view key,
                                     std::optional<milliseconds> fallback) {
    const auto* node = section.find(key);
    if (node == nullptr) return fallback;
    if (node->kind() == text::YamlNode::Kind::scalar && node->scalar() == "never") return std::nullopt;
    return section.duration(key);
}

}  // namespace

Archive read_archive(const Section& root) {
    const Section section = root.child("archive");
    Archive archive;
    archive.seal_after = read_age(section, "seal_after", archive.seal_after);
    archive.delete_after = read_age(section, "delete_after", archive.delete_after);
    if (!archive.delete_after) return archive;
    const auto& node = *section.find("delete_after");
    if (*archive.delete_after < seven_years) {
        section.reader().error(node,
                               "archive.delete_after is shorter than 7 years: audits and claims need the bank's files "
                               "and the payment files as proof for that long",
                               "write at least 2557d, or never");
    } else if (!archive.seal_after) {
        section.reader().error(node,
                               "archive.delete_after is set and archive.seal_after is never: only sealed files are "
                               "deleted",
                               "set archive.seal_after, or write delete_after: never");
    } else if (*archive.delete_after <= *archive.seal_after) {
        section.reader().error(node, "archive.delete_after is not longer than archive.seal_after",
                               "make archive.delete_after the longer one");
    }
    return archive;
}

}  // namespace drawbridge::config
