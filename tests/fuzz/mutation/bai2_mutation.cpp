#include <algorithm>
#include <array>
#include <charconv>

#include "fuzz/mutation/mutation.hpp"

namespace drawbridge::fuzz {
namespace {

using Fields = std::vector<std::string>;

// A line without its end. Fields keep their spaces and the slash after the last one.
std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
    std::string text;
    for (const auto& part : parts) {
        if (&part != parts.data()) text += separator;
        text += part;
    }
    return text;
}

struct File {
    std::vector<std::string> lines;
    std::string line_end = "\n";
};

std::string_view code_of(std::string_view line) {
    constexpr std::array<std::string_view, 8> codes = {"01,", "02,", "03,", "16,", "49,", "88,", "98,", "99,"};
    return std::ranges::find(codes, line.substr(0, 3)) != codes.end() ? line.substr(0, 2) : std::string_view();
}

// Where on a line another record begins, after a slash and blanks; npos: nowhere.
std::size_t next_record(std::string_view line) {
    for (std::size_t slash = line.find('/'); slash != std::string_view::npos; slash = line.find('/', slash + 1)) {
        const std::size_t after = line.find_first_not_of(" \t", slash + 1);
        if (after != std::string_view::npos && after > slash + 1 && !code_of(line.substr(after)).empty()) return after;
    }
    return std::string_view::npos;
}

// One line for each record.
File split_file(std::string_view bytes) {
    File file;
    if (bytes.ends_with('\n')) bytes.remove_suffix(1);
    for (const std::string& line : split(bytes, '\n')) {
        std::string_view rest = line;
        for (std::size_t next = 0; (next = next_record(rest)) != std::string_view::npos; rest.remove_prefix(next))
            file.lines.emplace_back(rest.substr(0, rest.find_last_not_of(" \t", next - 1) + 1));
        file.lines.emplace_back(rest);
    }
    const bool has_returns = std::ranges::all_of(file.lines, [](const auto& line) { return line.ends_with('\r'); });
    if (!has_returns) return file;
    for (auto& line : file.lines)
        line.pop_back();
    file.line_end = "\r\n";
    return file;
}

std::string join_file(const File& file) {
    return join(file.lines, file.line_end) + file.line_end;
}

std::string_view good_value(std::string_view code, std::size_t field, Random& random) {
    if (code == "16" && field == 1)
        return random.of({"475", "470", "451", "455", "447", "257", "261", "255", "557", "555", "561", "395", "495",
                          "108", "409", "699", "395", "277"});
    if ((code == "16" || code == "03") && random.one_in(3)) return random.of({"", "Z", "0", "1", "2", "S", "V", "D"});
    if (code == "02" && field == 3) return random.of({"1", "2", "3", "4", "", "5"});
    if (code == "03" && field == 1) return random.of({"12345", "0012345", "12-345", "99887766", ""});
    return random.of({"",
                      "0",
                      "1",
                      "-1",
                      "+5",
                      "100",
                      "+-1",
                      "000000000000000",
                      "99999999999999999",
                      "999999999999999999",
                      "-99999999999999999",
                      "12345",
                      "261123",
                      "260230",
                      "USD",
                      "CAD",
                      "091000010000001",
                      "P0000000001",
                      "021000020000001",
                      "010",
                      "015",
                      "Check Serial Number: 12",
                      "CHKN: 7",
                      "R03 RETURN",
                      "R24",
                      "a/b",
                      "RTN 091000010000001",
                      "/",
                      " ",
                      "1249",
                      "2400"});
}

// The fields that a funds type has after it.
std::string funds(Random& random) {
    return std::string(random.of({"Z", "0", "1", "2", "S,100,200,300", "V,261123,1200", "V,261123,", "D,2,1,100,2,200",
                                  "D,0", "D,1000", "D,-1", "D,1001", "X", "S,1", ""}));
}

void change_field(std::string& line, const std::vector<std::string>& lines, Chance& chance) {
    Random& random = chance.random;
    const std::string code(code_of(line));
    Fields fields = split(line, ',');
    const std::size_t at = random.below(fields.size());
    const bool has_slash = fields.back().ends_with('/');
    std::string& field = fields[at];
    switch (random.below(8)) {
        case 0: field = chance.bytes(field); break;
        case 1: {
            const Fields others = split(lines[random.below(lines.size())], ',');
            field = others[std::min(at, others.size() - 1)];
            break;
        }
        case 2:
            fields.insert(fields.begin() + static_cast<std::ptrdiff_t>(at), std::string(good_value(code, at, random)));
            break;
        case 3: fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(at)); break;
        case 4: field = funds(random); break;
        default: field = good_value(code, at, random);
    }
    line = join(fields, ",");
    if (has_slash && !line.ends_with('/') && !random.one_in(8)) line += '/';
}

// Continues a record in a record 88, or in a plain line.
void continue_record(std::vector<std::string>& lines, Random& random) {
    const std::size_t at = random.below(lines.size());
    const std::string line = lines[at];
    if (line.size() < 4) return;
    std::size_t cut = 3 + random.below(line.size() - 3);
    if (const std::size_t comma = line.find(',', cut); comma != std::string::npos && !random.one_in(4)) cut = comma;
    std::string first = line.substr(0, cut), second = line.substr(std::min(cut + 1, line.size()));
    first += random.of({"/", ",/", "", ","});
    if (!random.one_in(4)) second.insert(0, "88,");
    lines[at] = first;
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at) + 1, second);
}

