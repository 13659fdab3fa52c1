#include "drawbridge/text/yaml.hpp"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/assert.hpp"
#include "drawbridge/text/utf8.hpp"

namespace drawbridge::text {

namespace {

// Maps lines and columns (in bytes, as yaml-cpp counts) to offsets in the text.
class Places {
  public:
    explicit Places(std::string_view text) : text_(text) {
        for (std::size_t at = 0; at < text.size(); ++at) {
            if (text[at] == '\n') line_starts_.push_back(at + 1);
        }
    }

    // The text from that position on; `line` and `column` count from 0.
    [[nodiscard]] std::string_view from(int line, int column) const {
        const std::size_t at = line_starts_.at(static_cast<std::size_t>(line)) + static_cast<std::size_t>(column);
        return text_.substr(std::min(at, text_.size()));
    }

  private:
    std::string_view text_;
    std::vector<std::size_t> line_starts_ = {0};
};

// Whether the quote that opens at the front of `text` is closed before the text ends.
bool quote_ends(std::string_view text) {
    const char quote = text.front();
    for (std::size_t at = 1; at < text.size(); ++at) {
        if (quote == '"' && text[at] == '\\') {
            ++at;
        } else if (text[at] == quote) {
            if (quote == '"' || at + 1 >= text.size() || text[at + 1] != '\'') return true;
            ++at;  // '' means one '
        }
    }
    return false;
}

}  // namespace

struct YamlNode::Data {
    Kind kind = Kind::null;
    bool quoted = false;
    int line = 1, column = 1;
    std::string scalar;
    std::vector<YamlNode> items;
    std::vector<Entry> entries;
};

YamlNode::Kind YamlNode::kind() const {
    return data_ ? data_->kind : Kind::null;
}

int YamlNode::line() const {
    return data_ ? data_->line : 1;
}

int YamlNode::column() const {
    return data_ ? data_->column : 1;
}

const std::string& YamlNode::scalar() const {
    DRAWBRIDGE_ASSERT(kind() == Kind::scalar, "only a scalar has text");
    return data_->scalar;
}

bool YamlNode::is_quoted() const {
    return data_ && data_->quoted;
}

const std::vector<YamlNode>& YamlNode::items() const {
    DRAWBRIDGE_ASSERT(kind() == Kind::sequence, "only a sequence has items");
    return data_->items;
}

const std::vector<YamlNode::Entry>& YamlNode::entries() const {
    DRAWBRIDGE_ASSERT(kind() == Kind::map, "only a map has entries");
    return data_->entries;
}

// Other than a tab or a line end.
bool is_control(char c) {
    return (c >= 0 && c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
}

// Turns the parser's events into nodes. It uses events instead of yaml-cpp's own nodes because those lose duplicate
// keys, resolve aliases silently and forget quotes.
class YamlBuilder final : public YAML::EventHandler {
  public:
    YamlBuilder(std::string_view text, std::string_view file_name, Diagnostics& into)
        : places_(text), file_(file_name), into_(into) {}

    [[nodiscard]] YamlNode root() const { return root_; }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ == 2) {
            report(mark, "a second document begins here",
                   "keep one document per file and remove the other '---' lines");
        }
    }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        refuse_anchor(mark, anchor);
        if (expects_key()) {
            report(mark, "an empty key", "write the key before the ':'");
            take_key({}, mark);
            return;
        }
        YamlNode::Data data = data_at(mark, YamlNode::Kind::null);
        // Reports a missing value at its key: the parser has already read on to the next line.
        const std::string_view rest = places_.from(mark.line, mark.column);
        const bool written = rest.starts_with('~') || rest.starts_with('n') || rest.starts_with('N');
        if (!open_.empty() && open_.back().key && (!written || mark.line + 1 != open_.back().key->line)) {
            data.line = open_.back().key->line;
            data.column = open_.back().key->column;
        }
        attach(std::move(data));
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        report(mark, "aliases are not supported", "replace the '*' and its name with the value");
        if (expects_key()) {
            take_key({}, mark);
            return;
        }
        attach(data_at(mark, YamlNode::Kind::null));
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        refuse_anchor(mark, anchor);
        refuse_tag(mark, tag);
        refuse_control(mark, value);
        if (tag == "!") refuse_open_quote(mark);
        if (expects_key()) {
            take_key(value, mark);
            return;
        }
        if (tag != "!") refuse_cut(mark, value);
        YamlNode::Data data = data_at(mark, YamlNode::Kind::scalar);
        data.scalar = value;
        data.quoted = tag == "!";  // how the parser distinguishes 'quoted', "quoted" and block text from plain text
        attach(std::move(data));
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(mark, tag, anchor, YamlNode::Kind::sequence);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(mark, tag, anchor, YamlNode::Kind::map);
    }
    void OnMapEnd() override { close(); }

    void report(const YAML::Mark& mark, std::string message, std::string hint) {
        // A null mark has no position: the file as a whole.
        into_.push_back({file_, mark.is_null() ? 0 : mark.line + 1, mark.is_null() ? 0 : mark.column + 1,
                         std::move(message), std::move(hint), Severity::error});
    }

  private:
    struct Key {
        std::string text;
        int line, column;
    };
    // A collection whose end has not been read yet.
    struct Open {
        YamlNode::Data data;
        std::optional<Key> key;  // read; its value follows
        bool is_key;             // this collection is where a key must be
    };

    static YamlNode::Data data_at(const YAML::Mark& mark, YamlNode::Kind kind) {
        YamlNode::Data data;
        data.kind = kind;
        data.line = mark.line + 1;
        data.column = mark.column + 1;
        return data;
    }

    [[nodiscard]] bool expects_key() const {
        return !open_.empty() && open_.back().data.kind == YamlNode::Kind::map && !open_.back().key;
    }

    void take_key(std::string text, const YAML::Mark& mark) {
        open_.back().key = Key{std::move(text), mark.line + 1, mark.column + 1};
    }

    void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YamlNode::Kind kind) {
        refuse_anchor(mark, anchor);
        refuse_tag(mark, tag);
        const bool is_key = expects_key();
        if (is_key) report(mark, "a key must be plain text, not a list or a map", "quote it if it is text");
        open_.push_back({data_at(mark, kind), std::nullopt, is_key});
    }

    void close() {
        Open closed = std::move(open_.back());
        open_.pop_back();
        if (closed.is_key) {
            open_.back().key = Key{{}, closed.data.line, closed.data.column};
        } else {
            attach(std::move(closed.data));
        }
    }

    void attach(YamlNode::Data data) {
        YamlNode node;
        node.data_ = std::make_shared<const YamlNode::Data>(std::move(data));
        if (open_.empty()) {
            if (documents_ == 1) root_ = std::move(node);
            return;
        }
        Open& parent = open_.back();
        if (parent.data.kind == YamlNode::Kind::sequence) {
            parent.data.items.push_back(std::move(node));
            return;
        }
        DRAWBRIDGE_ASSERT(parent.key, "a value follows its key");
        parent.data.entries.push_back(
            {std::move(parent.key->text), parent.key->line, parent.key->column, std::move(node)});
        parent.key.reset();
    }

    void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
        if (anchor != YAML::NullAnchor) report(mark, "anchors are not supported", "remove the '&' and its name");
    }

    // Refuses a control character from an escape; find_bad_byte() refuses those in the file itself.
    void refuse_control(const YAML::Mark& mark, const std::string& value) {
        if (std::ranges::none_of(value, is_control)) return;
        report(mark, "an escape in double quotes makes a control character (\\b is a backspace)",
               "write a regular expression in single quotes");
    }

    void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
        if (!tag.empty() && tag != "?" && tag != "!") {
            report(mark, "tags are not supported", "remove the '!' and what follows it");
        }
    }

    // yaml-cpp silently closes an open quote at the end of the file; the rules in between would be lost.
    void refuse_open_quote(const YAML::Mark& mark) {
        const std::string_view rest = places_.from(mark.line, mark.column);
        if (rest.empty() || (rest.front() != '"' && rest.front() != '\'')) return;  // block text: | or >
        if (!quote_ends(rest)) report(mark, "this quote is not closed", "close it where the text ends");
    }

    // "Apt #5" without quotes is "Apt" and a comment. After a number, a comment is meant.
    void refuse_cut(const YAML::Mark& mark, std::string_view value) {
        std::string_view rest = places_.from(mark.line, mark.column);
        if (value.find_first_not_of("0123456789.") == std::string_view::npos || !rest.starts_with(value)) return;
        rest.remove_prefix(value.size());
        if (!rest.starts_with(" #") || rest.size() < 3 || !is_digit(rest[2])) return;
        const auto comment = rest.substr(1, rest.find_first_of(" \t\r\n,}]", 1) - 1);
        report(mark, "this text ends before '" + std::string(comment) + "', which begins a comment",
               "put the text in quotes if that belongs to it, or else a blank after the '#'");
    }

    Places places_;
    std::string file_;
    Diagnostics& into_;
    std::vector<Open> open_;
    YamlNode root_;
    int documents_ = 0;
};

