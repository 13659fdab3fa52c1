#include "drawbridge/config/claims.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

#include "drawbridge/checks/stated_account.hpp"
#include "drawbridge/config/read_file.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/domain/web_address.hpp"
#include "drawbridge/text/yaml.hpp"
#include "secret_files.hpp"
#include "values.hpp"

namespace drawbridge::config {
namespace {

namespace fs = std::filesystem;
using disbursement::NumberRange;
using text::YamlNode;

constexpr std::size_t max_siblings = 1000;

std::vector<std::int64_t> workflows_in(const YamlNode* list) {
    std::vector<std::int64_t> workflows;
    if (list == nullptr || list->kind() != YamlNode::Kind::sequence) return workflows;
    for (const YamlNode& item : list->items()) {
        std::int64_t id = 0;
        if (item.kind() != YamlNode::Kind::scalar) continue;
        const auto& digits = item.scalar();
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
        if (error == std::errc() && end == digits.data() + digits.size()) workflows.push_back(id);
    }
    return workflows;
}

Claims::Ach ach_in(const Values& values) {
    constexpr std::size_t identification_digits = 8;  // the ninth is a check digit
    Claims::Ach ach;
    const auto odfi = values.text("ach.odfi.routing_number");
    ach.odfi_identification = odfi.substr(0, identification_digits);
    ach.origin_id = values.text("ach.origin.id");
    ach.destination = values.text("ach.destination");
    if (ach.destination.empty()) ach.destination = odfi;
    ach.file_name = values.text("ach.file_name");
    ach.file_id_modifiers = values.text("ach.file_id_modifiers");
    ach.trace_numbers = values.range("ach.trace_numbers.from", "ach.trace_numbers.to");
    return ach;
}

std::optional<Claims::Checks> checks_in(const Values& values, const Origin& origin) {
    const YamlNode* node = values.node("checks.account_number_file");
    if (node == nullptr) return std::nullopt;
    text::Diagnostics ignored;
    text::YamlReader reader("", ignored);
    const auto account = read_secret(reader, *node, "", origin, values.text("checks.account_number_file"));
    if (!account) return std::nullopt;
    return Claims::Checks{sha256_hex("checking account " + checks::bare_account(account->reveal())),
                          values.range("checks.first_number", "checks.last_number")};
}

bool overlap(const NumberRange& a, const NumberRange& b) {
    return a.from <= b.to && b.from <= a.to;
}

std::string shared_numbers(const NumberRange& a, const NumberRange& b) {
    return std::to_string(std::max(a.from, b.from)) + " to " + std::to_string(std::min(a.to, b.to));
}

std::string shared_draws(const Claims& ours, const Claims& theirs) {
    if (ours.service != theirs.service) return {};
    if (ours.workflows.empty() && theirs.workflows.empty()) return "the draws of all workflows";
    const auto& some = ours.workflows.empty() ? theirs.workflows : ours.workflows;
    const auto& other = ours.workflows.empty() ? ours.workflows : theirs.workflows;
    for (const auto id : some) {
        if (other.empty() || std::ranges::find(other, id) != other.end()) {
            return "the draws of workflow " + std::to_string(id);
        }
    }
    return {};
}

std::string ach_conflict(const Claims& ours, const Claims& theirs) {
    const auto& a = *ours.ach;
    const auto& b = *theirs.ach;
    if (a.odfi_identification == b.odfi_identification && overlap(a.trace_numbers, b.trace_numbers)) {
        return "both use trace numbers " + shared_numbers(a.trace_numbers, b.trace_numbers) + " of ODFI " +
               a.odfi_identification + ": give each its own range in ach.trace_numbers";
    }
    if (a.origin_id != b.origin_id || a.destination != b.destination) return {};
    const auto common = std::ranges::find_first_of(a.file_id_modifiers, b.file_id_modifiers);
    if (common != a.file_id_modifiers.end()) {
        return "both use file ID modifier " + std::string(1, *common) + " of origin " + a.origin_id +
               ": give each its own set in ach.file_id_modifiers";
    }
    const bool names_may_collide = a.file_name == b.file_name && !a.file_name.contains("{modifier}");
    if (names_may_collide && overlap(ours.file_numbers, theirs.file_numbers)) {
        return "both name files " + a.file_name + " with numbers " +
               shared_numbers(ours.file_numbers, theirs.file_numbers) +
               ": give each its own range in pay.file_numbers, or its own ach.file_name";
    }
    return {};
}

std::string check_conflict(const Claims& ours, const Claims& theirs) {
    const auto& a = *ours.checks;
    const auto& b = *theirs.checks;
    if (a.account_sha256 != b.account_sha256) return {};
    if (overlap(a.numbers, b.numbers)) {
        return "both use check numbers " + shared_numbers(a.numbers, b.numbers) +
               " of one account: give each its own range in checks.first_number and checks.last_number";
    }
    if (overlap(ours.file_numbers, theirs.file_numbers)) {
        return "both write files of one checking account with numbers " +
               shared_numbers(ours.file_numbers, theirs.file_numbers) +
               " in their names: give each its own range in pay.file_numbers";
    }
    return {};
}

// What the bank says about a payment of one instance may reach the other.
std::string payment_id_conflict(const Claims& ours, const Claims& theirs) {
    const bool share_odfi = ours.ach && theirs.ach && ours.ach->odfi_identification == theirs.ach->odfi_identification;
    const bool share_account =
        ours.checks && theirs.checks && ours.checks->account_sha256 == theirs.checks->account_sha256;
    if ((!share_odfi && !share_account) || !overlap(ours.payment_ids, theirs.payment_ids)) return {};
    return "both use payment ids " + shared_numbers(ours.payment_ids, theirs.payment_ids) +
           " at one bank: give each its own range in pay.payment_ids";
}

fs::path real(const fs::path& path) {
    std::error_code error;
    auto canonical = fs::weakly_canonical(path, error);
    return error ? path : canonical;
}

bool is_world_writable(const fs::path& folder) {
    struct stat status{};
    return ::stat(folder.c_str(), &status) != 0 || (status.st_mode & S_IWOTH) != 0;
}

// FOLDER/*.yaml and FOLDER/*/drawbridge.yaml.
void add_layout(const fs::path& folder, std::vector<fs::path>& files) {
    if (is_world_writable(folder)) return;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (files.size() == max_siblings) return;
        std::error_code unreadable;
        if (at->is_directory(unreadable)) {
            if (fs::exists(at->path() / "drawbridge.yaml", unreadable)) files.push_back(at->path() / "drawbridge.yaml");
        } else if (at->path().extension() == ".yaml") {
            files.push_back(at->path());
        }
    }
}

}  // namespace

