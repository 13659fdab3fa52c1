// ledger: its sealing key and its witness.
#include "secret_files.hpp"
#include "sections.hpp"

namespace drawbridge::config {
namespace {

std::optional<SealingKey> read_sealing_key(const Section& root, const Section& section, const Origin& origin) {
    const bool is_named = section.find("sealing_key_file") != nullptr || section.find("sealing_key") != nullptr;
    const auto secret = is_named ? read_secret_of(section, origin, "sealing_key_file", "sealing_key")
                                 : read_credential(root.reader(), "sealing_key", origin);
    if (!secret) return std::nullopt;
    auto key = SealingKey::parse(secret->reveal());
    if (key) return *std::move(key);
    const text::YamlNode* node = section.find("sealing_key_file");
    root.reader().error(
        node == nullptr ? 0 : node->line(), node == nullptr ? 0 : node->column(),
        (node == nullptr ? std::string("the systemd credential sealing_key") : std::string("ledger.sealing_key_file")) +
            ": " + key.error().message);
    return std::nullopt;
}

// `witness: none` means no witness, not a folder named none.
Witness read_witness(const Section& section, const Origin& origin) {
    Witness witness;
    witness.timeout = section.duration("witness_timeout");
    if (section.find("witness") == nullptr) return witness;
    const auto text = section.text("witness", "");
    witness.none_on_purpose = text == "none";
    if (!witness.none_on_purpose) witness.folder = origin.resolve(text);
    return witness;
}

}  // namespace

Ledger read_ledger(const Section& root, const Origin& origin, Release release) {
    const Section section = root.child("ledger");
    Ledger ledger{read_sealing_key(root, section, origin), read_witness(section, origin)};
    if (release == Release::automatic && !ledger.witness.folder && !ledger.witness.none_on_purpose) {
        const text::YamlNode* node = text::YamlReader::find(*root.find("pay"), "release");
        root.reader().error(
            node == nullptr ? 0 : node->line(), node == nullptr ? 0 : node->column(),
            "pay.release is auto and ledger.witness is not set: nobody would notice a ledger rollback",
            "set ledger.witness to a folder on another disk or machine, or write ledger: {witness: none}");
    }
    return ledger;
}

}  // namespace drawbridge::config
