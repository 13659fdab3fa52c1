#include "drawbridge/rules/rule_set.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "condition_reader.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/yaml.hpp"
#include "history_reader.hpp"
#include "notes.hpp"
#include "rule_linter.hpp"

namespace drawbridge::rules {
namespace {

using text::Diagnostic;
using text::Diagnostics;
using text::YamlNode;
using text::YamlReader;

constexpr std::size_t max_name_bytes = 100;
constexpr std::size_t max_reason_bytes = 500;

// Whether `text` is a plausible email address. Only sending mail shows whether it exists.
bool is_email(std::string_view text) {
    constexpr std::size_t max_email_bytes = 254;
    const std::size_t at = text.find('@');
    if (text.size() > max_email_bytes || at == 0 || at == std::string_view::npos) return false;
    const std::string_view domain = text.substr(at + 1);
    const bool bad_character = std::ranges::any_of(text, [](char c) {
        return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F || std::string_view(",;<>()[]\"\\").contains(c);
    });
    return !bad_character && !domain.contains('@') && domain.contains('.') && !domain.starts_with('.') &&
           !domain.ends_with('.') && !domain.contains("..");
}

class RuleSetReader {
  public:
    RuleSetReader(std::string_view file_name, Diagnostics& into) : reader_(std::string(file_name), into) {}

    void read(const YamlNode& root, RuleSet& set) {
        constexpr std::string_view what = "the rule file";
        if (!reader_.check_map(root, {"version", "approver_id", "case_sensitive", "limits", "rules"}, what)) return;
        read_version(root, set);
        if (const YamlNode* node = YamlReader::find(root, "approver_id")) set.approver_id = read_approver_id(*node);
        has_approver_ = YamlReader::find(root, "approver_id") != nullptr;
        if (const YamlNode* node = YamlReader::find(root, "case_sensitive")) {
            set.case_sensitive = reader_.boolean(*node, "case_sensitive").value_or(false);
        }
        if (const YamlNode* node = YamlReader::find(root, "limits")) set.limits = read_limits(reader_, *node);
        if (const YamlNode* node = reader_.require(root, "rules", what)) read_rules(*node, set);
    }

  private:
    void read_version(const YamlNode& root, RuleSet& set) {
        const YamlNode* node = reader_.require(root, "version", "the rule file");
        if (node == nullptr) return;
        const auto version = reader_.integer(*node, "version");
        if (version && *version != 1) {
            reader_.error(*node, "version is " + std::to_string(*version), "this program reads version 1");
        }
        set.version = 1;
    }

    std::optional<std::int64_t> read_approver_id(const YamlNode& node) {
        return reader_.integer_in(node, "approver_id", 1, std::numeric_limits<std::int64_t>::max());
    }

    void read_rules(const YamlNode& node, RuleSet& set) {
        if (node.kind() != YamlNode::Kind::sequence) {
            reader_.error(node, "'rules' must be a list", "begin each rule with '- name:'");
            return;
        }
        if (node.items().empty()) reader_.warning(node, "there are no rules", "every draw will be held");
        for (const YamlNode& item : node.items())
            read_rule(item, set);
    }

    void read_rule(const YamlNode& node, RuleSet& set) {
        if (!reader_.check_map(node, {"name", "enabled", "mode", "effective", "when", "approve", "hold", "limits"},
                               "a rule")) {
            return;
        }
        Rule rule;
        rule.line = node.line();
        rule.column = node.column();
        if (const YamlNode* name = reader_.require(node, "name", "a rule")) read_name(*name, rule);
        const std::string what = rule.name.empty() ? "this rule" : "rule '" + rule.name + "'";
        const YamlNode* when = YamlReader::find(node, "when");
        if (when == nullptr) {
            reader_.error(node, what + " has no 'when'",
                          "name the draws that it applies to; 'when: always' matches every draw");
        } else if (auto condition = read_condition(reader_, *when, set.case_sensitive)) {
            rule.when = std::move(*condition);
        }
        read_use(node, rule);
        read_outcome(node, what, set, rule);
        set.rules.push_back(std::move(rule));
    }

    // Reads whether and when the rule is active.
    void read_use(const YamlNode& node, Rule& rule) {
        if (const YamlNode* enabled = YamlReader::find(node, "enabled")) {
            rule.enabled = reader_.boolean(*enabled, "enabled").value_or(true);
        }
        if (const YamlNode* mode = YamlReader::find(node, "mode")) {
            rule.shadow = mode->kind() == YamlNode::Kind::scalar && mode->scalar() == "shadow";
            if (!rule.shadow && (mode->kind() != YamlNode::Kind::scalar || mode->scalar() != "active")) {
                reader_.error(*mode, "mode must be active or shadow",
                              "'shadow' records what the rule would decide; the next rules still decide");
            }
        }
        if (const YamlNode* effective = YamlReader::find(node, "effective")) read_effective(*effective, rule);
    }

    void read_effective(const YamlNode& node, Rule& rule) {
        if (!reader_.check_map(node, {"from", "to"}, "'effective'")) return;
        if (node.entries().empty()) {
            reader_.error(node, "'effective' has no date", "write it like {from: 2026-01-01, to: 2026-12-31}");
        }
        if (const YamlNode* from = YamlReader::find(node, "from")) {
            rule.effective_from = read_date(*from, "effective.from");
        }
        if (const YamlNode* to = YamlReader::find(node, "to")) rule.effective_to = read_date(*to, "effective.to");
        if (rule.effective_from && rule.effective_to && *rule.effective_to < *rule.effective_from) {
            reader_.error(node, "'effective' ends before it begins", "swap from and to; both days are included");
        }
    }

