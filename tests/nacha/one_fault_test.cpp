// Corrupts every field of every record in turn, in a file with PPD, CCD, CTX, addenda, prenotes, an offset, returns and
// notifications of change. Each fault must be found on its line, in its field.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "drawbridge/nacha/validate.hpp"
#include "nacha/sample_files.hpp"

namespace drawbridge::nacha {
namespace {

enum class Expect {
    error,      // found in the field itself
    warning,    // the same, but the file stays valid: banks differ
    free_text,  // anything printable is valid
};

struct FieldFault {
    const char* field;
    std::size_t first, length;
    const char* spoiled;  // the corrupted value
    Expect expect = Expect::error;
};
using Table = std::vector<FieldFault>;

const Table file_header = {
    {"priority code", 2, 2, "02"},
    {"immediate destination", 4, 10, " 091000018"},
    {"immediate origin", 14, 10, "112345-789"},
    {"file creation date", 24, 6, "261131"},
    {"file creation time", 30, 4, "2460"},
    {"file id modifier", 34, 1, "a"},
    {"record size", 35, 3, "095"},
    {"blocking factor", 38, 2, "20"},
    {"format code", 40, 1, "2"},
    {"immediate destination name", 41, 23, "ANOTHER NAME           ", Expect::free_text},
    {"immediate origin name", 64, 23, "ANOTHER NAME           ", Expect::free_text},
    {"reference code", 87, 8, "ANYTHING", Expect::free_text},
};
const Table batch_header = {
    {"service class", 2, 3, "221"},
    {"company name", 5, 16, "                "},
    {"company discretionary data", 21, 20, "ANYTHING            ", Expect::free_text},
    {"company identification", 41, 10, "          "},
    {"standard entry class code", 51, 3, "PPX"},
    {"company entry description", 54, 10, "          "},
    {"company descriptive date", 64, 6, "NOV 26", Expect::free_text},
    {"effective entry date", 70, 6, "260229"},
    {"settlement date", 76, 3, "367"},
    {"originator status code", 79, 1, "3"},
    {"ODFI identification", 80, 8, "0910000A"},
    {"batch number", 88, 7, "0000000"},
};
const Table entry = {
    {"transaction code", 2, 2, "25"},
    {"receiving DFI identification", 4, 8, "0210000X"},
    {"check digit", 12, 1, "X"},
    {"DFI account number", 13, 17, " 123             "},
    {"amount", 30, 10, "-000000001"},
    {"individual identification", 40, 15, "ANYTHING AT ALL", Expect::free_text},
    {"individual name", 55, 22, "                      "},
    {"discretionary data", 77, 2, "ZZ", Expect::free_text},
    {"addenda record indicator", 79, 1, "2"},
    {"trace number", 80, 15, "09100001000000X"},
};
const Table ctx_entry = {
    {"transaction code", 2, 2, "25"},
    {"receiving DFI identification", 4, 8, "0210000X"},
    {"check digit", 12, 1, "X"},
    {"DFI account number", 13, 17, " 123             "},
    {"amount", 30, 10, "-000000001"},
    {"identification number", 40, 15, "ANYTHING AT ALL", Expect::free_text},
    {"number of addenda", 55, 4, "0009"},
    {"receiving company name", 59, 16, "                "},
    {"reserved", 75, 2, "X "},
    {"discretionary data", 77, 2, "ZZ", Expect::free_text},
    {"addenda record indicator", 79, 1, "0"},
    {"trace number", 80, 15, "091000020000005"},
};
const Table payment_addenda = {
    {"addenda type code", 2, 2, "98"},
    {"payment related information", 4, 80, "ANYTHING", Expect::free_text},
    {"addenda sequence number", 84, 4, "0009"},
    {"entry detail sequence number", 88, 7, "9999999"},
};
const Table return_addenda = {
    {"addenda type code", 2, 2, "77"},
    {"return reason code", 4, 3, "R99"},
    {"original entry trace number", 7, 15, "000000000000000"},
    {"date of death", 22, 6, "261399"},
    {"original receiving DFI", 28, 8, "02100003", Expect::warning},
    {"addenda information", 36, 44, "ANYTHING", Expect::free_text},
    {"trace number", 80, 15, "021000020000009"},
};
const Table change_addenda = {
    {"addenda type code", 2, 2, "05"},
    {"change code", 4, 3, "C99"},
    {"original entry trace number", 7, 15, "000000000000000"},
    {"reserved", 22, 6, "     X"},
    {"original receiving DFI", 28, 8, "0210000X"},
    {"corrected data", 36, 29, "                             "},
    {"reserved", 65, 15, "              X"},
    {"trace number", 80, 15, "021000020000009", Expect::warning},
};
const Table batch_control = {
    {"service class", 2, 3, "225"},
    {"entry and addenda count", 5, 6, "000099"},
    {"entry hash", 11, 10, "0099999999"},
    {"total debit", 21, 12, "000000999999"},
    {"total credit", 33, 12, "000000999999"},
    {"company identification", 45, 10, "1123456780"},
    {"message authentication code", 55, 19, "ANYTHING           ", Expect::free_text},
    {"reserved", 74, 6, "     X"},
    {"ODFI identification", 80, 8, "09100009"},
    {"batch number", 88, 7, "0000099"},
};
const Table file_control = {
    {"batch count", 2, 6, "000099"},
    {"block count", 8, 6, "000099"},
    {"entry and addenda count", 14, 8, "00000099"},
    {"entry hash", 22, 10, "0099999999"},
    {"total debit", 32, 12, "000000999999"},
    {"total credit", 44, 12, "000000999999"},
    {"reserved", 56, 39, "                                      X"},
};

const Table& table_for(std::string_view record, std::string_view sec_code) {
    switch (record.front()) {
        case '1': return file_header;
        case '5': return batch_header;
        case '6': return sec_code == "CTX" ? ctx_entry : entry;
        case '7':
            if (record.substr(1, 2) == "05") return payment_addenda;
            return record.substr(1, 2) == "98" ? change_addenda : return_addenda;
        case '8': return batch_control;
        default: return file_control;
    }
}

class OneFault : public ::testing::Test {
  protected:
    static constexpr std::size_t lines = 50, file_control_line = 41;