void join_lines(std::vector<std::string>& lines, Random& random) {
    const std::size_t at = random.below(lines.size());
    if (at + 1 == lines.size()) return;
    lines[at] += random.of({" ", "", "   ", "\t"});
    lines[at] += lines[at + 1];
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at) + 1);
}

void add_transaction(std::vector<std::string>& lines, Random& random) {
    std::string line = "16," + std::string(good_value("16", 1, random)) + "," +
                       std::string(random.of({"100", "0", "-5", "44250"})) + "," + funds(random) + "," +
                       std::string(random.of({"", "B1", "091000010000002"})) + "," +
                       std::string(random.of({"", "24108", "P0000000001", "091000010000001"})) + "," +
                       std::string(random.of({"", "Check Paid", "RETURN R03 P0000000002", "CHKN: 24108"}));
    if (random.one_in(2)) line += '/';
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(random.below(lines.size() + 1)), line);
}

// Everything from an account's or group's header to its trailer, elsewhere, twice or not at all.
void move_block(std::vector<std::string>& lines, Random& random) {
    const bool is_group = random.one_in(2);
    const auto from = lines.begin() + static_cast<std::ptrdiff_t>(random.below(lines.size()));
    const auto begin =
        std::find_if(from, lines.end(), [&](const auto& l) { return code_of(l) == (is_group ? "02" : "03"); });
    auto end = std::find_if(begin, lines.end(), [&](const auto& l) { return code_of(l) == (is_group ? "98" : "49"); });
    if (end == lines.end()) return;
    const std::vector<std::string> block(begin, ++end);
    const auto place = begin - lines.begin();
    if (random.one_in(3)) lines.erase(begin, end);
    if (!random.one_in(3)) lines.insert(lines.begin() + place, block.begin(), block.end());
}

void change(File& file, Chance& chance) {
    Random& random = chance.random;
    auto& lines = file.lines;
    switch (random.below(16)) {
        case 0:
        case 1:
        case 2: return shuffle(lines, random);
        case 3: return move_block(lines, random);
        case 4: return continue_record(lines, random);
        case 5:
        case 6: return add_transaction(lines, random);
        case 7: file.line_end = random.of({"\n", "\r\n", "\r", " \n", "\n\n"}); return;
        case 8: {
            std::string& line = lines[random.below(lines.size())];
            line = chance.bytes(line);
            return;
        }
        default: return change_field(lines[random.below(lines.size())], lines, chance);
    }
}

std::int64_t amount_in(const Fields& fields, std::size_t at) {
    if (at >= fields.size()) return 0;
    std::string_view text = fields[at];
    text.remove_prefix(std::min(text.find_first_not_of(" +"), text.size()));
    std::int64_t value = 0;
    if (text.size() <= 17) std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

// The sum of an account's or a transaction's amounts.
std::int64_t amounts_of(const Fields& fields) {
    if (fields.front() == "16") return amount_in(fields, 2);
    std::int64_t sum = 0;
    for (std::size_t at = 3; at < fields.size();) {
        sum += amount_in(fields, at + 1);
        const std::string type = at + 3 < fields.size() ? fields[at + 3] : "";
        at += 4;
        if (type == "S") at += 3;
        if (type == "V") at += 2;
        if (type == "D") at += 1 + 2 * static_cast<std::size_t>(std::max<std::int64_t>(amount_in(fields, at), 0));
    }
    return sum;
}

struct Totals {
    std::int64_t amount = 0, children = 0, records = 0;
};

void write_trailer(std::string& line, Totals& totals, Totals& parent) {
    const std::string code(code_of(line));
    line = code + "," + std::to_string(totals.amount) + ",";
    if (code != "49") line += std::to_string(totals.children) + ",";
    line += std::to_string(totals.records) + "/";
    // They cannot overflow: an amount has seventeen digits at the most, and an input some hundred of them. But the
    // parser must say so if they do.
    if (__builtin_add_overflow(parent.amount, totals.amount, &parent.amount)) parent.amount = 0;
    ++parent.children;
    totals = {};
}

void write_totals(std::vector<std::string>& lines) {
    Totals account, group, file, nothing;
    for (std::size_t at = 0; at < lines.size(); ++at) {
        const std::string code(code_of(lines[at]));
        if (code.empty()) continue;
        if (code == "01") file = {};
        if (code == "02") group = {};
        if (code == "03") account = {};
        ++account.records, ++group.records, ++file.records;
        if (code == "03" || code == "16") {
            std::string whole = lines[at];
            for (std::size_t next = at + 1; next < lines.size() && code_of(lines[next]) == "88"; ++next) {
                if (whole.ends_with('/')) whole.pop_back();
                whole += lines[next].substr(2);
            }
            if (whole.ends_with('/')) whole.pop_back();
            if (__builtin_add_overflow(account.amount, amounts_of(split(whole, ',')), &account.amount))
                account.amount = 0;
        }
        if (code == "49") write_trailer(lines[at], account, group);
        if (code == "98") write_trailer(lines[at], group, file);
        if (code == "99") write_trailer(lines[at], file, nothing);
    }
}

}  // namespace

std::string with_bai2_totals(std::string_view bytes) {
    File file = split_file(bytes);
    write_totals(file.lines);
    return join_file(file);
}

std::string mutate_bai2(std::string_view bytes, Chance& chance) {
    File file = split_file(bytes);
    for (std::size_t left = 1 + chance.random.below(4); left > 0 && !file.lines.empty(); --left)
        change(file, chance);
    if (!chance.random.one_in(4)) write_totals(file.lines);
    if (chance.random.one_in(4) && !file.lines.empty()) join_lines(file.lines, chance.random);
    return join_file(file);
}

}  // namespace drawbridge::fuzz
