#include "drawbridge/pages/html.hpp"

#include "drawbridge/domain/web_address.hpp"
#include "drawbridge/text/sanitize.hpp"

namespace drawbridge::pages {

std::optional<Link> Link::local(std::string_view path) {
    if (path.empty() || path[0] != '/' || path.size() > 2000) return std::nullopt;
    if (path.size() > 1 && path[1] == '/') return std::nullopt;
    for (const char c : path) {
        if (c <= ' ' || c == '\\' || static_cast<unsigned char>(c) >= 0x7F) return std::nullopt;
    }
    Link link;
    link.path_ = path;
    return link;
}

Link Link::here(std::string_view fragment) {
    return Link().at(fragment);
}

Link Link::operator/(std::string_view segment) const {
    Link link = *this;
    if (!link.path_.ends_with('/')) link.path_ += '/';
    // A browser would take these two, encoded or not, for the folder and the one above it.
    if (segment == "." || segment == "..") segment = "-";
    link.path_ += percent_encoded(segment);
    return link;
}

Link Link::with(std::string_view key, std::string_view value) const {
    if (value.empty()) return *this;
    Link link = *this;
    link.path_ += link.path_.find('?') == std::string::npos ? '?' : '&';
    link.path_ += percent_encoded(key);
    link.path_ += '=';
    link.path_ += percent_encoded(value);
    return link;
}

Link Link::at(std::string_view fragment) const {
    Link link = *this;
    link.path_ += '#';
    link.path_ += percent_encoded(fragment);
    return link;
}

void Attribute::set(std::string_view value) {
    escaped_ = text::for_html(value);
}

void Attribute::append_to(std::string& markup) const {
    if (name_.empty()) return;
    markup += ' ';
    markup += name_;
    if (!escaped_) return;
    markup += "=\"";
    markup += *escaped_;
    markup += '"';
}

void Html::append_text(std::string_view text) {
    markup_ += text::for_html(text);
}

Html Html::with_lines(std::string_view text) {
    Html html;
    while (true) {
        const auto end = text.find('\n');
        auto line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        html.append_text(line);
        if (end == std::string_view::npos) return html;
        html.markup_ += '\n';
        text.remove_prefix(end + 1);
    }
}

ElementWriter::ElementWriter(Tag tag, std::initializer_list<Attribute> attributes, std::size_t content_bytes)
    : tag_(tag) {
    auto& markup = html_.markup_;
    markup.reserve(content_bytes + 2 * tag.name().size() + 16);
    markup += '<';
    markup += tag.name();
    for (const auto& attribute : attributes)
        attribute.append_to(markup);
    markup += '>';
}

Html ElementWriter::finish() {
    if (!tag_.is_void()) {
        html_.markup_ += "</";
        html_.markup_ += tag_.name();
        html_.markup_ += '>';
    }
    return std::move(html_);
}

Html module_script(const Link& asset) {
    Html html;
    html.markup_ = "<script type=\"module\" src=\"" + text::for_html(asset.text()) + "\"></script>";
    return html;
}

std::string document(const Html& html) {
    return "<!doctype html>\n" + html.markup_ + "\n";
}

}  // namespace drawbridge::pages