    std::optional<BusinessDate> read_date(const YamlNode& node, const std::string& what) {
        const auto written = node.kind() == YamlNode::Kind::scalar ? parse_date(node.scalar())
                                                                   : fail(ErrorCode::invalid_input, "not a scalar");
        if (!written) {
            reader_.error(node, what + " must be a valid date", "write it like 2026-03-04");
            return std::nullopt;
        }
        return *written;
    }

    // Reads text on a single line.
    std::optional<std::string> read_line(const YamlNode& node, std::string_view what, std::size_t max_bytes) {
        auto line = reader_.text(node, what);
        if (!line) return std::nullopt;
        if (line->size() > max_bytes) {
            reader_.error(node, std::string(what) + " is longer than " + std::to_string(max_bytes) + " bytes",
                          "shorten it");
            return std::nullopt;
        }
        if (one_line(*line) != *line) {
            reader_.error(node, std::string(what) + " must be one line without spaces around it",
                          "remove line breaks, tabs and outer spaces");
            return std::nullopt;
        }
        return line;
    }

    void read_name(const YamlNode& node, Rule& rule) {
        auto name = read_line(node, "the rule's name", max_name_bytes);
        if (!name) return;
        if (text::as_seen(*name) != *name) {
            reader_.error(node, "the rule's name has a character that shows nothing, or an unusual space",
                          "write it with visible characters and single spaces: names that look alike are mixed up");
            return;
        }
        const auto earlier = std::ranges::find(names_, *name, &std::pair<std::string, int>::first);
        if (earlier != names_.end()) {
            reader_.error(node, "duplicate rule name '" + *name + "', first on line " + std::to_string(earlier->second),
                          "give each rule its own name: decisions are recorded under it");
        } else {
            names_.emplace_back(*name, node.line());
        }
        rule.name = std::move(*name);
    }

    void read_outcome(const YamlNode& node, const std::string& what, const RuleSet& set, Rule& rule) {
        const YamlNode* approve = YamlReader::find(node, "approve");
        const YamlNode* hold = YamlReader::find(node, "hold");
        if (approve == nullptr && hold == nullptr) {
            reader_.error(node, what + " has no outcome", "add 'approve: {}' or 'hold: the reason'");
        }
        if (approve != nullptr && hold != nullptr) {
            reader_.error(*hold, what + " both approves and holds", "keep one of 'approve' and 'hold'");
        }
        if (const YamlNode* limits = YamlReader::find(node, "limits")) {
            rule.limits = read_limits(reader_, *limits);
            if (approve == nullptr)
                reader_.error(*limits, what + " approves nothing, so 'limits' has no effect", "remove 'limits'");
        }
        if (approve != nullptr) read_approve(*approve, what, set, rule);
        if (hold != nullptr) {
            if (auto reason = read_line(*hold, "the reason to hold", max_reason_bytes)) {
                rule.outcome = Hold{std::move(*reason)};
            }
        }
    }

    void read_approve(const YamlNode& node, const std::string& what, const RuleSet& set, Rule& rule) {
        Approve approve;
        if (node.kind() != YamlNode::Kind::map) {
            reader_.error(node, "'approve' must be a map", "write 'approve: {}' when it needs no keys");
        } else {
            reader_.check_map(node, {"approver_id", "notes", "notify"}, "'approve'");
        }
        const YamlNode* own_approver = YamlReader::find(node, "approver_id");
        if (own_approver != nullptr) {
            approve.approver_id = read_approver_id(*own_approver).value_or(0);
        } else if (has_approver_) {
            approve.approver_id = set.approver_id.value_or(0);  // if it could not be read, that is already reported
        } else {
            reader_.error(node, what + " approves, but has no approver",
                          "add 'approver_id:' at the top of the file or inside 'approve'");
        }
        if (const YamlNode* notes = YamlReader::find(node, "notes")) {
            approve.notes = read_notes(reader_, *notes, rule.name).value_or(std::vector<NotesPiece>());
        }
        if (const YamlNode* notify = YamlReader::find(node, "notify")) read_notify(*notify, approve);
        rule.outcome = std::move(approve);
    }

    void read_notify(const YamlNode& node, Approve& approve) {
        auto addresses = reader_.texts(node, "notify");
        if (!addresses) return;
        for (std::size_t i = 0; i < addresses->size(); ++i) {
            if (is_email((*addresses)[i])) continue;
            reader_.error(node.items()[i], "notify: '" + (*addresses)[i] + "' is not an email address",
                          "write it like finance@example.gov");
        }
        approve.notify = std::move(*addresses);
    }

    YamlReader reader_;
    bool has_approver_ = false;
    std::vector<std::pair<std::string, int>> names_;
};

}  // namespace

std::expected<RuleSet, Diagnostics> parse_rules(std::string_view text, std::string_view file_name) {
    if (text.size() > max_rule_file_bytes) {
        return std::unexpected(Diagnostics{
            {std::string(file_name), 0, 0,
             fmt::format("the rule file has {} bytes, and may have {}", text.size(), max_rule_file_bytes),
             "use lists of values ('in') instead of a rule for each, and shorten comments", text::Severity::error}});
    }
    const auto root = text::parse_yaml(text, file_name);
    if (!root) return std::unexpected(root.error());
    RuleSet set;
    Diagnostics diagnostics;
    RuleSetReader(file_name, diagnostics).read(*root, set);
    if (std::ranges::count(diagnostics, text::Severity::error, &Diagnostic::severity) > 0) {
        return std::unexpected(std::move(diagnostics));
    }
    std::ranges::move(lint_rules(set, file_name), std::back_inserter(diagnostics));
    set.text = text;
    set.sha256 = sha256_hex(text);
    set.warnings = std::move(diagnostics);
    return set;
}

}  // namespace drawbridge::rules
