// Uses the reader's table of fields to find them; what goes into them does not come from the reader.
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "drawbridge/domain/ascii.hpp"
#include "fuzz/mutation/mutation.hpp"
#include "nacha/record_layout.hpp"

namespace drawbridge::fuzz {
namespace {

constexpr std::size_t width = nacha::record_length;

struct File {
    std::vector<std::string> records;
    std::string line_end;
};

File split(std::string_view bytes) {
    File file;
    const std::size_t end = bytes.find_first_of("\r\n");
    if (end != std::string_view::npos) {
        const std::size_t after = std::min(bytes.find_first_not_of("\r\n", end), bytes.size());
        const std::string_view ends = bytes.substr(end, after - end);
        for (const std::string_view known : {"\r\r\n", "\r\n", "\n", "\r"}) {
            if (file.line_end.empty() && ends.starts_with(known)) file.line_end = known;
        }
    }
    while (!bytes.empty()) {
        std::size_t length = width, next = width;
        if (!file.line_end.empty()) {
            length = std::min(bytes.find_first_of("\r\n"), bytes.size());
            next = std::min(bytes.find_first_not_of("\r\n", length), bytes.size());
        }
        length = std::min(length, bytes.size());
        if (length > 0) file.records.emplace_back(bytes.substr(0, length));
        bytes.remove_prefix(std::min(next, bytes.size()));
    }
    return file;
}

std::string join(const File& file) {
    std::string bytes;
    for (const auto& record : file.records)
        bytes += record + file.line_end;
    return bytes;
}

bool is(const std::string& record, char type) {
    return record.size() == width && record.front() == type;
}

bool is_padding(const std::string& record) {
    return !record.empty() && record.find_first_not_of('9') == std::string::npos;
}

void put(std::string& record, std::size_t position, std::size_t length, std::string_view text, char fill = ' ') {
    std::string value(text.substr(0, length));
    value.resize(length, fill);
    record.replace(position - 1, length, value);
}

// The last digits of the number, with zeros before it.
void put(std::string& record, std::size_t position, std::size_t length, std::uint64_t number) {
    const std::string digits = fmt::format("{:020}", number);
    put(record, position, length, std::string_view(digits).substr(digits.size() - length));
}

std::uint64_t number_in(const std::string& record, std::size_t position, std::size_t length) {
    return static_cast<std::uint64_t>(nacha::number(record, position, length));
}

// What the fields of a record depend on: the batch header before it.
struct Place {
    std::string_view sec_code;
    nacha::BatchLayout layout = nacha::BatchLayout::standard;
};

Place place_of(const std::vector<std::string>& records, std::size_t at) {
    for (std::size_t before = at + 1; before-- > 0;) {
        if (!is(records[before], '5')) continue;
        const std::string_view code = nacha::slice(records[before], 51, 3);
        if (code == "IAT" || records[before].substr(4, 3) == "IAT") return {"IAT", nacha::BatchLayout::iat};
        return {code, code == "ADV" ? nacha::BatchLayout::adv : nacha::BatchLayout::standard};
    }
    return {"PPD", nacha::BatchLayout::standard};
}

std::span<const nacha::Field> fields_of(const std::string& record, const Place& place) {
    if (record.size() != width) return {};
    switch (record.front()) {
        case '1': return nacha::file_header_layout().fields;
        case '5': return nacha::batch_header_layout(place.layout).fields;
        case '6': {
            const auto* sec = nacha::find_sec_code(place.sec_code);
            const auto form = sec == nullptr ? nacha::EntryForm::plain : nacha::form_of(*sec, record);
            return nacha::entry_layout(form).fields;
        }
        case '7': {
            const auto* layout = nacha::addenda_layout(record, place.layout);
            return layout == nullptr ? std::span<const nacha::Field>() : layout->fields;
        }
        case '8': return nacha::batch_control_layout(place.layout).fields;
        case '9': return nacha::file_control_layout(place.layout).fields;
        default: return {};
    }
}

std::string_view sec_code(Random& random) {
    return random.of({"PPD", "CCD", "CTX", "COR", "WEB", "TEL", "IAT", "ADV", "ENR", "DNE", "TRX", "ATX", "ACK",
                      "CIE", "MTE", "POP", "POS", "SHR", "ARC", "BOC", "RCK", "TRC", "XCK", "TRX", "ppd", "   "});
}

std::string_view good_value(const nacha::Field& field, Random& random) {
    using enum nacha::FieldForm;
    switch (field.form) {
        case constant: return field.allowed;
        case one_of:
        case one_of_or_blank: {
            const std::size_t space = field.allowed.find(' ', random.below(field.allowed.size()));
            const std::size_t from = space == std::string_view::npos ? 0 : space + 1;
            return field.allowed.substr(from, field.allowed.find(' ', from) - from);
        }
        case transaction:
            return random.of({"21", "22", "23", "24", "26", "27", "28", "29", "31", "32", "33", "36", "37", "38",
                              "41", "42", "43", "46", "47", "51", "52", "55", "56", "20", "30", "81", "88"});
        case zero_or_one: return random.of({"0", "1"});
        case digits:
        case digits_or_blank:
            return random.of({"0", "1", "00000000", "99999999999999999999", "02100002", "09100001", "091000010000001",
                              "0001", "0002", "9999", "0010", "0000000001", "220", "225", "200", "280"});
        case date: return random.of({"261123", "260228", "240229", "250229", "000000", "      ", "991231", "261332"});
        case time: return random.of({"0905", "2359", "2400", "    ", "1260"});
        case month_and_day: return random.of({"0229", "1231", "1301", "0000"});
        case month_and_year: return random.of({"0126", "1299", "1399"});
        case day_of_year:
        case julian_day: return random.of({"001", "365", "366", "000", "   ", "367", "325"});
        case routing:
        case identification: return random.of({" 091000019", "0091000019", "1123456789", "091000019", "          "});
        case origin: return random.of({" 091000019", "1123456789", "          "});
        case account: return random.of({"123456789", "123456789-01", "0000000", " 1234", "ABC 12", "SAV0099887"});
        case state: return random.of({"NY", "ny", "  ", "N1"});
        case country: return random.of({"US", "DE", "  "});
        case currency: return random.of({"USD", "CAD", "   "});
        case file_id: return random.of({"A", "Z", "0", "9", "a", " "});
        case blank: return random.of({"", "X", "0"});
        case text:
        case required_text:
        case name: break;
    }
    if (field.length == 3 && field.position == 4)
        return random.of({"R01", "R02", "R03", "R06", "R09", "R14", "R15", "R23", "R24", "R31", "R61",
                          "R69", "R70", "R71", "R77", "R85", "R99", "C01", "C02", "C03", "C04", "C05",
                          "C06", "C07", "C08", "C09", "C13", "C14", "C61", "C65", "C69"});
    return random.of({"JANE DOE", "", "0", "P0000000001", "REVERSAL", "RECLAIM", "RETRY PYMT", "02100002", "123456789",
                      "DEATH OF 123-45-6789", "09100001", "000000000", "RMR*IV*2026-11-0042**12345.67\\", "A\xC3\x89"});
}

void change_field(File& file, std::size_t at, Chance& chance) {
    std::string& record = file.records[at];
    const Place place = place_of(file.records, at);
    const auto fields = fields_of(record, place);
    if (fields.empty()) {
        record = chance.bytes(record);
        return;
    }
    const auto& field = fields[chance.random.below(fields.size())];
    std::string value(nacha::slice(record, field));
    const bool is_number = field.form == nacha::FieldForm::digits;
    switch (chance.random.below(4)) {
        case 0: value = chance.bytes(value); break;
        case 1: {
            const std::string& other = file.records[chance.random.below(file.records.size())];
            if (other.size() == width) value = nacha::slice(other, field);
            break;
        }
        default:
            value = record.front() == '5' && field.position == 51 ? sec_code(chance.random)
                                                                  : good_value(field, chance.random);
    }
    if (is_number && value.size() < field.length) value.insert(0, field.length - value.size(), '0');
    put(record, field.position, field.length, value);
}

std::string addenda_for(const std::string& entry, Random& random) {
    const auto type =
        random.of({"05", "05", "98", "99", "02", "10", "11", "12", "13", "14", "15", "16", "17", "18", "20"});
    std::string record(width, type.front() == '1' ? 'X' : ' ');
    record[0] = '7';
    put(record, 2, 2, type);
    if (type == "05" || type.front() == '1') {
        if (type == "05")
            put(record, 4, 80, random.of({"RENT ASSISTANCE", "ISA*00*          *00*\\", "", "21*2*3*4*5\\"}));
        put(record, 84, 4, 1);
        put(record, 88, 7, number_in(entry, 88, 7));
        return record;
    }
    put(record, 4, 3,
        type == "98" ? random.of({"C01", "C03", "C05", "C06", "C07", "C61"})
                     : random.of({"R01", "R03", "R14", "R24", "R61", "R71"}));
    put(record, 7, 15, random.of({"091000010000001", "021000020000002", "000000000000000"}));
    put(record, 28, 8, std::string_view(entry).substr(3, 8));
    put(record, 36, 29, random.of({"123456789", "021000021   123456789", "998877", "32", "JANE ROE", ""}));
    put(record, 80, 15, std::string_view(entry).substr(79, 15));
    return record;
}

void add_records(File& file, Random& random) {
    auto& records = file.records;
    const std::size_t at = random.below(records.size());
    const auto place = records.begin() + static_cast<std::ptrdiff_t>(at);
    if (is(records[at], '6') && !random.one_in(4)) {
        const std::string added = addenda_for(records[at], random);
        records[at][78] = '1';
        records.insert(place + 1, added);
        return;
    }
    std::string header(width, ' '), entry(width, ' '), control(width, '0');
    put(header, 1, 4, random.of({"5220", "5225", "5200", "5280"}));
    put(header, 5, 16, "CITY HOUSING");
    put(header, 41, 10, "1123456789");
    put(header, 51, 3, sec_code(random));
    put(header, 54, 10, random.of({"DRAWPMT", "REVERSAL", "RECLAIM", "RETURN"}));
    put(header, 70, 10, "261123   1");
    put(header, 80, 15, "091000010000009");
    put(entry, 1, 3, random.of({"622", "632", "621", "627", "623", "681"}));
    put(entry, 4, 36, random.of({"021000021123456789        0000125000", "121042882445566           0000000000"}));
    put(entry, 40, 37, "P0000000001    JANE DOE");
    put(entry, 79, 16, "0091000010000001");
    put(control, 1, 1, "8");
    records.insert(place, {header, entry, control});
}

// Numbers of batches, entries and addenda as they should be.
void renumber(File& file) {
    std::uint64_t batch = 0, trace = 0, sequence = 0;
    std::string* entry = nullptr;
    std::string* header = nullptr;
    for (auto& record : file.records) {
        if (is(record, '5')) {
            header = &record;
            entry = nullptr;
            put(record, 88, 7, ++batch);
        } else if (is(record, '6') && header != nullptr && nacha::slice(*header, 51, 3) == "ADV") {
            entry = nullptr;  // an advice has other numbers there, and no addenda
        } else if (is(record, '6')) {
            entry = &record;
            sequence = 0;
            record[78] = '0';
            if (header != nullptr) put(record, 80, 8, std::string_view(*header).substr(79, 8));
            put(record, 88, 7, ++trace);
        } else if (is(record, '7') && entry != nullptr) {
            (*entry)[78] = '1';
            ++sequence;
            if (record.substr(1, 2) == "05" || record.substr(1, 2) == "18") put(record, 84, 4, sequence);
            if (record[1] == '9' || record.substr(1, 2) == "02")
                put(record, 80, 15, std::string_view(*entry).substr(79, 15));
            else
                put(record, 88, 7, trace);
            const Place place = place_of(file.records, static_cast<std::size_t>(&record - file.records.data()));
            const auto* sec = nacha::find_sec_code(place.sec_code);
            if (sec != nullptr && sec->form == nacha::EntryForm::counted) put(*entry, 55, 4, sequence);
            if (place.layout == nacha::BatchLayout::iat) put(*entry, 13, 4, sequence);
        }
    }
}

struct Totals {
    std::uint64_t records = 0, hash = 0, debit = 0, credit = 0, batches = 0;

