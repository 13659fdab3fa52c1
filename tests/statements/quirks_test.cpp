// Known quirks of the files that banks and finance offices send: for each, a file that has it and the expected reading.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "statements/shown.hpp"

namespace drawbridge::statements {
namespace {

using testing::HasSubstr;

struct Quirk {
    const char* what;
    std::string profile;  // for CSV, in addition to columns 1 reference, 2 status, 3 amount, 4 date; "-": no profile
    std::string bytes;
    const char* says;
};

std::string shown_by(const Quirk& quirk) {
    ReadOptions options;
    options.office.odfi_identification = "09100001";
    if (quirk.profile == "-") return shown(quirk.bytes, "f", options);
    std::string yaml = "format: csv\nreferences:\n  - {kind: check_number, column: 1}\n";
    const auto unless = [&](const char* key, const char* line) {
        if (quirk.profile.find(key) == std::string::npos) yaml += line;
    };
    unless("header:", "header: false\n");
    unless("amount:", "amount: 3\n");
    unless("date:", "date: 4\n");
    unless("status:", "status: 2\n");
    auto profile = read_csv_profile(yaml + quirk.profile, "p.yaml");
    if (!profile) return text::to_string(profile.error());
    options.csv_profiles = {*profile};
    options.profile = "p";
    return shown(quirk.bytes, "f", options);
}

void expect(const std::vector<Quirk>& quirks) {
    for (const Quirk& quirk : quirks)
        EXPECT_THAT(shown_by(quirk), HasSubstr(quirk.says)) << quirk.what;
}

constexpr const char* good = "1 paid 5.00 USD 2026-11-24 check number=10001";

TEST(Quirks, of_finance_csv_are_read_as_listed) {
    expect({
        {"UTF-8 with a byte order mark", "",
         "\xEF\xBB\xBF"
         "10001,paid,5,2026-11-24\n",
         good},
        {"UTF-8 without one", "", "10001,paid,5,2026-11-24\n", good},
        {"Windows-1252", "encoding: windows-1252\npayee_name: 5\n", "10001,paid,5,2026-11-24,Jos\xE9 \x80\n",
         "payee='Jos\xC3\xA9 \xE2\x82\xAC'"},
        {"Windows-1252 that says to be UTF-8", "", "10001,paid,5,2026-11-24,Jos\xE9\n", "f:1"},
        {"semicolons", "separator: \";\"\n", "10001;paid;5;2026-11-24\n", good},
        {"tabs", "separator: tab\n", "10001\tpaid\t5\t2026-11-24\n", good},
        {"bars", "separator: \"|\"\n", "10001|paid|5|2026-11-24\n", good},
        {"a quote that is no double quote", "quote: \"'\"\npayee_name: 5\n", "10001,paid,5,2026-11-24,'A, B'\n",
         "payee='A, B'"},
        {"quotes and a line end within a value", "note: 5\n", "10001,paid,5,2026-11-24,\"said \"\"no\"\"\ntwice\"\n",
         "note='said \"no\" twice'"},
        {"CRLF", "", "10001,paid,5,2026-11-24\r\n", good},
        {"no line end at the end", "", "10001,paid,5,2026-11-24", good},
        {"lines to skip at head and foot", "skip: {head: 2, foot: 1}\n",
         "Report \"of\nthe day\n10001,paid,5,2026-11-24\nThe end\n", "3 paid 5.00"},
        {"columns by header, in another order", "header: true\nstatus: S\n", "A,S,B,C\n10001,paid,5,2026-11-24\n",
         "2 paid 5.00"},
        {"a changed header", "header: [Ref, S, Amount, Day]\n", "Ref,S,Total,Day\n10001,paid,5,2026-11-24\n",
         "f:1:7: the header has changed: column 3 is 'total', not 'amount'"},
        {"a date of another order", "date: {column: 4, format: DD/MM/YY}\n", "10001,paid,5,24/11/26\n", good},
        {"a date with a month's name", "date: {column: 4, format: DD-MON-YYYY}\n", "10001,paid,5,24-Nov-2026\n", good},
        {"a date that does not use up its value", "date: {column: 4, format: MM/DD/YYYY}\n",
         "10001,paid,5,11/24/2026 noon\n", "f:1:14: date '11/24/2026 noon' is not a date written as MM/DD/YYYY"},
        {"a date with a time of day", "date: {column: 4, format: MM/DD/YYYY}\n", "10001,paid,5,11/24/2026 11:59 PM\n",
         good},
        {"a date with a time of day, in ISO 8601", "", "10001,paid,5,2026-11-24T23:59:59.999\n", good},
        {"a date with a time and an offset", "", "10001,paid,5,2026-11-24T23:59:59Z\n",
         "f:1:14: date '2026-11-24T23:59:59Z'"},
        {"a day that does not exist", "", "10001,paid,5,2026-02-30\n", "f:1:14: date '2026-02-30'"},
        {"decimal comma, thousands point", "amount: {column: 3, decimal: \",\", thousands: \".\"}\n",
         "10001,paid,\"1.250,00\",2026-11-24\n", "1 paid 1250.00"},
        {"a dollar sign", "amount: {column: 3, symbol: \"$\"}\n", "10001,paid,$5.00,2026-11-24\n", good},
        {"parentheses for money that went out",
         "amount: {column: 3, negative: out}\ndirection: {out: paid, in: unrelated}\n",
         "10001,paid,(5.00),2026-11-24\n", good},
        {"a minus that the profile does not know", "", "10001,paid,-5.00,2026-11-24\n", "f:1:12: amount '-5.00'"},
        {"a plus sign", "", "10001,paid,+5.00,2026-11-24\n", good},
        {"a plus and a minus sign", "amount: {column: 3, negative: out}\ndirection: {out: paid, in: returned}\n",
         "10001,paid,+-5.00,2026-11-24\n", "f:1:12: amount '+-5.00'"},
        {"lines that end with a separator, unlike the header", "header: true\nstatus: S\n",
         "A,S,B,C\n10001,paid,5,2026-11-24,\n10002,paid,5,2026-11-24,\n", "3 paid 5.00"},
        {"one line that ends with a separator", "header: true\nstatus: S\n",
         "A,S,B,C\n10001,paid,5,2026-11-24\n10002,paid,5,2026-11-24,\n", "f:3:25: 5 fields, but there should be 4"},
        {"a value that contains a separator, in lines that end with one", "header: true\nstatus: S\n",
         "A,S,B,C\n10001,paid,5,2026-11-24,\n10002,paid,5,0,2026-11-24,\n", "f:3:27: 6 fields, but there should be 5"},
        {"a D/C flag",
         "amount: {column: 3, flag: 5, debit_word: D, credit_word: C}\ndirection: {out: paid, in: unrelated}\n",
         "10001,paid,5,2026-11-24,D\n", good},
        {"two columns for the sign", "amount: {debit: 3, credit: 5}\ndirection: {out: paid, in: unrelated}\n",
         "10001,paid,5,2026-11-24,\n", good},
        {"constant values", "status: {constant: paid}\ncurrency: {constant: USD}\n", "10001,,5,2026-11-24\n", good},
        {"words of the bank's own", "words: {paid: [Cleared], returned: [NSF], void: [Stopped], pending: [Open]}\n",
         "10001,cleared,5,2026-11-24\n10001,NSF,5,2026-11-24\n10001,STOPPED,5,2026-11-24\n10001,Open,5,2026-11-24\n",
         "1 paid 5.00 USD 2026-11-24 check number=10001\n2 returned 5.00 USD 2026-11-24 check number=10001\n3 void "
         "5.00 "
         "USD 2026-11-24 check number=10001\n4 pending 5.00"},
        {"a word that nobody knows", "", "10001,maybe,5,2026-11-24\n", "f:1:7: unknown status 'maybe'"},
        {"control totals", "skip: {foot: 1}\ncontrol: {row: 1, count: 1, total: 2}\n",
         "10001,paid,5,2026-11-24\n1,5.00\n", good},
        {"control totals of a cut file", "skip: {foot: 1}\ncontrol: {row: 1, count: 1, total: 2}\n",
         "10001,paid,5,2026-11-24\n2,10.00\n", "f:2:1: the control count is '2', but the number of lines is 1"},
        {"a value that is empty", "", "10001,paid,,2026-11-24\n", "f:1:12: no amount"},
        {"a third decimal", "", "10001,paid,5.005,2026-11-24\n", "f:1:12: amount '5.005'"},
        {"one bad line among good ones", "", "10001,paid,5,2026-11-24\n10002,paid,x,2026-11-24\n",
         "f:2:12: amount 'x'"},
    });
}

std::string bai2(const std::string& lines, long total, int records) {
    return "01,BANK,OFFICE,261124,0800,7,,,2/\n02,OFFICE,BANK,1,261124,,USD,2/\n03,12345,USD,,,,/\n" + lines + "49," +
           std::to_string(total) + "," + std::to_string(records + 2) + "/\n98," + std::to_string(total) + ",1," +
           std::to_string(records + 4) + "/\n99," + std::to_string(total) + ",1," + std::to_string(records + 6) + "/\n";
}

TEST(Quirks, of_bai2_are_read_as_listed) {
    expect({
        {"a slash in a text", "-", bai2("16,475,500,Z,,10001,PAID 11/24 A/B/\n", 500, 1), "note='475 PAID 11/24 A/B'"},
        {"an amount after a slash in a text", "-", bai2("16,475,500,Z,,10001,PAID 12/ 49,000 USD/\n", 500, 1),
         "note='475 PAID 12/ 49,000 USD'"},
        {"a padded line", "-", bai2("16,475,500,Z,,10001,A/          \n", 500, 1), "4 paid 5.00"},
        {"a continuation in the middle of the fields", "-", bai2("16,475,500,Z/\n88,,10001,A/\n", 500, 2),
         "4 paid 5.00"},
        {"several continuations of a text", "-", bai2("16,475,500,Z,,10001,A\n88,B\n88,C/\n", 500, 3),
         "note='475 A B C'"},
        {"several records on a line", "-", bai2("16,475,500,Z,,10001,A/ 16,475,700,Z,,10002,B/\n", 1200, 2),
         "number=10002"},
        {"totals as written, with signs", "-", bai2("16,475,+500,Z,,10001,A/\n16,475,-200,Z,,10002,B/\n", 300, 2),
         "5 disputed 2.00"},
        {"trailers without a number of accounts or groups", "-",
         "01,BANK,OFFICE,261124,0800,7,,,2/\n02,OFFICE,BANK,1,261124,,USD,2/\n03,12345,USD,,,,/\n"
         "16,475,500,Z,,10001,A/\n49,500,3/\n98,500,,5/\n99,500,,7/\n",
         "4 paid 5.00"},
        {"records without slashes", "-",
         "01,BANK,OFFICE,261124,0800,7,,,2\n02,OFFICE,BANK,1,261124,,USD,2\n03,12345,USD,,,,\n"
         "16,475,500,Z,,10001,PAID\n88,IN FULL\n49,500,4\n98,500,1,6\n99,500,1,8\n",
         "4 paid 5.00 USD 2026-11-24 check number=10001 note='475 PAID IN FULL'"},
        {"numbered lines of a CSV", "-", "01,10001,paid\n02,10002,paid\n03,10003,paid\n04,10004,paid\n",
         "unknown column '01'"},
        {"a trailer of a group that leaves out the number of accounts", "-",
         "01,BANK,OFFICE,261124,0800,7,,,2/\n02,OFFICE,BANK,1,261124,,USD,2/\n03,12345,USD,,,,/\n"
         "16,475,500,Z,,10001,A/\n49,500,3/\n98,500,5,/\n99,500,1,7/\n",
         "4 paid 5.00"},
        {"a trailer of a group that leaves out the number of records", "-",
         "01,BANK,OFFICE,261124,0800,7,,,2/\n02,OFFICE,BANK,1,261124,,USD,2/\n03,12345,USD,,,,/\n"
         "16,475,500,Z,,10001,A/\n49,500,3/\n98,500,1/\n99,500,1,7/\n",
         "the number of records is 1, but the preceding records add up to 5"},
        {"a number of accounts that is wrong", "-",
         "01,BANK,OFFICE,261124,0800,7,,,2/\n02,OFFICE,BANK,1,261124,,USD,2/\n03,12345,USD,,,,/\n"
         "16,475,500,Z,,10001,A/\n49,500,3/\n98,500,2,5/\n99,500,1,7/\n",
         "the number of accounts is 2"},
        {"amounts padded with zeros, with and without a sign", "-",
         "01,BANK,OFFICE,261124,0800,7,,,2/\n02,OFFICE,BANK,1,261124,,USD,2/\n"
         "03,12345,USD,015,-00000000000005000,,/\n16,475,000000000000000500,Z,,10001,A/\n"
         "49,-00000000000004500,3/\n98,-000000000000000000004500,1,5/\n99,-00000000000004500,1,7/\n",
         "4 paid 5.00"},
        {"an amount of eighteen digits", "-", bai2("16,475,100000000000000500,Z,,10001,A/\n", 500, 1),
         "is not a whole number of cents"},
        {"an amount with two signs", "-", bai2("16,475,+-500,Z,,10001,A/\n", 500, 1), "is not a whole number of cents"},
        {"a total that does not add up", "-", bai2("16,475,500,Z,,10001,A/\n", 700, 1), "the account control total is"},
        {"475 a check paid", "-", bai2("16,475,500,Z,,10001,/\n", 500, 1), "4 paid 5.00 USD 2026-11-24 check"},
        {"455, 451, 447 money that went out", "-",
         bai2("16,455,1,Z,,091000010000001,/\n16,451,1,Z,,,P0000000001/\n16,447,1,Z,P0000000002,,/\n", 3, 3),
         "4 paid 0.01 USD 2026-11-24 trace number=091000010000001 note='455'\n5 paid 0.01 USD 2026-11-24 payment "
         "id=P0000000001 note='451 P****0001'\n6 paid 0.01 USD 2026-11-24 payment id=P0000000002"},
        {"257, 261 ACH returns, 557 a debit", "-",
         bai2("16,257,1,Z,,091000010000001,/\n16,261,1,Z,,091000010000002,R02/\n16,557,1,Z,,091000010000003,R02/\n", 3,
              3),
         "5 returned 0.01 USD 2026-11-24 trace number=091000010000002 R02 note='261 R02'\n6 disputed 0.01 USD "
         "2026-11-24 "
         "trace number=091000010000003 R02"},
        {"255 a returned check", "-", bai2("16,255,500,Z,,10001,/\n", 500, 1), "4 returned 5.00"},
        {"every funds type", "-",
         bai2("16,475,1,S,1,2,3,,10001,/\n16,475,1,V,261125,1200,,10002,/\n16,475,1,D,2,0,1,1,2,,10003,/\n"
              "16,475,1,0,,10004,/\n16,475,1,1,,10005,/\n16,475,1,2,,10006,/\n16,475,1,,,10007,/\n",
              7, 7),
         "10 paid 0.01 USD 2026-11-24 check number=10007"},
    });
}

std::string camt(const std::string& root, const std::string& inside, const std::string& ns) {
    return "<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:" + ns + "\"><" + root +
           "><GrpHdr><MsgId>M</MsgId><CreDtTm>2026-11-24T08:00:00</CreDtTm></GrpHdr>" + inside + "</" + root +
           "></Document>";
}

std::string entry(const std::string& side, const std::string& more, const std::string& inside) {
    return "<Ntry><Amt Ccy=\"USD\">5.00</Amt><CdtDbtInd>" + side + "</CdtDbtInd>" + more +
           "<Sts>BOOK</Sts><BookgDt><Dt>2026-11-23</Dt></BookgDt><ValDt><Dt>2026-11-24</Dt></ValDt><NtryDtls><TxDtls>" +
           inside + "</TxDtls></NtryDtls></Ntry>";
}

std::string statement(const std::string& entries, const std::string& version = "08") {
    return camt("BkToCstmrStmt", "<Stmt>" + entries + "</Stmt>", "camt.053.001." + version);
}

const std::string reference = "<Refs><EndToEndId>P0000000001</EndToEndId></Refs>";

TEST(Quirks, of_iso20022_are_read_as_listed) {
    std::vector<Quirk> quirks = {
        {"camt.054", "-",
         camt("BkToCstmrDbtCdtNtfctn", "<Ntfctn>" + entry("DBIT", "", reference) + "</Ntfctn>", "camt.054.001.08"),
         "1 paid 5.00 USD 2026-11-23 payment id=P0000000001"},
        {"the booking date goes before the value date", "-", statement(entry("DBIT", "", reference)), "2026-11-23"},
        {"a check's number", "-", statement(entry("DBIT", "", "<Refs><ChqNb>10001</ChqNb></Refs>")),
         "check number=10001"},
        {"a check that somebody gave us and that came back unpaid", "-",
         statement(entry(
             "DBIT", "<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCHQ</Cd><SubFmlyCd>UPCQ</SubFmlyCd></Fmly></Domn></BkTxCd>",
             "<Refs><ChqNb>10001</ChqNb></Refs>")),
         "1 disputed 5.00 USD 2026-11-23 check number=10001"},
        {"a tag that closes nothing", "-", "<Document><BkToCstmrStmt></Stmt>",
         "</Stmt> closes an element that is not open: the file is damaged: ask the bank for it again"},
        {"the bank's own reference is none of ours", "-",
         statement(entry("DBIT", "", "<Refs><AcctSvcrRef>P0000000001</AcctSvcrRef></Refs>")), "1 unrelated"},
        {"a return with its reason", "-",
         statement(entry("CRDT", "", reference + "<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>")),
         "1 returned 5.00 USD 2026-11-23 payment id=P0000000001 AC04"},
        {"a reversal", "-", statement(entry("CRDT", "<RvslInd>true</RvslInd>", reference)), "1 returned 5.00"},
        {"a batch never gives its total to a line", "-",
         statement(entry("DBIT", "", reference + "</TxDtls><TxDtls><Refs><EndToEndId>P0000000002</EndToEndId></Refs>")),
         "1 paid no amount USD 2026-11-23 payment id=P0000000002"},
        {"another currency", "-", statement(entry("DBIT", "", reference + "<Amt Ccy=\"EUR\">5.00</Amt>")),
         "1 paid 5.00 EUR"},
        {"a DTD", "-", "<!DOCTYPE Document SYSTEM \"x.dtd\">" + statement(""), "DOCTYPE"},
        {"an entity, which is never put in", "-",
         statement(entry("DBIT", "", "<Refs><EndToEndId>&secret;</EndToEndId></Refs>")), "end-to-end id=&secret;"},
        {"pain.002", "-",
         camt("CstmrPmtStsRpt",
              "<OrgnlPmtInfAndSts><TxInfAndSts><OrgnlEndToEndId>P0000000001</OrgnlEndToEndId><TxSts>RJCT</TxSts>"
              "<OrgnlTxRef><Amt><InstdAmt "
              "Ccy=\"USD\">5.00</InstdAmt></Amt></OrgnlTxRef></TxInfAndSts></OrgnlPmtInfAndSts>",
              "pain.002.001.10"),
         "1 returned 5.00 USD 2026-11-24 payment id=P0000000001"},
    };
    for (const char* version : {"02", "03", "04", "05", "06", "07", "08", "09", "10", "11"})
        quirks.push_back({"versions .02 to .11", "-", statement(entry("DBIT", "", reference), version), "1 paid 5.00"});
    expect(quirks);
}

}  // namespace
}  // namespace drawbridge::statements
