// Extracts the wanted elements of an XML document without building a tree of it, so that a reader needs the memory of
// one element, whatever the size of the file. It understands tags, comments, CDATA and processing instructions. It
// refuses a DOCTYPE, so the only entities are XML's five.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace drawbridge::statements {

struct XmlFault {
    int line = 0, column = 0;
    std::string message, hint;
};

// The encoding that the text declares, in capitals. "": none. nullopt: an XML declaration that cannot be read.
[[nodiscard]] std::optional<std::string> declared_encoding(std::string_view text);

// Whether the encoding is read as Windows-1252: in text, ISO-8859-1 is a part of it, and ISO-8859-15 differs only in
// eight characters of names.
[[nodiscard]] bool is_windows1252(std::string_view encoding);

// Without the namespace's prefix.
[[nodiscard]] std::string_view local_name(std::string_view name);

// The local names from the root to an element.
using XmlPath = std::span<const std::string_view>;

// The path from Document down: an ISO 20022 message may be in an envelope, next to its business application header
// (AppHdr). The whole path when it has no Document.
[[nodiscard]] XmlPath without_envelope(XmlPath path);

struct XmlVisitor {
    // Whether the element at the end of the path is wanted as a whole.
    std::function<bool(const XmlPath&)> wanted;
    // Receives a wanted element from its first tag to its last, with the line and column where it begins.
    std::function<void(const XmlPath&, std::string_view element, int line, int column)> element;
    // Receives the text directly inside other elements, up to a child or the end; as written, with entities. What
    // comments, CDATA and processing instructions divide is one text.
    std::function<void(const XmlPath&, std::string_view text)> text;
    // Receives the end of other elements.
    std::function<void(const XmlPath&)> end;
};

[[nodiscard]] std::expected<void, XmlFault> visit_xml(std::string_view bytes, const XmlVisitor& visitor);

// The same in slices.
class XmlVisit {
  public:
    // Both references must outlive the visit.
    XmlVisit(std::string_view bytes, const XmlVisitor& visitor);
    XmlVisit(const XmlVisit&) = delete;
    XmlVisit& operator=(const XmlVisit&) = delete;
    ~XmlVisit();
    // Continues for about this many bytes, up to the end of an element; a wanted element of as many bytes or more is
    // the last one. False: the document ended correctly.
    [[nodiscard]] std::expected<bool, XmlFault> advance(std::size_t bytes);

  private:
    class Visit;
    std::unique_ptr<Visit> visit_;
};

}  // namespace drawbridge::statements