    void add(const Totals& other) {
        records += other.records;
        hash += other.hash;
        debit += other.debit;
        credit += other.credit;
        ++batches;
    }
};

void write_controls(File& file) {
    Totals batch, whole;
    const std::string* header = nullptr;
    bool is_adv = false;
    for (auto& record : file.records) {
        if (is(record, '1')) whole = {};
        if (is(record, '5')) {
            header = &record;
            batch = {};
            is_adv = nacha::slice(record, 51, 3) == "ADV";
        }
        if (is(record, '6') || is(record, '7')) ++batch.records;
        if (is(record, '6')) {
            batch.hash += number_in(record, 4, 8);
            const bool is_debit = is_adv ? (record[2] - '0') % 2 == 0 : record[2] >= '5';
            (is_debit ? batch.debit : batch.credit) += is_adv ? number_in(record, 28, 12) : number_in(record, 30, 10);
        }
        if (is(record, '8')) {
            put(record, 5, 6, batch.records);
            put(record, 11, 10, batch.hash);
            put(record, 21, is_adv ? 20 : 12, batch.debit);
            put(record, is_adv ? 41 : 33, is_adv ? 20 : 12, batch.credit);
            if (header != nullptr) {
                put(record, 2, 3, std::string_view(*header).substr(1, 3));
                if (!is_adv) put(record, 45, 10, std::string_view(*header).substr(40, 10));
                if (!is_adv) put(record, 55, 25, "");
                put(record, 80, 15, std::string_view(*header).substr(79, 15));
            }
            whole.add(batch);
            batch = {};
            header = nullptr;
        }
        if (is(record, '9') && !is_padding(record)) {
            const auto before = static_cast<std::uint64_t>(&record - file.records.data()) + 1;
            put(record, 2, 6, whole.batches);
            put(record, 8, 6, (before + 9) / 10);
            put(record, 14, 8, whole.records);
            put(record, 22, 10, whole.hash);
            put(record, 32, is_adv ? 20 : 12, whole.debit);
            put(record, is_adv ? 52 : 44, is_adv ? 20 : 12, whole.credit);
            put(record, is_adv ? 72 : 56, is_adv ? 23 : 39, "");
        }
    }
    std::erase_if(file.records, is_padding);
    while (file.records.size() % 10 != 0)
        file.records.emplace_back(width, '9');
}

// A batch, from header to control, elsewhere or twice.
void move_batch(File& file, Random& random) {
    auto& records = file.records;
    const auto begin = std::ranges::find_if(records.begin() + static_cast<std::ptrdiff_t>(random.below(records.size())),
                                            records.end(), [](const auto& record) { return is(record, '5'); });
    auto end = std::find_if(begin, records.end(), [](const auto& record) { return is(record, '8'); });
    if (end == records.end()) return;
    const std::vector<std::string> batch(begin, ++end);
    const auto place = begin - records.begin();
    if (!random.one_in(3)) records.erase(begin, end);
    if (!random.one_in(3))
        records.insert(records.begin() + std::min(place, std::ssize(records)), batch.begin(), batch.end());
}

void change(File& file, Chance& chance) {
    Random& random = chance.random;
    switch (random.below(16)) {
        case 0:
        case 1:
        case 2: return shuffle(file.records, random);
        case 3: return move_batch(file, random);
        case 4:
        case 5: return add_records(file, random);
        case 6: file.line_end = random.of({"\n", "\r\n", "\r", "\r\r\n", "", "\n\n", " \n", "   \r\n"}); return;
        case 7: {
            std::string& record = file.records[random.below(file.records.size())];
            if (random.one_in(2))
                record.resize(random.below(width + 8), random.one_in(2) ? ' ' : '9');
            else
                record = chance.bytes(record);
            return;
        }
        case 8:
            file.records.insert(
                file.records.begin() + static_cast<std::ptrdiff_t>(random.below(file.records.size() + 1)),
                random.below(12), std::string(width, '9'));
            return;
        default: change_field(file, random.below(file.records.size()), chance);
    }
}

}  // namespace

std::string with_nacha_totals(std::string_view bytes) {
    File file = split(bytes);
    renumber(file);
    write_controls(file);
    return join(file);
}

std::string mutate_nacha(std::string_view bytes, Chance& chance) {
    File file = split(bytes);
    for (std::size_t left = 1 + chance.random.below(4); left > 0 && !file.records.empty(); --left)
        change(file, chance);
    const std::size_t after = chance.random.below(8);
    if (after < 4) renumber(file);
    if (after < 6) write_controls(file);
    return join(file);
}

}  // namespace drawbridge::fuzz
