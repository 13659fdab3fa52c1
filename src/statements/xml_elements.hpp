// Cuts an XML document into the elements that are wanted, without building a tree of it: the memory of a reader is that
// of one element, whatever the size of the file. It understands tags, comments, CDATA and processing instructions; a
// DOCTYPE is refused, so that there are no entities but XML's own five.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace drawbridge::statements {

struct XmlFault {
    int line = 0, column = 0;
    std::string message, hint;
};

// The local names from the root down to an element.
using XmlPath = std::span<const std::string_view>;

// From the Document down: an ISO 20022 message may come in an envelope, beside its business application header
// (AppHdr). The whole path where there is no Document on it.
[[nodiscard]] XmlPath without_envelope(XmlPath path);

struct XmlVisitor {
    // Whether the element at the end of the path is handed over whole.
    std::function<bool(const XmlPath&)> wanted;
    // The element from its first tag to its last, and the line and column on which it begins.
    std::function<void(const XmlPath&, std::string_view element, int line, int column)> element;
    // Text directly inside an element that is not handed over; as written, entities and all.
    std::function<void(const XmlPath&, std::string_view text)> text;
    // The end of an element that is not handed over.
    std::function<void(const XmlPath&)> end;
};

[[nodiscard]] std::expected<void, XmlFault> visit_xml(std::string_view bytes, const XmlVisitor& visitor);

// The same, in slices.
class XmlVisit {
  public:
    // Both outlive the visit.
    XmlVisit(std::string_view bytes, const XmlVisitor& visitor);
    XmlVisit(const XmlVisit&) = delete;
    XmlVisit& operator=(const XmlVisit&) = delete;
    ~XmlVisit();
    // Goes on for about so many bytes, to the end of an element; false: the document has ended, well.
    [[nodiscard]] std::expected<bool, XmlFault> advance(std::size_t bytes);

  private:
    class Visit;
    std::unique_ptr<Visit> visit_;
};

}  // namespace drawbridge::statements
