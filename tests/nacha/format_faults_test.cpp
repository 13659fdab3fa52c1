// Values with valid characters but no meaning: zeros where a number is required, unassigned routing numbers, codes of
// another kind of file. Each fault is reported once, at its position.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "drawbridge/domain/bank_numbers.hpp"
#include "drawbridge/nacha/validate.hpp"
#include "nacha/sample_files.hpp"

namespace drawbridge::nacha {
namespace {

using testing::read_data;

std::string text_of(const Validation& validation) {
    std::string text;
    for (const Problem& p : validation.summary.problems)
        text += std::to_string(p.line) + ":" + std::to_string(p.position) + ": " + p.message + "\n";
    return text;
}

struct Case {
    const char* what;
    const char* file;
    const char* record;  // the beginning of the line, after `batch`
    const char* batch;   // a batch header's code; "": anywhere in the file
    std::size_t position;
    const char* value;
    const char* message;  // part of the message; nullptr: valid
    Severity severity = Severity::error;
};

constexpr auto warning = Severity::warning;

constexpr Case cases[] = {
    {"the last code of a dishonored return", "disputes.ach", "799", "PPD", 4, "R70091000010000001      02100002X",
     "reserved"},
    {"status 0 outside an ADV file", "ppd.ach", "5", "PPD", 79, "0", "'0' is not one of 1 2"},
    {"status 2 of a federal agency", "ppd.ach", "5", "PPD", 79, "2", nullptr},
    {"status 0 of an IAT batch", "iat.ach", "5", "IAT", 79, "0", "'0' is not one of 1 2"},
    {"status 1 in an ADV file", "adv.ach", "5", "ADV", 79, "1", "'1' must be 0"},
    {"a destination of zeros", "ppd.ach", "1", "", 4, "0000000000", "immediate destination: must not be only zeros"},
    {"a destination of zeros after a space", "ppd.ach", "1", "", 4, " 000000000",
     "immediate destination: must not be only zeros"},
    {"a destination with an unassigned routing number", "ppd.ach", "1", "", 4, " 400000008",
     "must be a space and a routing number"},
    {"an origin of zeros", "ppd.ach", "1", "", 14, "0000000000", "immediate origin: must not be only zeros"},
    {"a company name of zeros", "ppd.ach", "5", "PPD", 5, "0000000000000000", "company name: must not be only zeros"},
    {"a company name of some zeros", "ppd.ach", "5", "PPD", 5, "000             ", "company name: must not be only"},
    {"a company that is called 007", "ppd.ach", "5", "PPD", 5, "007             ", nullptr},
    {"an entry description of zeros", "ppd.ach", "5", "PPD", 54, "0000000000",
     "company entry description: must not be only zeros"},
    {"an account of zeros", "ppd.ach", "6", "PPD", 13, "00000000000000000",
     "DFI account number: must not be only zeros"},
    {"an account of one zero", "ppd.ach", "6", "PPD", 13, "0                ",
     "DFI account number: must not be only zeros"},
    {"an account with leading zeros", "ppd.ach", "6", "PPD", 13, "00000000000000001", nullptr},
    {"an account of an advice of zeros", "adv.ach", "6", "ADV", 13, "000000000000000",
     "DFI account number: must not be only zeros"},
    {"a name of zeros", "ppd.ach", "6", "PPD", 55, "0000000000000000000000", "individual name: must not be only zeros"},
    {"a company name of zeros", "ctx.ach", "6", "CTX", 59, "0000000000000000",
     "receiving company name: must not be only zeros"},
    {"a name of zeros where none is required", "every-sec-code.ach", "6", "POS", 55, "0000000000000000000000",
     "individual name: must not be only zeros", warning},
    {"no name in a CIE entry", "every-sec-code.ach", "6", "CIE", 40, "               ",
     "individual name: must be filled in"},
    {"a name of zeros in a CIE entry", "every-sec-code.ach", "6", "CIE", 40, "000000000000000",
     "individual name: must not be only zeros"},
    {"no identification in a CIE entry", "every-sec-code.ach", "6", "CIE", 55, "                      ",
     "individual identification: should be filled in", warning},
    {"a death notice not from an agency", "every-sec-code.ach", "5", "DNE", 79, "1", "only federal agencies", warning},
    {"a death notice with a live transaction code", "every-sec-code.ach", "6", "DNE", 2, "22",
     "DNE entries have one of 23 33"},
    {"a death notice without its fixed words", "every-sec-code.ach", "7", "DNE", 4, "DATE OF BIRTH*",
     "should be DATE OF DEATH*MMDDYY*", warning},
    {"a death notice with joined words", "every-sec-code.ach", "7", "DNE", 25, "CUSTOMERSSN*0777777777",
     "social security number is not nine digits", warning},
    {"an invalid date of death", "every-sec-code.ach", "7", "DNE", 18, "023018", "date of death is not a valid date",
     warning},
    {"a date of death of February 29", "every-sec-code.ach", "7", "DNE", 18, "022924", nullptr},
    {"no social security number", "every-sec-code.ach", "7", "DNE", 38, "#########",
     "social security number is not nine digits", warning},
    {"a death notice without an amount", "every-sec-code.ach", "7", "DNE", 55, "2400,00", "the amount is not written",
     warning},
    {"an enrollment with a prenote's code", "every-sec-code.ach", "6", "ENR", 2, "28",
     "ENR entries have one of 22 27 32 37"},
    {"an enrollment with an amount", "every-sec-code.ach", "6", "ENR", 30, "0000000001",
     "amount: must be zero for ENR entries"},
    {"a truncated enrollment", "every-sec-code.ach", "7", "ENR", 51, " ", "should be transaction code*", warning},
    {"an enrollment for a loan", "every-sec-code.ach", "7", "ENR", 4, "52", "transaction code is not one of", warning},
    {"an enrollment with an unassigned routing number", "every-sec-code.ach", "7", "ENR", 7, "12200005",
     "routing number and its check digit are not valid", warning},
    {"an enrollment with an unknown code", "every-sec-code.ach", "7", "ENR", 50, "7", "enrollee code is not one of",
     warning},
    {"an advice without a day", "adv.ach", "6", "ADV", 88, "000", "is not a day of the year"},
    {"an advice with a blank day", "adv.ach", "6", "ADV", 88, "   ", "is not a day of the year"},
    {"an advice of the 367th day", "adv.ach", "6", "ADV", 88, "367", "is not a day of the year"},
    {"an advice of the 366th day", "adv.ach", "6", "ADV", 88, "366", nullptr},
    {"an advice's routing number", "adv.ach", "6", "ADV", 40, "091000018", "advice routing number: "},
    {"an advice's sequence number", "adv.ach", "6", "ADV", 91, "00A1", "sequence number: "},
    {"an advice's operator", "adv.ach", "6", "ADV", 80, "0110000A", "routing number of the ACH operator: "},
};

std::vector<Case> terminal_cases() {
    std::vector<Case> table;
    for (const char* sec : {"POS", "SHR", "MTE"}) {
        const Case rows[] = {
            {"no terminal", "", "702", sec, 14, "      ", "terminal identification code: must not be blank"},
            {"no serial number", "", "702", sec, 20, "      ", "transaction serial number: must not be blank"},
            {"no month", "", "702", sec, 26, "1301", "transaction date: "},
            {"no day", "", "702", sec, 26, "0230", "transaction date: "},
            {"February 29", "", "702", sec, 26, "0229", nullptr},
            {"no location", "", "702", sec, 36, "                           ", "terminal location: must not be blank"},
            {"no city", "", "702", sec, 63, "               ", "terminal city: must not be blank"},
            {"no state", "", "702", sec, 78, "  ", "terminal state: must not be blank"},
            {"a state of digits", "", "702", sec, 78, "17", "terminal state: should be two capital letters", warning},
            {"another trace", "", "702", sec, 94, "7", "trace number: does not match the entry", warning},
            {"another type", "", "702", sec, 2, "05", "addenda type code: "},
        };
        table.insert(table.end(), std::begin(rows), std::end(rows));
    }
    for (Case& row : table)
        row.file = "every-sec-code.ach";
    return table;
}

std::size_t place_of(const std::string& bytes, const Case& row) {
    std::size_t at = 0;
    if (*row.batch != '\0') {
        while (bytes[at] != '5' || bytes.substr(at + 50, 3) != row.batch)
            at += 95;
    }
    while (!bytes.substr(at).starts_with(row.record))
        at += 95;
    return at + row.position - 1;
}

void expect(const Case& row) {
    std::string bytes = read_data(row.file);
    const std::size_t at = place_of(bytes, row);
    bytes.replace(at, std::string_view(row.value).size(), row.value);
    const Validation validation = validate(bytes);
    const std::string shown = std::string(row.batch) + ", " + row.what + ":\n" + text_of(validation);
    if (row.message == nullptr) {
        EXPECT_TRUE(validation.summary.problems.empty()) << shown;
        return;
    }
    const auto is_it = [&](const Problem& problem) {
        return problem.line == at / 95 + 1 && problem.message.contains(row.message);
    };
    EXPECT_EQ(std::ranges::count_if(validation.summary.problems, is_it), 1) << shown;
    EXPECT_EQ(validation.is_valid(), row.severity == warning) << shown;
}

TEST(FormatFaults, are_found_in_their_field_with_the_right_severity) {
    for (const Case& row : cases)
        expect(row);
}

TEST(FormatFaults, are_found_in_terminal_addenda) {
    for (const Case& row : terminal_cases())
        expect(row);
}

TEST(FormatFaults, never_show_a_social_security_number) {
    std::string bytes = read_data("every-sec-code.ach");
    for (const char* mark : {"*AMOUNT*", "*DOE*JOHN*1"})
        bytes[bytes.find(mark)] = '+';
    const Validation validation = validate(bytes);
    EXPECT_EQ(validation.summary.warnings, 2U) << text_of(validation);
    EXPECT_FALSE(text_of(validation).contains("777777777"));
}

// The receiving routing number is one number with one reported fault; sums and totals then differ too.
TEST(FormatFaults, reject_an_unassigned_routing_number_with_a_valid_check_digit) {
    const std::string good = read_data("ppd.ach");
    const auto problems_with = [&](const std::string& routing_number) {
        std::string bytes = good;
        bytes.replace(2 * 95 + 3, 9, routing_number);
        std::vector<std::string> messages;
        for (const Problem& problem : validate(bytes).summary.problems) {
            if (problem.line == 3) messages.push_back(problem.message);
        }
        return messages;
    };
    using ::testing::ElementsAre;
    using ::testing::HasSubstr;
    using ::testing::IsEmpty;
    EXPECT_THAT(problems_with("000000000"), ElementsAre("receiving DFI identification: must not be only zeros"));
    for (int first = 0; first < 100; ++first) {
        std::string number = {static_cast<char>('0' + first / 10), static_cast<char>('0' + first % 10)};
        number += "000001";
        number += RoutingNumber::check_digit(number);
        const bool is_assigned =
            first <= 12 || (first >= 21 && first <= 32) || (first >= 61 && first <= 72) || first == 80;
        if (is_assigned)
            EXPECT_THAT(problems_with(number), IsEmpty()) << number;
        else
            EXPECT_THAT(problems_with(number), ElementsAre(HasSubstr("no routing number begins with"))) << number;
        number.back() = number.back() == '9' ? '0' : static_cast<char>(number.back() + 1);
        EXPECT_EQ(problems_with(number).size(), 1U) << number;
    }
}

TEST(FormatFaults, allow_padding_only_at_the_end_of_the_file) {
    const std::string good = read_data("every-record.ach");
    const std::string nines = std::string(94, '9') + "\n";
    const auto second_batch = good.find("\n5", good.find("\n5") + 1) + 1;
    const auto entry = good.find("\n6") + 1;
    for (const std::size_t at : {second_batch, entry}) {
        std::string bytes = good;
        bytes.insert(at, nines + nines);
        const Validation validation = validate(bytes);
        ASSERT_FALSE(validation.summary.problems.empty());
        EXPECT_FALSE(validation.is_valid());
        EXPECT_EQ(validation.summary.problems.front().line, at / 95 + 1);
        EXPECT_EQ(validation.summary.problems.front().message, "padding before the file control");
        EXPECT_EQ(text_of(validation).find("padding before"), text_of(validation).rfind("padding before"));
    }
}

// Editors count characters, and so does the report. The bytes that follow are out of position and are not checked.
TEST(FormatFaults, report_a_two_byte_character_once_at_its_position) {
    const std::string good = read_data("every-record.ach");
    for (const std::size_t line : {1UZ, 2UZ, 3UZ, 4UZ, 6UZ}) {
        std::string bytes = good;
        bytes.replace((line - 1) * 95 + 70, 1, "É");
        const Validation validation = validate(bytes);
        ASSERT_EQ(validation.summary.problems.size(), 1U) << text_of(validation);
        EXPECT_EQ(validation.summary.problems[0].line, line);
        EXPECT_EQ(validation.summary.problems[0].position, 71U);
        EXPECT_THAT(validation.summary.problems[0].message, ::testing::HasSubstr("95 bytes, not 94"));
    }
    std::string cut = read_data("ppd.ach");
    cut.replace(63, 31, "ÉÉ");  // in the file header, which lost its trailing spaces
    const Validation validation = validate(cut);
    EXPECT_THAT(text_of(validation), ::testing::HasSubstr("1:66: the record has 65 characters, not 94"));
}

TEST(FormatFaults, report_the_other_side_of_the_money_unless_it_is_a_reversal_or_a_reclaim) {
    std::string bytes = read_data("every-sec-code.ach");
    const auto describe_as = [&](const std::string& from, const std::string& to) {
        bytes.replace(bytes.find(from), 10, to);
        return text_of(validate(bytes));
    };
    const std::string of_reversal = text_of(validate(bytes));
    EXPECT_EQ(of_reversal.find("TEL entries are debits"), std::string::npos);
    EXPECT_EQ(describe_as("REVERSAL  ", "RECLAIM   "), of_reversal);
    EXPECT_NE(describe_as("RECLAIM   ", "RECLAIMS  ").find("TEL entries are debits"), std::string::npos);
}

TEST(FormatFaults, name_an_earlier_trace_number_by_all_of_its_digits) {
    std::string bytes = read_data("credits.ach");
    const auto second = bytes.find("091000010000002");
    bytes.replace(second, 15, "091000010000001");
    EXPECT_NE(text_of(validate(bytes)).find(": must be greater than 091000010000001, the one before it"),
              std::string::npos)
        << text_of(validate(bytes));
}

TEST(FormatFaults, report_missing_addenda_once) {
    std::string bytes = read_data("every-sec-code.ach");
    const auto header = bytes.find("1123456789DNE");
    const auto addenda = bytes.find("\n705", header) + 1;
    bytes.erase(addenda, 95);
    std::vector<std::string> of_entry;
    for (const Problem& problem : validate(bytes).summary.problems) {
        if (problem.line == addenda / 95) of_entry.push_back(problem.message);
    }
    EXPECT_THAT(of_entry, ::testing::ElementsAre("addenda record indicator: is 1, but no addenda record follows"));
}

}  // namespace
}  // namespace drawbridge::nacha
