#include "drawbridge/console/forms.hpp"

#include <boost/url/encoding_opts.hpp>
#include <boost/url/params_encoded_view.hpp>
#include <boost/url/params_view.hpp>
#include <boost/url/parse_query.hpp>

#include "drawbridge/text/utf8.hpp"

namespace drawbridge::console {
namespace {

constexpr std::size_t max_form_fields = 1000;
constexpr std::string_view multipart = "multipart/form-data";
constexpr std::string_view url_encoded = "application/x-www-form-urlencoded";

std::unexpected<Error> no_form(const std::string& why) {
    return fail(ErrorCode::invalid_input, "the form cannot be read: " + why);
}

bool is_utf8(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto length = bytes.front() == '\0' ? 0 : text::utf8_length(bytes);
        if (length == 0) return false;
        bytes.remove_prefix(length);
    }
    return true;
}

Result<void> add_field(Form& form, std::string name, std::string value) {
    if (form.fields.size() == max_form_fields) return no_form("it has too many fields");
    if (!is_utf8(name) || !is_utf8(value)) return no_form("a field is not UTF-8");
    form.fields.push_back({std::move(name), std::move(value)});
    return {};
}

Result<Form> read_url_encoded(std::string_view body) {
    Form form;
    if (body.empty()) return form;
    // The one parser of queries is that of forms; what it takes for a query has no other bytes than these.
    const auto parsed = boost::urls::parse_query({body.data(), body.size()});
    if (!parsed) return no_form("it is not url-encoded");
    boost::urls::encoding_opts plus_is_space;
    plus_is_space.space_as_plus = true;
    for (const auto& pair : *parsed) {
        const auto plain = [&](boost::urls::pct_string_view text) { return text.decode(plus_is_space); };
        if (auto added = add_field(form, plain(pair.key), plain(pair.value)); !added)
            return std::unexpected(added.error());
    }
    return form;
}

// The value of name="…" in a header; browsers escape quotes and line ends in it with percent signs.
std::optional<std::string> quoted_parameter(std::string_view header, std::string_view name) {
    const std::string begin = "; " + std::string(name) + "=\"";
    const auto at = header.find(begin);
    if (at == std::string_view::npos) return std::nullopt;
    const auto value = header.substr(at + begin.size());
    const auto end = value.find('"');
    if (end == std::string_view::npos) return std::nullopt;
    return std::string(value.substr(0, end));
}

std::string base_name(const std::string& name) {
    return name.substr(name.find_last_of("/\\") + 1);
}

Result<void> read_part(std::string_view part, Form& form) {
    constexpr std::string_view blank_line = "\r\n\r\n";
    constexpr std::string_view disposition = "Content-Disposition: form-data";
    const auto end = part.find(blank_line);
    if (end == std::string_view::npos) return no_form("a part has no end of its head");
    const auto head = part.substr(0, end), bytes = part.substr(end + blank_line.size());
    const auto at = head.find(disposition);
    if (at == std::string_view::npos) return no_form("a part has no name");
    const auto line = head.substr(at, head.find("\r\n", at) - at);
    auto name = quoted_parameter(line, "name");
    if (!name) return no_form("a part has no name");
    const auto file_name = quoted_parameter(line, "filename");
    if (!file_name) return add_field(form, std::move(*name), std::string(bytes));
    if (form.file) return no_form("it has more than one file");
    if (!is_utf8(*file_name)) return no_form("the file's name is not UTF-8");
    form.file = FormFile{std::move(*name), base_name(*file_name), std::string(bytes)};
    return {};
}

Result<Form> read_multipart(std::string_view content_type, std::string_view body) {
    const auto at = content_type.find("boundary=");
    if (at == std::string_view::npos) return no_form("it has no boundary");
    std::string_view name = content_type.substr(at + std::string_view("boundary=").size());
    name = name.substr(0, name.find(';'));
    if (name.size() >= 2 && name.starts_with('"') && name.ends_with('"')) name = name.substr(1, name.size() - 2);
    if (name.empty() || name.size() > 70) return no_form("its boundary is empty or longer than 70 characters");
    const std::string first = "--" + std::string(name), between = "\r\n" + first;
    if (!body.starts_with(first)) return no_form("it does not begin with its boundary");
    body.remove_prefix(first.size());
    Form form;
    while (body.starts_with("\r\n")) {
        body.remove_prefix(2);
        const auto end = body.find(between);
        if (end == std::string_view::npos) return no_form("it breaks off");
        if (auto read = read_part(body.substr(0, end), form); !read) return std::unexpected(read.error());
        body.remove_prefix(end + between.size());
    }
    if (!body.starts_with("--")) return no_form("it breaks off");
    return form;
}

}  // namespace

std::string Form::value(std::string_view name) const {
    for (const auto& field : fields) {
        if (field.name == name) return field.value;
    }
    return {};
}

Result<Form> read_form(std::string_view content_type, std::string_view body) {
    if (content_type.starts_with(url_encoded)) return read_url_encoded(body);
    if (content_type.starts_with(multipart)) return read_multipart(content_type, body);
    return no_form("its Content-Type is neither " + std::string(url_encoded) + " nor " + std::string(multipart));
}

}  // namespace drawbridge::console