namespace {

// yaml-cpp replaces bytes that are not UTF-8 and treats some control characters as the end of the file. Half a rule
// file must never pass as a complete one, nor a changed one as unchanged to whoever compares the two. Other programs
// end a line where yaml-cpp does not, so a rule could pass for a comment here and for a rule in an editor.
std::optional<Diagnostic> find_bad_byte(std::string_view text, std::string_view file_name) {
    int line = 1;
    std::size_t line_start = 0;
    for (std::size_t at = 0; at < text.size();) {
        const auto report = [&](std::string what, std::string hint) {
            return Diagnostic{
                std::string(file_name), line,           static_cast<int>(at - line_start) + 1, std::move(what),
                std::move(hint),        Severity::error};
        };
        const char c = text[at];
        const std::size_t length = utf8_length(text.substr(at));
        if (c == '\r' && !text.substr(at + 1).starts_with('\n'))
            return report("a carriage return without a line feed", "end each line with a line feed, or with both");
        if (is_control(c)) return report("a control character", "remove it");
        if (length == 0) return report("a byte that is not UTF-8", "save the file as UTF-8");
        if (const auto character = utf8_character(text.substr(at)); c != '\t' && c != '\r' && c != '\n') {
            const auto code = fmt::format("U+{:04X}", static_cast<unsigned>(character));
            if (shows_nothing(character)) return report(code + ", a character that shows nothing", "remove it");
            if (is_unprintable(character))
                return report(code + ", a control character or line end that other programs read otherwise",
                              "remove it");
        }
        at += length;
        if (c == '\n') {
            ++line;
            line_start = at;
        }
    }
    return std::nullopt;
}

}  // namespace

std::expected<YamlNode, Diagnostics> parse_yaml(std::string_view text, std::string_view file_name) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (auto bad = find_bad_byte(text, file_name)) return std::unexpected(Diagnostics{std::move(*bad)});
    Diagnostics diagnostics;
    YamlBuilder builder(text, file_name, diagnostics);
    try {
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        if (parser.HandleNextDocument(builder)) parser.HandleNextDocument(builder);
    } catch (const YAML::DeepRecursion& error) {
        diagnostics.clear();
        builder.report(error.mark, "lists and maps are nested too deeply", "check the brackets before this position");
    } catch (const YAML::ParserException& error) {
        // Errors before this one may come from the parser's confusion, not from the writer.
        diagnostics.clear();
        builder.report(error.mark, "not valid YAML: " + error.msg, "check the indentation, quotes and brackets here");
    }
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    // Not quoted: it may be a secret that somebody put in the file's place.
    if (builder.root().kind() == YamlNode::Kind::scalar) {
        return std::unexpected(
            Diagnostics{{std::string(file_name), 1, 1, "the file is a single text, not a map of keys",
                         "begin it with a key, as in 'version: 1'", Severity::error}});
    }
    return builder.root();
}

}  // namespace drawbridge::text
