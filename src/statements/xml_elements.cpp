#include "xml_elements.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/text/utf8.hpp"

namespace drawbridge::statements {
namespace {

constexpr std::size_t deepest = 64;
constexpr std::size_t largest_element = std::size_t{64} * 1024 * 1024;

}  // namespace

std::optional<std::string> declared_encoding(std::string_view text) {
    const std::string_view declaration = text.substr(0, text.find("?>"));
    const std::size_t encoding = declaration.find("encoding");
    if (!declaration.starts_with("<?xml ") || encoding == std::string_view::npos) return "";
    const std::size_t quote = declaration.find_first_of("\"'", encoding);
    if (quote == std::string_view::npos) return std::nullopt;
    const std::size_t close = declaration.find(declaration[quote], quote + 1);
    if (close == std::string_view::npos) return std::nullopt;
    return uppercase(declaration.substr(quote + 1, close - quote - 1));
}

bool is_windows1252(std::string_view encoding) {
    constexpr std::array<std::string_view, 5> names = {"ISO-8859-1", "ISO-8859-15", "LATIN1", "WINDOWS-1252", "CP1252"};
    return std::ranges::find(names, encoding) != names.end();
}

std::string_view local_name(std::string_view name) {
    const std::size_t colon = name.find(':');
    return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

XmlPath without_envelope(XmlPath path) {
    const auto document = std::ranges::find(path, "Document");
    return document == path.end() ? path : XmlPath(document, path.end());
}

class XmlVisit::Visit {
  public:
    Visit(std::string_view bytes, const XmlVisitor& visitor) : bytes_(bytes), visitor_(visitor) {}

    std::expected<bool, XmlFault> advance(std::size_t bytes) {
        if (at_ == 0 && bytes_.starts_with("\xEF\xBB\xBF")) at_ = 3;
        bytes_at_once_ = bytes;
        const std::size_t until = bytes < bytes_.size() - at_ ? at_ + bytes : bytes_.size();
        is_large_passed_ = false;
        while (at_ < until && !is_large_passed_) {
            const bool read = bytes_[at_] == '<' ? read_markup() : read_text();
            if (!read) return std::unexpected(*fault_);
        }
        if (at_ < bytes_.size()) return true;
        if (!path_.empty() || !root_seen_) {
            fail(bytes_.size(),
                 path_.empty() ? "the file contains no XML element"
                               : "the file ends inside <" + std::string(path_.back()) + ">",
                 "drop it again; it may be truncated");
            return std::unexpected(*fault_);
        }
        return false;
    }

  private:
    bool fail(std::size_t at, std::string message,
              std::string hint = "the file is damaged: ask the bank for it again") {
        count_lines(at);
        fault_ = XmlFault{line_, static_cast<int>(std::min<std::size_t>(at - line_start_ + 1, 1'000'000'000)),
                          std::move(message), std::move(hint)};
        return false;
    }

    void count_lines(std::size_t until) {
        for (; counted_ < until && counted_ < bytes_.size(); ++counted_) {
            if (bytes_[counted_] != '\n') continue;
            ++line_;
            line_start_ = counted_ + 1;
        }
    }

    bool check_utf8(std::string_view text, std::size_t offset) {
        for (std::size_t i = 0; i < text.size();) {
            const std::size_t length = text::utf8_length(text.substr(i));
            if (length == 0) return fail(offset + i, "these bytes are not UTF-8", "ask the bank for UTF-8");
            if (text[i] == '\0') return fail(offset + i, "a NUL byte");
            i += length;
        }
        return true;
    }

    bool read_text() {
        const std::size_t end = std::min(bytes_.find('<', at_), bytes_.size());
        const std::string_view text = bytes_.substr(at_, end - at_);
        if (!check_utf8(text, at_)) return false;
        if (path_.empty() && text.find_first_not_of(" \t\r\n") != std::string_view::npos)
            return fail(at_, "text outside the root element", "the file is damaged or not XML");
        if (!inside_wanted_ && !path_.empty()) text_ += text;
        at_ = end;
        return true;
    }

    bool skip_to(std::string_view close, std::string_view what) {
        const std::size_t end = bytes_.find(close, at_);
        if (end == std::string_view::npos)
            return fail(at_, std::string(what) + " that is not closed", "drop the file again; it may be truncated");
        if (!check_utf8(bytes_.substr(at_, end - at_), at_)) return false;
        at_ = end + close.size();
        return true;
    }

    bool read_markup() {
        const std::string_view rest = bytes_.substr(at_);
        if (rest.starts_with("<!--")) return skip_to("-->", "a comment");
        if (rest.starts_with("<![CDATA[")) {
            if (path_.empty()) return fail(at_, "text outside the root element");
            constexpr std::size_t opening = std::string_view("<![CDATA[").size();
            const std::size_t from = at_ + opening;
            if (!skip_to("]]>", "a CDATA section")) return false;
            const std::size_t until = at_ - std::string_view("]]>").size();
            if (!inside_wanted_) text_ += bytes_.substr(from, until - from);
            return true;
        }
        if (rest.starts_with("<!"))
            return fail(at_, "a DOCTYPE or another declaration", "bank files have none, and it may be an attack");
        if (rest.starts_with("<?")) return read_instruction();
        if (rest.starts_with("</")) return read_end();
        return read_begin();
    }

    bool read_instruction() {
        const std::size_t from = at_;
        if (!skip_to("?>", "a processing instruction")) return false;
        const auto name = declared_encoding(bytes_.substr(from, at_ - from));
        if (!name) return fail(from, "an XML declaration that cannot be read");
        if (name->empty() || *name == "UTF-8" || *name == "UTF8" || *name == "US-ASCII" || *name == "ASCII")
            return true;
        if (is_windows1252(*name)) return true;  // its reader converts it
        return fail(from, "the file is written in '" + *name + "'", "ask the bank for UTF-8");
    }

    // Finds the end of the tag that begins at at_: its '>' outside quotes.
    std::optional<std::size_t> tag_end() {
        char quote = '\0';
        for (std::size_t i = at_ + 1; i < bytes_.size(); ++i) {
            const char c = bytes_[i];
            if (quote != '\0') {
                if (c == quote) quote = '\0';
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == '>') {
                return i;
            } else if (c == '<') {
                break;
            }
        }
        fail(at_, "a tag that is not closed", "drop the file again; it may be truncated");
        return std::nullopt;
    }

    bool read_begin() {
        const auto end = tag_end();
        if (!end) return false;
        const std::string_view tag = bytes_.substr(at_ + 1, *end - at_ - 1);
        if (!check_utf8(tag, at_ + 1)) return false;
        const std::string_view name = tag.substr(0, std::min(tag.find_first_of(" \t\r\n/"), tag.size()));
        if (name.empty()) return fail(at_, "a tag without a name");
        if (path_.empty() && root_seen_)
            return fail(at_, "a second document in one file", "drop each document as a separate file");
        if (path_.size() >= deepest)
            return fail(at_, "elements nested more than " + std::to_string(deepest) + " deep",
                        "this is not a bank file");
        root_seen_ = true;
        pass_text();
        path_.push_back(local_name(name));
        names_.push_back(name);
        if (!inside_wanted_ && visitor_.wanted(path_)) {
            inside_wanted_ = path_.size();
            wanted_from_ = at_;
            count_lines(at_);
            wanted_line_ = line_;
            wanted_column_ = static_cast<int>(std::min<std::size_t>(at_ - line_start_ + 1, 1'000'000'000));
        }
        at_ = *end + 1;
        return !tag.ends_with('/') || close();
    }

    bool read_end() {
        const auto end = tag_end();
        if (!end) return false;
        std::string_view name = bytes_.substr(at_ + 2, *end - at_ - 2);
        name = name.substr(0, std::min(name.find_first_of(" \t\r\n"), name.size()));
        if (path_.empty() || names_.back() != name)
            return fail(at_, "</" + std::string(text::utf8_prefix(name, 40)) + "> closes an element that is not open");
        at_ = *end + 1;
        return close();
    }

    void pass_text() {
        if (!text_.empty()) visitor_.text(path_, text_);
        text_.clear();
    }

    bool close() {
        if (inside_wanted_ == path_.size()) {
            const std::string_view element = bytes_.substr(wanted_from_, at_ - wanted_from_);
            if (element.size() > largest_element)
                return fail(wanted_from_, "one element of more than 64 MiB", "ask the bank for smaller batches");
            inside_wanted_ = 0;
            is_large_passed_ = element.size() >= bytes_at_once_;
            visitor_.element(path_, element, wanted_line_, wanted_column_);
        } else if (inside_wanted_ == 0) {
            pass_text();
            visitor_.end(path_);
        }
        path_.pop_back();
        names_.pop_back();
        return true;
    }

    std::string_view bytes_;
    const XmlVisitor& visitor_;
    std::size_t at_ = 0;
    std::vector<std::string_view> path_;
    std::vector<std::string_view> names_;
    bool root_seen_ = false;
    std::size_t inside_wanted_ = 0;  // depth of the wanted element; 0: outside one
    std::size_t wanted_from_ = 0;
    std::size_t bytes_at_once_ = 0;
    bool is_large_passed_ = false;  // ends the slice
    int wanted_line_ = 1, wanted_column_ = 1;
    std::string text_;  // read and not passed on yet
    std::size_t counted_ = 0, line_start_ = 0;
    int line_ = 1;
    std::optional<XmlFault> fault_;
};

XmlVisit::XmlVisit(std::string_view bytes, const XmlVisitor& visitor)
    : visit_(std::make_unique<Visit>(bytes, visitor)) {}

XmlVisit::~XmlVisit() = default;

std::expected<bool, XmlFault> XmlVisit::advance(std::size_t bytes) {
    return visit_->advance(bytes);
}

std::expected<void, XmlFault> visit_xml(std::string_view bytes, const XmlVisitor& visitor) {
    if (auto whole = XmlVisit(bytes, visitor).advance(bytes.size()); !whole) return std::unexpected(whole.error());
    return {};
}

}  // namespace drawbridge::statements