// "https://Draws.example.gov:443/api/" and "https://draws.example.gov/api" are the same service.
std::string normalized_url(const std::string& url) {
    const auto address = parse_base_address(url);
    if (!address) return url;
    const bool is_here = !address->tls || address->host == "localhost" || address->host == "::1";
    const std::string host = is_here ? "127.0.0.1" : address->host;
    return (address->tls ? "https://" : "http://") + host + ":" + address->port + address->path;
}

bool is_on_this_machine(const std::string& service) {
    return service.starts_with("http://127.0.0.1:");
}

Claims claims_of(const YamlNode& root, const fs::path& file) {
    const Values values(&root);
    const Origin origin{file.parent_path()};
    Claims claims;
    claims.file = file;
    claims.service = normalized_url(values.text("service.base_url"));
    claims.state_dir = real(origin.resolve(values.text("state_dir")));
    claims.workflows = workflows_in(values.node("service.workflows"));
    claims.file_numbers = values.range("pay.file_numbers.from", "pay.file_numbers.to");
    claims.payment_ids = values.range("pay.payment_ids.from", "pay.payment_ids.to");
    if (values.node("ach") != nullptr) claims.ach = ach_in(values);
    claims.checks = checks_in(values, origin);
    return claims;
}

std::optional<Claims> claims_in(const fs::path& config_file) {
    std::error_code error;
    const fs::path file = fs::absolute(config_file, error).lexically_normal();
    const auto root = read_map(file);
    if (!root) return std::nullopt;
    auto claims = claims_of(*root, file);
    if (claims.service.empty()) return std::nullopt;
    return claims;
}

std::string conflict(const Claims& ours, const Claims& theirs) {
    if (ours.state_dir == theirs.state_dir) return {};
    if (const auto draws = shared_draws(ours, theirs); !draws.empty()) {
        return "both pay " + draws + " at " + ours.service + ": give each its own workflows in service.workflows";
    }
    const bool are_trials = is_on_this_machine(ours.service) && is_on_this_machine(theirs.service);
    if (are_trials && ours.service != theirs.service) return {};
    std::string found;
    if (ours.ach && theirs.ach) found = ach_conflict(ours, theirs);
    if (found.empty() && ours.checks && theirs.checks) found = check_conflict(ours, theirs);
    if (found.empty()) found = payment_id_conflict(ours, theirs);
    return found;
}

std::vector<fs::path> sibling_configurations(const fs::path& config_file) {
    std::error_code error;
    const fs::path file = fs::absolute(config_file, error).lexically_normal();
    const fs::path folder = file.parent_path();
    std::vector<fs::path> files;
    add_layout(folder, files);
    if (file.filename() == "drawbridge.yaml") add_layout(folder.parent_path(), files);
    std::ranges::sort(files);
    files.erase(std::ranges::unique(files).begin(), files.end());
    std::erase_if(files, [&](const fs::path& one) { return fs::equivalent(one, file, error); });
    return files;
}

}  // namespace drawbridge::config
