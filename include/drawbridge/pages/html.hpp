// HTML from values. The only markup there is comes from the functions below: a text that becomes part of a page is
// always escaped, the names of elements and attributes are literals that the compiler checks, and an address is a Link.
//
// So code that would put markup, a script or an address from outside into a page does not compile. Never add a way to
// pass markup through as text.
#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/ascii.hpp"

namespace drawbridge::pages {

// A page of this console: "/draws/17?state=held". Never another host, never another scheme.
class LocalPath {
  public:
    consteval LocalPath(const char* path) : path_(path) {  // NOLINT(google-explicit-constructor): a literal
        if (path_.empty() || path_[0] != '/') throw "a link begins with /";
        if (path_.size() > 1 && (path_[1] == '/' || path_[1] == '\\')) throw "a link names no host";
    }
    [[nodiscard]] constexpr std::string_view text() const { return path_; }

  private:
    std::string_view path_;
};

class Link {
  public:
    explicit Link(LocalPath path) : path_(path.text()) {}
    // What the daemon or a form says; nullopt: not a path of this console.
    [[nodiscard]] static std::optional<Link> local(std::string_view path);
    // A place on the same page.
    [[nodiscard]] static Link here(std::string_view fragment);

    // One more segment, percent-encoded.
    [[nodiscard]] Link operator/(std::string_view segment) const;
    // One more parameter, percent-encoded. An empty value adds nothing.
    [[nodiscard]] Link with(std::string_view key, std::string_view value) const;
    [[nodiscard]] Link at(std::string_view fragment) const;
    [[nodiscard]] const std::string& text() const { return path_; }

  private:
    Link() = default;
    std::string path_;
};

namespace detail {

constexpr bool is_name(std::string_view name) {
    if (name.empty()) return false;
    for (const char c : name) {
        if (!is_letter_or_digit(c) && c != '-') return false;
    }
    return true;
}

template <std::size_t N>
constexpr bool is_one_of(std::string_view name, const std::string_view (&names)[N]) {
    for (const auto one : names) {
        if (one == name) return true;
    }
    return false;
}

inline constexpr std::string_view addresses[] = {"href", "src", "action", "formaction"};
inline constexpr std::string_view forbidden_tags[] = {"script", "style", "iframe", "object", "embed", "base"};
inline constexpr std::string_view forbidden_attributes[] = {"style", "srcdoc", "srcset", "ping", "data", "background"};
inline constexpr std::string_view void_tags[] = {"br", "hr", "img", "input", "link", "meta", "wbr", "col"};

}  // namespace detail

class Tag {
  public:
    consteval Tag(const char* name) : name_(name) {  // NOLINT(google-explicit-constructor): a literal
        if (!detail::is_name(name_)) throw "no name of an element";
        if (detail::is_one_of(name_, detail::forbidden_tags)) throw "an element that a page must not have";
        is_void_ = detail::is_one_of(name_, detail::void_tags);
    }
    [[nodiscard]] constexpr std::string_view name() const { return name_; }
    [[nodiscard]] constexpr bool is_void() const { return is_void_; }

  private:
    std::string_view name_;
    bool is_void_ = false;
};

// The name of an attribute that takes a text: not a script, a style or an address.
class AttributeName {
  public:
    consteval AttributeName(const char* name) : name_(name) {  // NOLINT(google-explicit-constructor): a literal
        if (!detail::is_name(name_)) throw "no name of an attribute";
        if (name_.starts_with("on")) throw "scripts are in modules, not in attributes";
        if (detail::is_one_of(name_, detail::addresses)) throw "an address is a Link";
        if (detail::is_one_of(name_, detail::forbidden_attributes)) throw "an attribute that a page must not have";
    }
    [[nodiscard]] constexpr std::string_view text() const { return name_; }

  private:
    std::string_view name_;
};

class AddressName {
  public:
    consteval AddressName(const char* name) : name_(name) {  // NOLINT(google-explicit-constructor): a literal
        if (!detail::is_one_of(name_, detail::addresses)) throw "no attribute that takes an address";
    }
    [[nodiscard]] constexpr std::string_view text() const { return name_; }

  private:
    std::string_view name_;
};

template <class T>
concept Text = std::convertible_to<const T&, std::string_view>;

class Attribute {
  public:
    template <Text T>
    Attribute(AttributeName name, const T& value) : name_(name.text()) {
        set(std::string_view(value));
    }
    // There when `is_set`, without a value.
    template <std::same_as<bool> B>
    Attribute(AttributeName name, B is_set) : name_(is_set ? name.text() : std::string_view()) {}
    // Not there without a value.
    Attribute(AttributeName name, const std::optional<std::string>& value)
        : name_(value ? name.text() : std::string_view()) {
        if (value) set(*value);
    }
    Attribute(AddressName name, const Link& link) : name_(name.text()) { set(link.text()); }
    void append_to(std::string& markup) const;

  private:
    void set(std::string_view value);
    std::string_view name_;  // empty: not there
    std::optional<std::string> escaped_;
};

// A piece of a page: markup that this module made, and text that it escaped.
class Html {
  public:
    Html() = default;
    template <Text T>
    Html(const T& text) {  // NOLINT(google-explicit-constructor): text is a child like any other
        append_text(std::string_view(text));
    }
    // Text that keeps its lines, for <pre> and <textarea>.
    [[nodiscard]] static Html with_lines(std::string_view text);

    Html& operator+=(const Html& more) {
        markup_ += more.markup_;
        return *this;
    }
    [[nodiscard]] bool empty() const { return markup_.empty(); }
    [[nodiscard]] const std::string& markup() const { return markup_; }

  private:
    friend class ElementWriter;
    friend Html module_script(const Link& asset);
    friend std::string document(const Html& html);
    void append_text(std::string_view text);
    std::string markup_;
};

class ElementWriter {
  public:
    ElementWriter(Tag tag, std::initializer_list<Attribute> attributes, std::size_t content_bytes);
    void add(const Html& child) { html_.markup_ += child.markup(); }
    [[nodiscard]] Html finish();

  private:
    Tag tag_;
    Html html_;
};

// <tag attributes>children</tag>
template <std::convertible_to<Html>... Children>
[[nodiscard]] Html el(Tag tag, std::initializer_list<Attribute> attributes, const Children&... children) {
    ElementWriter writer(tag, attributes, 0);
    (writer.add(children), ...);
    return writer.finish();
}
template <std::convertible_to<Html>... Children>
[[nodiscard]] Html el(Tag tag, const Children&... children) {
    return el(tag, std::initializer_list<Attribute>{}, children...);
}

// One after the other.
template <std::convertible_to<Html>... Children>
[[nodiscard]] Html group(const Children&... children) {
    Html all;
    ((all += children), ...);
    return all;
}

// An ES module of this console; the only kind of script there is.
[[nodiscard]] Html module_script(const Link& asset);
// The whole page.
[[nodiscard]] std::string document(const Html& html);

}  // namespace drawbridge::pages