    // `value` at line and position, both from 1.
    [[nodiscard]] Validation with(std::size_t line, std::size_t position, std::string_view value) const {
        std::string bytes = good;
        return validate(bytes.replace((line - 1) * 95 + position - 1, value.size(), value));
    }
    [[nodiscard]] std::string_view line_of(std::size_t line) const {
        return std::string_view(good).substr((line - 1) * 95, 94);
    }
    static bool is_found(const Validation& validation, std::size_t line, const FieldFault& fault) {
        return std::ranges::any_of(validation.summary.problems, [&](const Problem& problem) {
            return problem.line == line && problem.field == fault.field && problem.position >= fault.first &&
                   problem.position < fault.first + fault.length;
        });
    }
    static std::string shown(const Validation& validation) {
        std::string text;
        for (const Problem& p : validation.summary.problems)
            text +=
                std::to_string(p.line) + ":" + std::to_string(p.position) + " [" + p.field + "] " + p.message + "\n";
        return text;
    }

    const std::string good = testing::read_data("every-record.ach");
};

TEST_F(OneFault, starts_from_a_valid_file) {
    ASSERT_EQ(good.size(), lines * 95);
    ASSERT_TRUE(line_of(file_control_line).starts_with("9000007"));
    const Validation validation = validate(good);
    EXPECT_TRUE(validation.summary.problems.empty()) << shown(validation);
}

TEST_F(OneFault, tables_cover_every_position_after_the_record_type) {
    for (const Table* table : {&file_header, &batch_header, &entry, &ctx_entry, &payment_addenda, &return_addenda,
                               &change_addenda, &batch_control, &file_control}) {
        std::size_t next = 2;
        for (const FieldFault& fault : *table) {
            EXPECT_EQ(fault.first, next) << fault.field;
            next += fault.length;
        }
        EXPECT_EQ(next, 95U);
    }
}

TEST_F(OneFault, is_found_on_its_line_in_its_field) {
    std::string sec_code;
    bool is_answer = false;
    for (std::size_t line = 1; line <= file_control_line; ++line) {
        if (line_of(line).front() == '5') {
            sec_code = line_of(line).substr(50, 3);
            is_answer = sec_code == "COR" || line_of(line).substr(79, 8) == "02100002";
        }
        for (FieldFault fault : table_for(line_of(line), sec_code)) {
            // Names in a return or notification of change are not checked.
            if (is_answer && std::string_view(fault.field) == "individual name") fault.expect = Expect::free_text;
            std::string spoiled = fault.spoiled;
            if (line_of(line).substr(fault.first - 1, fault.length) == spoiled) spoiled.back() = '7';
            const Validation validation = with(line, fault.first, spoiled);
            const std::string where = "line " + std::to_string(line) + ", " + fault.field + ":\n" + shown(validation);
            EXPECT_EQ(is_found(validation, line, fault), fault.expect != Expect::free_text) << where;
            EXPECT_EQ(validation.is_valid(), fault.expect != Expect::error) << where;
        }
    }
}

TEST_F(OneFault, finds_a_byte_that_is_not_ascii_in_every_field) {
    std::string sec_code;
    for (std::size_t line = 1; line <= file_control_line; ++line) {
        if (line_of(line).front() == '5') sec_code = line_of(line).substr(50, 3);
        for (const FieldFault& fault : table_for(line_of(line), sec_code)) {
            const bool is_type = std::string_view(fault.field) == "addenda type code";
            for (const char* byte : {"\x01", "\x7F", "\xC9"}) {
                const Validation validation = with(line, fault.first, byte);
                EXPECT_TRUE(is_type ? !validation.is_valid() : is_found(validation, line, fault))
                    << "line " << line << ", " << fault.field << "\n"
                    << shown(validation);
            }
        }
    }
}

TEST_F(OneFault, finds_a_changed_amount_or_bank_in_the_sums) {
    std::size_t header = 0;
    for (std::size_t line = 1; line < file_control_line; ++line) {
        if (line_of(line).front() == '5') header = line;
        if (line_of(line).front() != '6') continue;
        std::size_t control = line;
        while (line_of(control).front() != '8')
            ++control;
        const bool is_debit = line_of(line).substr(1, 2) == "27";
        const FieldFault total =
            is_debit ? FieldFault{"total debit", 21, 12, ""} : FieldFault{"total credit", 33, 12, ""};
        EXPECT_TRUE(is_found(with(line, 30, "0000031313"), control, total)) << line;
        EXPECT_TRUE(is_found(with(line, 4, "12104289"), control, {"entry hash", 11, 10, ""})) << line;
    }
    EXPECT_NE(header, 0U);
}

TEST_F(OneFault, finds_a_wrong_record_type) {
    for (std::size_t line = 1; line <= lines; ++line) {
        for (const char* type : {"1", "2", "5", "6", "7", "8", " ", "X"}) {
            if (line_of(line).front() == type[0]) continue;
            EXPECT_FALSE(with(line, 1, type).is_valid()) << line << " " << type;
        }
        if (line <= file_control_line) continue;
        EXPECT_EQ(with(line, 50, "8").summary.problems.at(0).position, 50U);
    }
}

TEST_F(OneFault, never_shows_an_account_number) {
    const std::set<std::string> accounts = {"123456789",         "SAV0099887", "44-5566",
                                            "00012345678901234", "55500011",   "9988776655"};
    std::size_t told = 0;
    for (std::size_t at = 0; at < file_control_line * 95; at += 3) {
        for (const char byte : {'1', '5', '8', '9', ' ', 'Q', '\n', '\x80'}) {
            std::string bytes = good;
            bytes[at] = byte;
            for (const Problem& problem : validate(bytes).summary.problems) {
                ++told;
                for (const std::string& account : accounts) {
                    ASSERT_EQ(problem.message.find(account), std::string::npos) << problem.message;
                    ASSERT_EQ(problem.message.find(account.substr(0, account.size() - 1)), std::string::npos)
                        << problem.message;
                }
            }
        }
    }
    EXPECT_GT(told, 10'000U);
}

}  // namespace
}  // namespace drawbridge::nacha
