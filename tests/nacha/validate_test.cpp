#include "drawbridge/nacha/validate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "drawbridge/nacha/encode.hpp"
#include "nacha/sample_files.hpp"

namespace drawbridge::nacha {
namespace {

using testing::credits;
using testing::read_data;

std::string text_of(const std::vector<Problem>& problems) {
    std::string text;
    for (const Problem& problem : problems) {
        text += std::to_string(problem.line) + ":" + std::to_string(problem.position) + ": " + problem.message + "\n";
    }
    return text;
}

bool has_problem(const std::vector<Problem>& problems, std::size_t line, std::size_t first, std::size_t last) {
    return std::ranges::any_of(problems, [&](const Problem& problem) {
        return problem.line == line && problem.position >= first && problem.position <= last;
    });
}

// `bytes` with `value` at line and position, both from 1.
std::string with(std::string bytes, std::size_t line, std::size_t position, const std::string& value) {
    return bytes.replace((line - 1) * 95 + position - 1, value.size(), value);
}

TEST(Validate, finds_nothing_wrong_in_valid_files) {
    for (const char* name : {"credits.ach", "nacha-return-web.ach", "nacha-noc.ach"}) {
        const Validation validation = validate(read_data(name));
        EXPECT_TRUE(validation.is_valid()) << name << "\n" << text_of(validation.summary.problems);
        EXPECT_FALSE(validation.file.batches.empty());
    }
}

struct Fault {
    std::size_t line, position, length;
    const char* value;
};

// One fault for each field of each record of credits.ach that can be invalid by itself or inconsistent with the rest of
// the file. The lines are 1 header, 2 PPD batch, 3 entry, 4 addenda, 5 entry, 6 control, 7 CTX batch, 8 entry, 9-10
// addenda, 11 control, 12 file control, 13-20 padding.
constexpr Fault faults[] = {
    {1, 1, 1, "2"},
    {1, 2, 2, "02"},
    {1, 4, 10, " 091000018"},
    {1, 4, 10, "1091000019"},
    {1, 4, 10, "          "},
    {1, 14, 10, "112345678 "},
    {1, 14, 10, "          "},
    {1, 14, 10, "112345-789"},
    {1, 24, 6, "261131"},
    {1, 24, 6, "26112X"},
    {1, 24, 6, "      "},
    {1, 30, 4, "2400"},
    {1, 30, 4, "0960"},
    {1, 34, 1, "a"},
    {1, 34, 1, " "},
    {1, 35, 3, "095"},
    {1, 38, 2, "20"},
    {1, 40, 1, "2"},
    {1, 41, 23, "\x01"},
    {1, 64, 23, "\xC3"},
    {1, 87, 8, "\t"},
    {2, 2, 3, "221"},
    {2, 5, 16, "                "},
    {2, 21, 20, "\x7F"},
    {2, 41, 10, "          "},
    {2, 51, 3, "PPX"},
    {2, 51, 3, "   "},
    {2, 54, 10, "          "},
    {2, 64, 6, "\x02"},
    {2, 70, 6, "260229"},
    {2, 70, 6, "      "},
    {2, 70, 6, "000000"},
    {2, 76, 3, "367"},
    {2, 76, 3, "1 1"},
    {2, 79, 1, "3"},
    {2, 80, 8, "0910000A"},
    {2, 88, 7, "000000X"},
    {3, 2, 2, "25"},
    {3, 2, 2, "27"},
    {3, 2, 2, "  "},
    {3, 4, 8, "0210000X"},
    {3, 12, 1, "2"},
    {3, 12, 1, "X"},
    {3, 13, 17, " 12345678        "},
    {3, 13, 17, "                 "},
    {3, 13, 17, "123 456 789      "},
    {3, 13, 17, "1234#6789        "},
    {3, 30, 10, "0000000000"},
    {3, 30, 10, "000012500 "},
    {3, 30, 10, "-000125000"},
    {3, 40, 15, "\x1B"},
    {3, 55, 22, "                      "},
    {3, 77, 2, "\x03"},
    {3, 79, 1, "0"},
    {3, 79, 1, "2"},
    {3, 80, 15, "091000020000001"},
    {3, 80, 15, "09100001000000X"},
    {4, 2, 2, "06"},
    {4, 2, 2, "98"},
    {4, 4, 80, "\x04"},
    {4, 84, 4, "0002"},
    {4, 84, 4, "   1"},
    {4, 88, 7, "0000002"},
    {4, 88, 7, "000000A"},
    {5, 79, 1, "1"},
    {5, 80, 15, "091000010000001"},
    {5, 80, 15, "091000010000000"},
    {6, 2, 3, "200"},
    {6, 2, 3, "999"},
    {6, 5, 6, "000004"},
    {6, 5, 6, "00000 "},
    {6, 11, 10, "0003240156"},
    {6, 21, 12, "000000000001"},
    {6, 33, 12, "000000132501"},
    {6, 45, 10, "1123456780"},
    {6, 45, 10, "          "},
    {6, 55, 19, "\x05"},
    {6, 74, 6, "     X"},
    {6, 80, 8, "09100002"},
    {6, 88, 7, "0000002"},
    {7, 88, 7, "0000001"},
    {8, 55, 4, "0003"},
    {8, 55, 4, "   2"},
    {8, 59, 16, "                "},
    {8, 75, 2, "X "},
    {8, 79, 1, "0"},
    {8, 80, 15, "091000010000001"},
    {10, 84, 4, "0001"},
    {10, 84, 4, "0003"},
    {11, 11, 10, "0012104289"},
    {12, 2, 6, "000001"},
    {12, 8, 6, "000003"},
    {12, 14, 8, "00000005"},
    {12, 22, 10, "0015344444"},
    {12, 32, 12, "000000000100"},
    {12, 44, 12, "000000132601"},
    {12, 44, 12, "0000001326 0"},
    {12, 56, 39, "                                      X"},
    {13, 50, 45, "8"},
    {20, 1, 1, "8"},
};

TEST(Validate, finds_one_fault_in_each_field_at_its_position) {
    const std::string good = read_data("credits.ach");
    for (const Fault& fault : faults) {
        const Validation validation = validate(with(good, fault.line, fault.position, fault.value));
        EXPECT_TRUE(
            has_problem(validation.summary.problems, fault.line, fault.position, fault.position + fault.length - 1))
            << "line " << fault.line << ", position " << fault.position << " '" << fault.value << "'\n"
            << text_of(validation.summary.problems);
    }
}

TEST(Validate, finds_faults_of_returns_and_notifications_of_change) {
    struct Case {
        const char* name;
        Fault fault;
    };
    const Case table[] = {
        {"nacha-return-web.ach", {4, 4, 3, "R1X"}},
        {"nacha-return-web.ach", {4, 4, 3, "   "}},
        {"nacha-return-web.ach", {4, 7, 15, "09140060000000 "}},
        {"nacha-return-web.ach", {4, 22, 6, "181017"}},  // a date of death with R01
        {"nacha-return-web.ach", {4, 22, 6, "181317"}},
        {"nacha-return-web.ach", {4, 28, 8, "0910000X"}},
        {"nacha-return-web.ach", {4, 80, 15, "091000017611243"}},
        {"nacha-noc.ach", {3, 30, 10, "0000000001"}},
        {"nacha-noc.ach", {4, 4, 3, "X01"}},
        {"nacha-noc.ach", {4, 22, 6, "     1"}},
        {"nacha-noc.ach", {4, 36, 29, "                             "}},
        {"nacha-noc.ach", {2, 51, 3, "PPD"}},
    };
    for (const auto& [name, fault] : table) {
        const Validation validation = validate(with(read_data(name), fault.line, fault.position, fault.value));
        const bool is_sec_code = fault.position == 51;  // the addenda on line 4 is then in the wrong batch
        EXPECT_TRUE(is_sec_code ? has_problem(validation.summary.problems, 4, 2, 3)
                                : has_problem(validation.summary.problems, fault.line, fault.position,
                                              fault.position + fault.length - 1))
            << name << ", line " << fault.line << ", position " << fault.position << "\n"
            << text_of(validation.summary.problems);
    }
}

TEST(Validate, checks_the_rules_of_batches_and_entries) {
    struct Case {
        const char* what;
        std::function<void(File&)> change;
        std::size_t line, position;
    };
    const auto first = [](File& file) -> EntryDetail& { return file.batches[0].entries[0]; };
    const Case table[] = {
        {"batch numbers that do not ascend", [](File& f) { f.batches[1].header.batch_number = 1; }, 7, 88},
        {"a batch without entries", [](File& f) { f.batches[1].entries.clear(); }, 7, 0},
        {"a file without batches", [](File& f) { f.batches.clear(); }, 1, 0},
        {"a debit in a credit batch", [&](File& f) { first(f).transaction_code = 27; }, 3, 2},
        {"a credit in a debit batch",
         [](File& f) {
             f.batches[0].header.service_class = ServiceClass::debits;
             f.batches[0].entries[1].transaction_code = 37;
         },
         3, 2},
        {"a live entry of zero", [&](File& f) { first(f).amount = Money(); }, 3, 30},
        {"a prenote with an amount", [&](File& f) { first(f).transaction_code = 23; }, 3, 30},
        {"a zero-dollar entry with an amount",
         [&](File& f) {
             f.batches[0].header.standard_entry_class_code = "CCD";
             first(f).transaction_code = 24;
         },
         3, 30},
        {"a zero-dollar entry to a person",
         [&](File& f) {
             first(f).transaction_code = 24;
             first(f).amount = Money();
         },
         3, 2},
        {"two addenda of a PPD entry", [&](File& f) { first(f).addenda.push_back(PaymentAddenda{"MORE", 2, 1}); }, 3,
         79},
        {"a trace number of another bank", [&](File& f) { first(f).trace_number = "021000020000001"; }, 3, 80},
        {"a trace number twice in the file",
         [](File& f) {
             EntryDetail& entry = f.batches[1].entries[0];
             entry.trace_number = "091000010000002";
             for (Addenda& addenda : entry.addenda)
                 std::get<PaymentAddenda>(addenda).entry_detail_sequence_number = 2;
         },
         8, 80},
        {"an addenda type without meaning",
         [&](File& f) { first(f).addenda = {OtherAddenda{"706" + std::string(91, ' ')}}; }, 4, 2},
        {"a notification of change in a live batch",
         [&](File& f) {
             first(f).addenda = {ChangeAddenda{"C02", "091000010000001", "09100001", "021000021", "091000010000001"}};
         },
         4, 2},
    };
    for (const Case& row : table) {
        File file = credits();
        row.change(file);
        const auto bytes = encode(file);
        ASSERT_TRUE(bytes) << row.what << ": " << bytes.error().message;
        const Validation validation = validate(*bytes);
        ASSERT_EQ(validation.summary.problems.size(), 1U) << row.what << "\n" << text_of(validation.summary.problems);
        EXPECT_EQ(validation.summary.problems[0].line, row.line) << row.what << "\n"
                                                                 << text_of(validation.summary.problems);
        EXPECT_EQ(validation.summary.problems[0].position, row.position) << row.what << "\n"
                                                                         << text_of(validation.summary.problems);
    }
    File prenote = credits();
    first(prenote).transaction_code = 23;
    first(prenote).amount = Money();
    EXPECT_TRUE(validate(encode(prenote).value()).is_valid());
}

TEST(Validate, finds_faults_of_lines_and_blocks) {
    const std::string good = read_data("credits.ach");
    struct Case {
        const char* what;
        std::string bytes;
        std::size_t line;
    };
    std::string mixed = good;
    mixed.insert(3 * 95 - 1, "\r");
    const Case table[] = {
        {"a padding line too few", good.substr(0, 19 * 95), 19},
        {"a padding line too many", good + std::string(94, '9') + "\n", 21},
        {"a block too many", good + good.substr(12 * 95, 8 * 95) + good.substr(12 * 95, 2 * 95), 30},
        {"no padding", good.substr(0, 12 * 95), 12},
        {"mixed line ends", mixed, 3},
        {"an empty line at the end", good + "\n", 21},
        {"an empty line in the middle", std::string(good).insert(5 * 95, "\n"), 6},
        {"an end-of-file character", good + "\x1A", 21},
        {"empty", "", 0},
    };
    for (const auto& [what, bytes, line] : table) {
        const Validation validation = validate(bytes);
        EXPECT_TRUE(has_problem(validation.summary.problems, line, 0, 95)) << what << "\n"
                                                                           << text_of(validation.summary.problems);
    }
}

TEST(Validate, accepts_returns_but_not_payments_without_file_records) {
    const auto without_file_records = [](const std::string& bytes) {
        const auto end = bytes.rfind("\n9000");
        return bytes.substr(95, end + 1 - 95);
    };
    EXPECT_TRUE(validate(without_file_records(read_data("returns.ach"))).is_valid());
    EXPECT_TRUE(validate(without_file_records(read_data("changes.ach"))).is_valid());
    EXPECT_FALSE(validate(without_file_records(read_data("ppd.ach"))).is_valid());
}

TEST(Validate, only_warns_where_banks_differ) {
    struct Case {
        const char* what;
        std::string bytes;
        std::size_t line;
    };
    const std::string ppd = read_data("ppd.ach");
    const std::string returns = read_data("returns.ach");
    const Case table[] = {
        {"a destination after a zero is no problem at all", with(ppd, 1, 4, "0091000019"), 0},
        {"an account number with a blank", with(ppd, 3, 13, "123 456"), 3},
        {"an empty line at the end", ppd + "\n", 11},
        {"a return to an originator under its own id", with(returns, 1, 4, "1123456789"), 1},
        {"a return that keeps the code of its entry", with(returns, 3, 2, "22"), 3},
        {"returns of several banks in a batch", with(with(returns, 5, 80, "121042880000002"), 6, 80, "121042880000002"),
         5},
    };
    for (const auto& [what, bytes, line] : table) {
        const Validation validation = validate(bytes);
        EXPECT_TRUE(validation.is_valid()) << what << "\n" << text_of(validation.summary.problems);
        if (line == 0)
            EXPECT_TRUE(validation.summary.problems.empty()) << what;
        else
            EXPECT_TRUE(has_problem(validation.summary.problems, line, 0, 95)) << what;
    }
}

TEST(Validate, checks_each_character_of_an_account_number) {
    const std::string ppd = read_data("ppd.ach");
    for (std::size_t length = 1; length <= 17; ++length) {
        std::string account(length, '7');
        account.resize(17, ' ');
        EXPECT_TRUE(validate(with(ppd, 3, 13, account)).summary.problems.empty()) << account;
        for (std::size_t at = 0; at < length; ++at) {
            for (const char c : std::string("09AZaz-")) {
                account[at] = c;
                if (account.find_first_not_of("0 ") == std::string::npos) continue;  // not an account number
                EXPECT_TRUE(validate(with(ppd, 3, 13, account)).summary.problems.empty()) << account;
            }
            for (const char c : std::string("/:@[`{,. ")) {
                account[at] = c;
                const bool is_shorter = c == ' ' && at + 1 == length && length > 1;
                const Validation validation = validate(with(ppd, 3, 13, account));
                EXPECT_EQ(has_problem(validation.summary.problems, 3, 13, 13), !is_shorter) << account;
            }
            account[at] = '7';
        }
    }
}

TEST(Validate, accepts_and_reports_a_record_without_its_trailing_spaces) {
    std::string bytes = read_data("returns.ach");
    const auto control = bytes.find("9000001");
    bytes.erase(control + 55, 39);
    const Validation validation = validate(bytes);
    EXPECT_TRUE(validation.is_valid());
    ASSERT_EQ(validation.summary.problems.size(), 1U);
    EXPECT_EQ(validation.summary.problems.front().position, 56U);
}

TEST(Validate, counts_the_problems_that_it_does_not_list) {
    std::string bytes;
    for (int i = 0; i < 5000; ++i)
        bytes += std::string(94, 'X') + "\n";
    const Validation validation = validate(bytes);
    EXPECT_GE(validation.summary.errors, 5000U);
    EXPECT_LE(validation.summary.problems.size(), 2000U);
    EXPECT_EQ(validation.summary.left_out + validation.summary.problems.size(),
              validation.summary.errors + validation.summary.warnings);
}

// Exceptions: a truncation or a line end that loses nothing is not an error.
TEST(Validate, finds_every_truncation_and_every_byte_that_is_not_ascii) {
    const std::string good = read_data("credits.ach");
    File whole = validate(good).file;
    const auto is_found = [&](const std::string& bytes) {
        Validation validation = validate(bytes);
        // After position 40 of the file header come names for people.
        whole.header.immediate_destination_name = validation.file.header.immediate_destination_name;
        whole.header.immediate_origin_name = validation.file.header.immediate_origin_name;
        return !validation.is_valid() || (validation.file == whole && validation.summary.has_file_control);
    };
    for (std::size_t at = 0; at < good.size(); ++at) {
        EXPECT_TRUE(is_found(good.substr(0, at))) << at;
        std::string flipped = good;
        flipped[at] = static_cast<char>(flipped[at] ^ 0x80);
        EXPECT_FALSE(validate(flipped).is_valid()) << at;
        flipped[at] = '\n';
        EXPECT_TRUE(is_found(flipped)) << at;
    }
}

TEST(Validate, reports_batch_numbers_out_of_order_as_an_error_only_for_payments) {
    struct Case {
        const char* name;
        std::size_t header, control;  // lines of the second batch
        bool is_valid;
    };
    for (const Case& row : {Case{"credits.ach", 7, 11, false}, Case{"disputes.ach", 6, 9, true}}) {
        const std::string bytes =
            with(with(read_data(row.name), row.header, 88, "0000001"), row.control, 88, "0000001");
        const Validation validation = validate(bytes);
        ASSERT_TRUE(has_problem(validation.summary.problems, row.header, 88, 88))
            << row.name << "\n"
            << text_of(validation.summary.problems);
        EXPECT_EQ(validation.is_valid(), row.is_valid) << row.name << "\n" << text_of(validation.summary.problems);
    }
}

TEST(Validate, warns_of_lines_that_end_with_two_returns) {
    std::string bytes = read_data("credits.ach");
    for (std::size_t at = 94; at < bytes.size(); at += 97)
        bytes.insert(at, "\r\r");
    const Validation validation = validate(bytes);
    EXPECT_TRUE(validation.is_valid());
    EXPECT_EQ(text_of(validation.summary.problems), "1:95: the lines end with CR CR LF\n");
}

TEST(Validate, requires_each_type_of_addenda_of_an_international_entry) {
    const std::string bytes = with(read_data("iat.ach"), 10, 2, "17");
    const Validation validation = validate(bytes);
    EXPECT_TRUE(std::ranges::any_of(validation.summary.problems, [](const Problem& problem) {
        return problem.line == 3 && problem.message.contains("each type from 10 to 16");
    })) << text_of(validation.summary.problems);
}

}  // namespace
}  // namespace drawbridge::nacha
