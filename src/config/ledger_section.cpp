// ledger: the key that seals it.
#include "files.hpp"
#include "sections.hpp"

namespace drawbridge::config {

Ledger read_ledger(const Section& root, const Origin& origin) {
    const Section section = root.child("ledger");
    const bool is_named = section.find("sealing_key_file") != nullptr || section.find("sealing_key") != nullptr;
    const auto secret = is_named ? read_secret_of(section, origin, "sealing_key_file", "sealing_key")
                                 : read_credential(root.reader(), "sealing_key", origin);
    if (!secret) return {};
    auto key = SealingKey::parse(secret->reveal());
    if (key) return {std::move(*key)};
    const text::YamlNode* node = section.find("sealing_key_file");
    root.reader().error(
        node == nullptr ? 0 : node->line(), node == nullptr ? 0 : node->column(),
        (node == nullptr ? std::string("the systemd credential sealing_key") : std::string("ledger.sealing_key_file")) +
            ": " + key.error().message);
    return {};
}

}  // namespace drawbridge::config
