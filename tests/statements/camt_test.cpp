#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "statements/shown.hpp"

namespace drawbridge::statements {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string camt(const std::string& entries, const std::string& ns = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.08") {
    return "<Document xmlns=\"" + ns +
           "\"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-24T23:30:00-05:00</CreDtTm></"
           "GrpHdr><Stmt><Id>S1</Id><Acct><Id><Othr><Id>12345</Id></Othr></Id></Acct>\n" +
           entries + "</Stmt></BkToCstmrStmt></Document>";
}

std::string entry(const std::string& inside, const std::string& side = "DBIT",
                  const std::string& status = "<Sts><Cd>BOOK</Cd></Sts>") {
    return "<Ntry><Amt Ccy=\"USD\">300.00</Amt><CdtDbtInd>" + side + "</CdtDbtInd>" + status +
           "<BookgDt><Dt>2026-11-23</Dt></BookgDt>" + inside + "</Ntry>\n";
}

std::string details(const std::string& inside) {
    return "<NtryDtls><TxDtls>" + inside + "</TxDtls></NtryDtls>";
}

const std::string refs = "<Refs><EndToEndId>P0000000123</EndToEndId></Refs>";

TEST(Camt, reads_a_debit_that_names_a_payment) {
    EXPECT_EQ(shown(camt(entry(details(refs))), "s.xml"),
              "camt053 'M1' 2026-11-24: 1 lines, paid 300.00, returned 0.00\n2 paid 300.00 USD 2026-11-23 payment "
              "id=P0000000123\n");
    EXPECT_THAT(lines_of(camt(entry(details("<Refs><ChqNb>10001</ChqNb><EndToEndId>NOTPROVIDED</EndToEndId></Refs>")))),
                StartsWith("2 paid 300.00 USD 2026-11-23 check number=10001\n"));
    EXPECT_THAT(lines_of(camt(entry(details("<Refs><InstrId>I1</InstrId><EndToEndId>E1</EndToEndId></Refs>")))),
                HasSubstr("end-to-end id=E1 reference=I1"));
}

// A batch may have a hundred thousand transactions: the daemon does other work between slices of them.
TEST(Camt, reads_a_large_batch_in_slices) {
    constexpr int transactions = 20'000;
    std::string batch = "<NtryDtls>\n";
    for (int i = 0; i < transactions; ++i) {
        const std::string number = std::to_string(1'000'000 + i);
        batch +=
            "<TxDtls>\n<Refs><EndToEndId>P000" + number + "</EndToEndId></Refs>\n<Amt Ccy=\"USD\">0.01</Amt></TxDtls>";
        if (i % 10 == 9) batch += "</NtryDtls><NtryDtls>\n";
    }
    const std::string bytes = camt(entry(batch + "</NtryDtls>") + entry(details(refs)));
    const ReadOptions options;
    std::string first, last;
    StatementReader reading(bytes, "s.xml", options, [&](const Confirmation& c) {
        if (first.empty()) first = shown(c);
        last = shown(c);
    });
    int slices = 1;
    while (reading.advance())
        ++slices;
    const auto facts = std::move(reading).finish();
    ASSERT_TRUE(facts) << text::to_string(facts.error());
    EXPECT_EQ(facts->lines, transactions + 1);
    EXPECT_GE(slices, transactions / 500);
    EXPECT_EQ(first, "3 paid 0.01 USD 2026-11-23 payment id=P0001000000\n");
    // Each transaction has two line ends, each of its details one.
    EXPECT_EQ(last, std::to_string(2 + 1 + 2 * transactions + transactions / 10 + 1) +
                        " paid 300.00 USD 2026-11-23 payment id=P0000000123\n");
}

// At most a doubt about a payment of exactly its amount.
TEST(Camt, keeps_a_number_of_an_unrelated_debit_that_may_be_ours) {
    ReadOptions options;
    options.office.odfi_identification = "09100001";
    const auto line = [&](const std::string& inside) { return lines_of(camt(entry(inside)), options); };
    EXPECT_THAT(line("<NtryRef>10031</NtryRef>"),
                StartsWith("2 unrelated 300.00 USD 2026-11-23 possible check number=10031"));
    EXPECT_THAT(line("<NtryDtls/><AddtlNtryInf>CHECK 10031</AddtlNtryInf>"),
                StartsWith("2 unrelated 300.00 USD 2026-11-23 possible check number=10031"));
    EXPECT_THAT(line(details("<RmtInf><Ustrd>RENT P00000</Ustrd><Ustrd>00082 MAY</Ustrd></RmtInf>")),
                StartsWith("2 unrelated 300.00 USD 2026-11-23 possible check number=P0000000082"));
    EXPECT_THAT(line(details("<RmtInf><Ustrd>RENT 91000010000082</Ustrd></RmtInf>")),
                StartsWith("2 unrelated 300.00 USD 2026-11-23 possible check number=091000010000082"));
    EXPECT_THAT(line(details("<RmtInf><Ustrd>RENT 21000020000082</Ustrd></RmtInf>")),
                StartsWith("2 unrelated 300.00 USD 2026-11-23 note="))
        << "of another bank";
}

TEST(Camt, doubts_a_deposit_by_its_check_number_only_if_a_payment_may_have_it) {
    EXPECT_THAT(lines_of(camt(entry(details("<Refs><ChqNb>77</ChqNb></Refs>"), "CRDT"))),
                StartsWith("2 disputed 300.00 USD 2026-11-23 check number=77 possible check number=77 note="));
    EXPECT_THAT(
        lines_of(camt(entry(details("<Refs><ChqNb>77</ChqNb><EndToEndId>P0000000123</EndToEndId></Refs>"), "CRDT"))),
        StartsWith("2 disputed 300.00 USD 2026-11-23 check number=77 payment id=P0000000123 note="));
}

// XML's text is what remains without comments and processing instructions.
TEST(Camt, joins_a_text_that_a_comment_divides) {
    const std::string usual = camt(entry(details(refs)));
    for (const auto& [whole, divided] :
         {std::pair("300.00", "30<!-- x -->0.00"), std::pair("300.00", "30<?x y?>0.00"),
          std::pair("300.00", "<![CDATA[30]]>0.00"), std::pair("P0000000123", "P0000<!-- x -->000123"),
          std::pair("BOOK", "BO<!-- x -->OK"), std::pair(">M1<", ">M<!-- x -->1<"),
          std::pair("2026-11-24T", "2026-<!-- x -->11-24T")}) {
        std::string bytes = usual;
        bytes.replace(bytes.find(whole), std::string_view(whole).size(), divided);
        EXPECT_EQ(shown(bytes, "s.xml"), shown(usual, "s.xml")) << divided;
    }
}

TEST(Camt, reads_every_form_of_a_decimal) {
    for (const auto& [written, read] :
         {std::pair("300.", "300.00"), std::pair("+300.0", "300.00"), std::pair("000300.00", "300.00"),
          std::pair(".50", "0.50"), std::pair("00.50000", "0.50"), std::pair("0", "0.00")}) {
        std::string bytes = camt(entry(details(refs)));
        bytes.replace(bytes.find("300.00"), 6, written);
        EXPECT_THAT(lines_of(bytes), HasSubstr(" paid " + std::string(read) + " USD")) << written;
    }
    for (const char* wrong : {"3E2", "-300.00", ".", "+", "3 00"}) {
        std::string bytes = camt(entry(details(refs)));
        bytes.replace(bytes.find("300.00"), 6, wrong);
        EXPECT_THAT(lines_of(bytes), HasSubstr("is not an amount in dollars and cents")) << wrong;
    }
}

TEST(Camt, dates_an_entry_without_a_date_by_its_statement) {
    std::string bytes = camt(entry(details(refs)));
    const std::string date = "<BookgDt><Dt>2026-11-23</Dt></BookgDt>";
    bytes.erase(bytes.find(date), date.size());
    EXPECT_THAT(lines_of(bytes), StartsWith("2 paid 300.00 USD 2026-11-24"));
    bytes.insert(bytes.find("<Acct>"),
                 "<FrToDt><FrDtTm>2026-11-21T00:00:00</FrDtTm><ToDtTm>2026-11-22T23:59:59</ToDtTm></FrToDt>");
    EXPECT_THAT(lines_of(bytes), StartsWith("2 paid 300.00 USD 2026-11-22"));
    bytes.insert(bytes.find("<NtryDtls>"), "<ValDt><Dt>2026-11-20</Dt></ValDt>");
    EXPECT_THAT(lines_of(bytes), StartsWith("2 paid 300.00 USD 2026-11-20"));
    bytes.insert(bytes.find("<ValDt>"), "<BookgDt><DtTm>2026-11-19 10:00:00</DtTm></BookgDt>");
    EXPECT_THAT(lines_of(bytes), StartsWith("2 paid 300.00 USD 2026-11-19"));
}

// Half past nine in the evening in New York is the next day in UTC.
TEST(Camt, converts_a_time_with_an_offset_to_the_office_zone) {
    ReadOptions options;
    options.zone = TimeZone::find("America/New_York").value();
    const auto booked = [&](const std::string& time, const ReadOptions& by) {
        std::string bytes = camt(entry(details(refs)));
        const std::string date = "<Dt>2026-11-23</Dt>";
        bytes.replace(bytes.find(date), date.size(), time);
        return lines_of(bytes, by);
    };
    for (const char* time : {"<DtTm>2026-11-24T02:30:00Z</DtTm>", "<DtTm>2026-11-23T21:30:00.000-05:00</DtTm>",
                             "<DtTm>2026-11-24T03:30:00+01:00</DtTm>", "<DtTm>2026-11-23T21:30:00</DtTm>",
                             "<Dt>2026-11-23-05:00</Dt>", "<Dt>2026-11-23Z</Dt>", "<DtTm>2026-11-23T00:00:00Z</DtTm>"})
        EXPECT_THAT(booked(time, options), StartsWith("2 paid 300.00 USD 2026-11-23")) << time;
    EXPECT_THAT(booked("<DtTm>2026-11-24T02:30:00Z</DtTm>", {}), StartsWith("2 paid 300.00 USD 2026-11-24"))
        << "the zone is unknown";
}

TEST(Camt, reads_returns_of_each_sub_family) {
    for (const char* family : {"RRTN", "ARET", "RPCR"}) {
        const std::string mark =
            "<BkTxCd><Domn><Fmly><SubFmlyCd>" + std::string(family) + "</SubFmlyCd></Fmly></Domn></BkTxCd>";
        EXPECT_THAT(lines_of(camt(entry(mark + details(refs), "CRDT"))), StartsWith("2 returned 300.00")) << family;
        EXPECT_THAT(lines_of(camt(entry(mark + details(refs)))), StartsWith("2 disputed 300.00")) << family;
    }
}

TEST(Camt, takes_no_reversal_or_adjustment_that_takes_money_out_for_a_payment) {
    for (const char* family : {"UPCQ", "CQRV", "XPCQ", "UPDD", "PRDD", "RCDD", "UPCT", "UDFT", "AREV", "XRTN", "ADJT",
                               "DAJT", "CAJT", "CSHA", "LBCA"}) {
        const std::string mark =
            "<BkTxCd><Domn><Fmly><SubFmlyCd>" + std::string(family) + "</SubFmlyCd></Fmly></Domn></BkTxCd>";
        EXPECT_THAT(lines_of(camt(entry(mark + details(refs)))), StartsWith("2 disputed 300.00")) << family;
        EXPECT_THAT(lines_of(camt(entry(details(refs + mark)))), StartsWith("2 disputed 300.00")) << family;
        EXPECT_THAT(lines_of(camt(entry(mark + details(refs), "CRDT"))), StartsWith("2 disputed 300.00")) << family;
    }
    for (const char* family : {"ACDT", "DMCT", "CCHQ", "ARPD"}) {
        const std::string mark =
            "<BkTxCd><Domn><Fmly><SubFmlyCd>" + std::string(family) + "</SubFmlyCd></Fmly></Domn></BkTxCd>";
        EXPECT_THAT(lines_of(camt(entry(mark + details(refs)))), StartsWith("2 paid 300.00")) << family;
    }
}

TEST(Camt, finds_the_number_of_a_check_without_its_own_field) {
    const std::string paid = "<BkTxCd><Prtry><Cd>475</Cd><Issr>BAI2</Issr></Prtry></BkTxCd>";
    const auto with = [](const std::string& inside) { return details("<Refs>" + inside + "</Refs>"); };
    EXPECT_THAT(lines_of(camt(entry(paid + with("<EndToEndId>0010001</EndToEndId>")))),
                AllOf(StartsWith("2 paid 300.00"), HasSubstr("check number=10001")));
    EXPECT_THAT(lines_of(camt(entry(paid + with("<InstrId>10001</InstrId><EndToEndId>NOTPROVIDED</EndToEndId>")))),
                AllOf(StartsWith("2 paid 300.00"), HasSubstr("check number=10001")));
    EXPECT_THAT(lines_of(camt(entry(paid + with("<InstrId>10001</InstrId><EndToEndId>20002</EndToEndId>")))),
                AllOf(StartsWith("2 unrelated 300.00"), HasSubstr("possible check number=10001"),
                      HasSubstr("possible check number=20002")));
    EXPECT_THAT(lines_of(camt(entry(with("<EndToEndId>10001</EndToEndId>")))),
                AllOf(StartsWith("2 unrelated 300.00"), HasSubstr("possible check number=10001")));
    EXPECT_THAT(lines_of(camt(entry(with("<EndToEndId>10001</EndToEndId>"), "CRDT"))), Not(HasSubstr("possible")));
}

TEST(Camt, reads_a_currency_in_lower_case) {
    std::string bytes = camt(entry(details(refs)));
    bytes.replace(bytes.find("USD"), 3, "usd");
    EXPECT_THAT(lines_of(bytes), StartsWith("2 paid 300.00 USD"));
}

TEST(Camt, reads_any_version_and_prefix) {
    for (const char* version : {"02", "04", "08", "11"})
        EXPECT_THAT(
            lines_of(camt(entry(details(refs)), "urn:iso:std:iso:20022:tech:xsd:camt.053.001." + std::string(version))),
            StartsWith("2 paid"));
    EXPECT_THAT(lines_of(camt(entry(details(refs), "DBIT", "<Sts>BOOK</Sts>"))), StartsWith("2 paid"));
    std::string prefixed = camt(entry(details(refs)));
    for (std::size_t at = 0; (at = prefixed.find('<', at)) != std::string::npos; at += 3)
        prefixed.insert(at + (prefixed[at + 1] == '/' ? 2 : 1), "x:");
    EXPECT_THAT(lines_of(prefixed), StartsWith("2 paid"));
}

TEST(Camt, never_applies_a_batch_total_to_one_line) {
    const std::string two =
        "<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch><TxDtls><Refs><EndToEndId>P0000000001</EndToEndId></Refs><Amt "
        "Ccy=\"USD\">100.00</Amt></TxDtls>\n<TxDtls><Refs><EndToEndId>P0000000002</EndToEndId></"
        "Refs><AmtDtls><TxAmt><Amt Ccy=\"USD\">200.00</Amt></TxAmt></AmtDtls></TxDtls></NtryDtls>";
    EXPECT_EQ(
        lines_of(camt(entry(two))),
        "2 paid 100.00 USD 2026-11-23 payment id=P0000000001\n3 paid 200.00 USD 2026-11-23 payment id=P0000000002\n");
    const std::string without =
        "<NtryDtls><TxDtls><Refs><EndToEndId>P0000000001</EndToEndId></Refs></"
        "TxDtls><TxDtls><Refs><EndToEndId>P0000000002</EndToEndId></Refs></TxDtls></NtryDtls>";
    EXPECT_EQ(
        lines_of(camt(entry(without))),
        "2 paid no amount USD 2026-11-23 payment id=P0000000001 note='it states no amount; its entry is for 300.00 "
        "USD'\n2 paid no amount USD 2026-11-23 payment id=P0000000002 note='it states no amount; its entry is for "
        "300.00 USD'\n");
    const std::string one_of_many =
        "<NtryDtls><Btch><NbOfTxs>7</NbOfTxs></Btch><TxDtls>" + refs + "</TxDtls></NtryDtls>";
    EXPECT_THAT(lines_of(camt(entry(one_of_many))), StartsWith("2 paid no amount"));
    EXPECT_THAT(lines_of(camt(entry("<NtryDtls><Btch><NbOfTxs>7</NbOfTxs></Btch></NtryDtls>"))),
                StartsWith("2 unrelated no amount"));
}

TEST(Camt, refuses_a_debit_whose_transactions_exceed_it) {
    const auto two = [](const std::string& batch, const std::string& first, const std::string& second,
                        const std::string& ours = "P0000000001") {
        return "<NtryDtls>" + (batch.empty() ? "" : "<Btch>" + batch + "</Btch>") + "<TxDtls><Refs><EndToEndId>" +
               ours + "</EndToEndId></Refs>" + first + "</TxDtls><TxDtls><Refs><EndToEndId>" + ours +
               "</EndToEndId></Refs>" + second + "</TxDtls></NtryDtls>";
    };
    const auto amount = [](const std::string& text, const std::string& currency = "USD") {
        return "<Amt Ccy=\"" + currency + "\">" + text + "</Amt>";
    };
    const std::string hint = ": the bank's own numbers disagree: ask it for the file again\n";
    EXPECT_EQ(lines_of(camt(entry(two("", amount("100.00"), amount("200.01"))))),
              "s.xml:2: the transactions of the entry add up to $300.01, but it is for $300.00" + hint);
    EXPECT_EQ(
        lines_of(camt(entry(two("", amount("100.00"), "<AmtDtls><TxAmt>" + amount("250") + "</TxAmt></AmtDtls>")))),
        "s.xml:2: the transactions of the entry add up to $350.00, but it is for $300.00" + hint);
    EXPECT_EQ(lines_of(camt(entry(two("", amount("100.00"), "") + details(refs + amount("300.01"))))).substr(0, 6),
              "2 paid")
        << "one states no amount";
    EXPECT_THAT(lines_of(camt(entry(two("", amount("90.00"), amount("90.00")) + details(refs + amount("120.01"))))),
                HasSubstr("add up to $300.01"));
    EXPECT_THAT(lines_of(camt(entry(details(refs + amount("300.01"))))), HasSubstr("add up to $300.01"));
    EXPECT_THAT(lines_of(camt(entry(two("", amount("92233720368547758.07"), amount("0.01"))))),
                HasSubstr("add up to too much to add up, but it is for $300.00"));
    EXPECT_EQ(lines_of(camt(entry(two("<TtlAmt Ccy=\"USD\">200.00</TtlAmt>", amount("100"), amount("100.01"))))),
              "s.xml:2: the transactions of the batch add up to $200.01, but it is for $200.00" + hint);
    EXPECT_EQ(lines_of(camt(entry(two("<NbOfTxs>1</NbOfTxs>", amount("100"), amount("100"))))),
              "s.xml:2: the batch says that it has 1 transactions, but it shows 2" + hint);

    for (const std::string& inside :
         {two("<NbOfTxs>2</NbOfTxs><TtlAmt Ccy=\"USD\">300.00</TtlAmt>", amount("100.00"), amount("200.00")),
          two("<NbOfTxs>3</NbOfTxs>", amount("100.00"), amount("150.00")),  // charges, or some are not shown
          two("", amount("100.00"), amount("270.00", "EUR")),
          two("", amount("400.00"), amount("100.00") + "<CdtDbtInd>CRDT</CdtDbtInd>")})
        EXPECT_THAT(lines_of(camt(entry(inside))), StartsWith("2 paid ")) << inside;
    EXPECT_THAT(lines_of(camt(entry(two("", amount("100.00"), amount("200.01"), "PAYROLL")))),
                StartsWith("2 unrelated 100.00"))
        << "somebody else's batch";
    const std::string back = amount("155.00") + "<RtrInf/>";
    EXPECT_THAT(lines_of(camt(entry(two("", back, back), "CRDT"))), StartsWith("2 returned 155.00"))
        << "the bank keeps its charges";
}

TEST(Camt, distinguishes_returns_reversals_and_unrelated_entries) {
    const std::string returned = details(refs + "<RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>closed</AddtlInf></RtrInf>");
    EXPECT_THAT(lines_of(camt(entry(returned, "CRDT"))),
                StartsWith("2 returned 300.00 USD 2026-11-23 payment id=P0000000123 AC04 note='closed'"));
    EXPECT_THAT(lines_of(camt(entry("<RvslInd>true</RvslInd>" + details(refs), "CRDT"))), StartsWith("2 returned"));
    EXPECT_THAT(lines_of(camt(entry("<RvslInd>true</RvslInd>" + details(refs), "DBIT"))), StartsWith("2 disputed"));
    EXPECT_THAT(lines_of(camt(entry(details(refs), "CRDT"))), StartsWith("2 disputed"));
    EXPECT_THAT(lines_of(camt(entry("", "DBIT"))), StartsWith("2 unrelated 300.00"));
    for (const char* status : {"PDNG", "INFO", "FUTR"})
        EXPECT_THAT(lines_of(camt(entry(details(refs), "DBIT", "<Sts>" + std::string(status) + "</Sts>"))),
                    StartsWith("2 pending"))
            << status;
}

TEST(Camt, reads_the_type_codes_of_bai2) {
    const auto line = [&](const std::string& code, const std::string& side, const std::string& issuer = "BAI") {
        const std::string type = "<BkTxCd><Prtry><Cd>" + code + "</Cd><Issr>" + issuer + "</Issr></Prtry></BkTxCd>";
        const std::string of_entry = lines_of(camt(entry(type + details(refs), side)));
        EXPECT_EQ(of_entry, lines_of(camt(entry(details(refs + type), side)))) << "of the transaction";
        return of_entry;
    };
    for (const char* code : {"257", "261", "255"})
        EXPECT_THAT(line(code, "CRDT"), StartsWith("2 returned 300.00")) << code;
    for (const char* code : {"451", "475", "495"})
        EXPECT_THAT(line(code, "DBIT"), StartsWith("2 paid 300.00")) << code;
    for (const char* code : {"557", "558", "552", "257"})
        EXPECT_THAT(line(code, "DBIT"), StartsWith("2 disputed 300.00")) << code;
    for (const char* code : {"142", "258", "395"})
        EXPECT_THAT(line(code, "CRDT"), StartsWith("2 disputed 300.00")) << code;
    for (const char* issuer : {"bai", "Bai2", "USBAI", "US BAI2", "X9-BAI"})
        EXPECT_THAT(line("558", "DBIT", issuer), StartsWith("2 disputed 300.00")) << issuer;
    for (const char* issuer : {"GVC", "DUBAI"})
        EXPECT_THAT(line("257", "CRDT", issuer), StartsWith("2 disputed")) << issuer;
}

TEST(Camt, keeps_a_foreign_currency_and_refuses_an_invalid_amount) {
    EXPECT_THAT(lines_of(camt(entry(details(refs + "<Amt Ccy=\"KWD\">1.234</Amt>")))), StartsWith("2 paid 0.00 KWD"));
    for (const char* amount : {"1.234", "-5", "1,50", "five", ""})
        EXPECT_THAT(lines_of(camt(entry(details(refs + "<Amt Ccy=\"USD\">" + amount + "</Amt>")))),
                    StartsWith("s.xml:2: the amount '"))
            << amount;
}

TEST(Camt, prefers_the_booked_amount_of_a_lone_transaction_to_the_instructed_one) {
    const std::string euro = refs + "<AmtDtls><InstdAmt><Amt Ccy=\"EUR\">220.00</Amt></InstdAmt></AmtDtls>";
    EXPECT_THAT(lines_of(camt(entry(details(euro)))), StartsWith("2 paid 300.00 USD"));
    EXPECT_THAT(lines_of(camt(entry("<NtryDtls><TxDtls>" + euro + "</TxDtls><TxDtls/></NtryDtls>"))),
                StartsWith("2 paid 220.00 EUR"));
}

TEST(Camt, marks_a_line_on_another_account_unrelated) {
    ReadOptions options;
    options.office.accounts = {*AccountNumber::parse("999")};
    EXPECT_THAT(lines_of(camt(entry(details(refs))), options),
                StartsWith("s.xml: the file only mentions accounts that are not ours: ****2345"));
    options.office.accounts = {*AccountNumber::parse("12345")};
    EXPECT_THAT(lines_of(camt(entry(details(refs))), options), StartsWith("2 paid"));
}

// Banks put our payment id or trace number into many elements. A credit that names a payment must not go unnoticed.
TEST(Camt, looks_for_our_references_in_every_text_and_reference_of_a_transaction) {
    ReadOptions options;
    options.office.odfi_identification = "09100001";
    for (const char* inside : {
             "<RmtInf><Ustrd>ACH CREDIT</Ustrd><Ustrd>P0000000123</Ustrd></RmtInf>",
             "<RmtInf><Strd><CdtrRefInf><Ref>P0000000123</Ref></CdtrRefInf></Strd></RmtInf>",
             "<AddtlTxInf>ACH RETURN P0000000123</AddtlTxInf>",
             "<Refs><ClrSysRef>091000010000077</ClrSysRef></Refs>",
             "<Refs><PmtInfId>P0000000123</PmtInfId></Refs>",
         }) {
        EXPECT_THAT(lines_of(camt(entry(details(inside))), options), StartsWith("2 paid 300.00 ")) << inside;
        EXPECT_THAT(lines_of(camt(entry(details(inside), "CRDT")), options), StartsWith("2 disputed 300.00 "))
            << inside;
    }
    // The bank's own reference confirms nothing, but a credit that has our trace number there needs a person.
    const std::string own = "<AcctSvcrRef>091000010000077</AcctSvcrRef>";
    for (const std::string& inside : {own, details("<Refs>" + own + "</Refs>")}) {
        EXPECT_THAT(lines_of(camt(entry(inside, "CRDT")), options), StartsWith("2 disputed 300.00 "));
        EXPECT_THAT(lines_of(camt(entry(inside)), options), StartsWith("2 unrelated"));
    }
}

// A shared account: other payers' debits have references too, but not in our form.
TEST(Camt, marks_a_debit_without_our_reference_form_unrelated) {
    ReadOptions options;
    options.office.odfi_identification = "09100001";
    const auto line = [&](const std::string& inside) { return lines_of(camt(entry(details(inside))), options); };
    const auto with_end_to_end = [&](const std::string& id) {
        return line("<Refs><EndToEndId>" + id + "</EndToEndId></Refs>");
    };
    for (const char* id : {"INVOICE 4711", "021000020000001", "123", "P123", "SALARY-2026-11"})
        EXPECT_THAT(with_end_to_end(id), StartsWith("2 unrelated 300.00")) << id;
    EXPECT_THAT(with_end_to_end("P0000000123"), StartsWith("2 paid 300.00"));
    EXPECT_THAT(with_end_to_end("091000010000077"), StartsWith("2 paid 300.00"));
    EXPECT_THAT(with_end_to_end("DRAWPMT P0000000123"), HasSubstr("paid 300.00 USD 2026-11-23 end-to-end id=DRAWPMT "
                                                                  "P0000000123 payment id=P0000000123"));
    EXPECT_THAT(line("<Refs><EndToEndId>X1</EndToEndId></Refs><RmtInf><Ustrd>DRAW P0000000123</Ustrd></RmtInf>"),
                StartsWith("2 paid 300.00"));
    EXPECT_THAT(line("<Refs><ChqNb>10001</ChqNb></Refs>"), StartsWith("2 paid 300.00"));
    // Returned money goes to a person, whatever the reference.
    EXPECT_THAT(lines_of(camt(entry(details("<Refs><EndToEndId>X1</EndToEndId></Refs><RtrInf/>"), "CRDT")), options),
                StartsWith("2 returned 300.00"));
}

// A number of ours that contradicts another one shows that the line is about another instance's payment.
TEST(Camt, reads_our_numbers_from_every_field) {
    ReadOptions options;
    options.office.odfi_identification = "09100001";
    for (const char* inside :
         {"<Refs><EndToEndId>091000011000000</EndToEndId><InstrId>P0000000001</InstrId></Refs>",
          "<Refs><ClrSysRef>091000011000000</ClrSysRef><EndToEndId>P0000000001</EndToEndId></Refs>",
          "<Refs><EndToEndId>P0000000001</EndToEndId></Refs><RmtInf><Ustrd>TRACE 091000011000000</Ustrd></RmtInf>"}) {
        const std::string line = lines_of(camt(entry(details(inside))), options);
        EXPECT_THAT(line, HasSubstr(" trace number=091000011000000")) << inside;
        EXPECT_THAT(line, HasSubstr(" payment id=P0000000001")) << inside;
    }
}

TEST(Camt, reads_a_message_in_an_envelope) {
    const std::string plain = camt(entry(details(refs)));
    const std::string header =
        "<h:AppHdr><h:BizMsgIdr>B</h:BizMsgIdr><h:CreDt>2026-11-20T00:00:00Z</h:CreDt></h:AppHdr>";
    for (const auto& [before, after] : {std::pair<std::string, std::string>{"<message>" + header, "</message>"},
                                        {"<BizData>" + header, "</BizData>"},
                                        {"<s:Envelope><s:Body><DataPDU>" + header, "</DataPDU></s:Body></s:Envelope>"},
                                        {"<m>", header + "</m>"}})
        EXPECT_EQ(shown(before + plain + after, "s.xml"), shown(plain, "s.xml")) << before;
    EXPECT_THAT(shown("<m>" + plain + plain + "</m>", "s.xml"), HasSubstr("2 lines"));
    EXPECT_THAT(
        shown("<m>" + plain + "<Document><CstmrPmtStsRpt/></Document></m>", "s.xml"),
        HasSubstr(
            "the file contains a CstmrPmtStsRpt next to a camt053 message: drop each message as a separate file"));
    EXPECT_THAT(shown("<m>" + header + "</m>", "s.xml"), HasSubstr("is not camt.053"));
}

TEST(Camt, reads_windows1252_and_latin_1) {
    const std::string name = details(refs + "<RltdPties><Cdtr><Nm>Jos\xE9</Nm></Cdtr></RltdPties>");
    const auto in = [](const std::string& encoding, const std::string& entries) {
        return "<?xml version=\"1.0\" encoding=\"" + encoding + "\"?>\n" + camt(entries);
    };
    for (const char* encoding : {"ISO-8859-1", "iso-8859-1", "windows-1252"})
        EXPECT_THAT(lines_of(in(encoding, entry(name))),
                    StartsWith("3 paid 300.00 USD 2026-11-23 payment id=P0000000123 payee='Jos\xC3\xA9'\n"));
    std::string many;
    for (int i = 0; i < 1000; ++i)
        many += entry(name);
    EXPECT_THAT(shown(in("ISO-8859-1", many), "s.xml"), HasSubstr(": 1000 lines, paid 300000.00"));
    EXPECT_EQ(lines_of(in("ISO-8859-1", many + "\n\x81")),
              "s.xml:1004: a byte that is undefined in Windows-1252: ask the bank for UTF-8\n");
    EXPECT_THAT(lines_of(in("UTF-8", entry(name))), HasSubstr("not UTF-8"));
}

TEST(Camt, refuses_a_summary_that_does_not_match_the_entries) {
    const std::string entries = entry(details(refs)) + entry("", "CRDT") + entry("", "CRDT");
    const auto summary = [](const std::string& name, const std::string& count, const std::string& sum) {
        return "<" + name + "><NbOfNtries>" + count + "</NbOfNtries><Sum>" + sum + "</Sum></" + name + ">";
    };
    const auto with = [&](const std::string& parts) {
        return lines_of(camt("<TxsSummry>" + parts + "</TxsSummry>" + entries));
    };
    EXPECT_THAT(with(summary("TtlNtries", "3", "900.00") + summary("TtlCdtNtries", "2", "600.000000") +
                     summary("TtlDbtNtries", "1", "300.0")),
                StartsWith("2 paid 300.00"));
    EXPECT_THAT(with(summary("TtlNtries", "4", "900.00")),
                HasSubstr("s.xml:4: the summary says that the entries are 4, but there are 3: the file is damaged"));
    EXPECT_THAT(with(summary("TtlDbtNtries", "1", "300.01")),
                HasSubstr("the debit entries add up to 300.01, but they add up to 300.00"));
    EXPECT_THAT(with(summary("TtlNtries", "3", "000000000000900.00")), StartsWith("2 paid 300.00")) << "some banks pad";
    EXPECT_THAT(with(summary("TtlNtries", "3", "000000000000900.01")), HasSubstr("they add up to 900.00"));
    EXPECT_THAT(with(summary("TtlCdtNtries", "2", "lots")), HasSubstr("the credit entries add up to lots"));
}

TEST(Camt, refuses_constructs_used_in_xml_attacks) {
    EXPECT_THAT(
        lines_of("<?xml version=\"1.0\"?><!DOCTYPE d [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>" + camt(entry(""))),
        HasSubstr("DOCTYPE"));
    std::string deep;
    for (int i = 0; i < 100; ++i)
        deep += "<a>";
    EXPECT_THAT(lines_of(camt(deep)), HasSubstr("deep"));
    EXPECT_THAT(lines_of("<?xml version=\"1.0\" encoding=\"UTF-7\"?>" + camt(entry(""))), HasSubstr("UTF-7"));
    EXPECT_THAT(lines_of(camt("\xE9")), HasSubstr("not UTF-8"));
    const std::string whole = camt(entry(details(refs)));
    for (std::size_t length = 1; length < whole.size(); ++length) {
        const auto read =
            read_statement(std::string_view(whole).substr(0, length), "s.xml", {}, [](const Confirmation&) {});
        EXPECT_FALSE(read) << "truncated after " << length;
    }
}

TEST(Camt, finds_a_payment_wherever_the_bank_names_it) {
    ReadOptions options;
    options.office.odfi_identification = "09100001";
    const std::string back = "<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>";
    for (const std::string& inside :
         {details("<Refs><Prtry><Tp>TRACE</Tp><Ref>091000010000077</Ref></Prtry></Refs>" + back),
          details("<Refs><MsgId>RET 091000010000077</MsgId></Refs>" + back),
          "<NtryRef>091000010000077</NtryRef>" + details(back),
          details("<RtrInf><AddtlInf>of 091000010000077</AddtlInf></RtrInf>"),
          details("<RmtInf><Strd><RfrdDocInf><Nb>091000010000077</Nb></RfrdDocInf></Strd></RmtInf>" + back)})
        EXPECT_THAT(lines_of(camt(entry(inside, "CRDT")), options),
                    StartsWith("2 returned 300.00 USD 2026-11-23 trace number=091000010000077"))
            << inside;
    const std::string unmarked = "<Refs><Prtry><Ref>091000010000077</Ref></Prtry></Refs>";
    EXPECT_THAT(lines_of(camt(entry(details(unmarked), "CRDT")), options),
                AllOf(StartsWith("2 disputed"), HasSubstr("ask the bank whether it is a return")));
    EXPECT_THAT(lines_of(camt(entry("<NtryRef>091000010000077</NtryRef>" + details(""))), options),
                StartsWith("2 unrelated"))
        << "the bank's own reference of a debit";
}

TEST(Camt, refuses_a_date_that_it_cannot_read) {
    const std::string good = "<BookgDt><Dt>2026-11-23</Dt></BookgDt>";
    for (const std::string bad : {"<BookgDt><Dt>20261125</Dt></BookgDt>", "<BookgDt><Dt>11/27/2026</Dt></BookgDt>",
                                  "<BookgDt><Dt></Dt></BookgDt>", "<BookgDt/>", "<BookgDt>yesterday</BookgDt>"}) {
        std::string bytes = camt(entry(details(refs)));
        bytes.replace(bytes.find(good), good.size(), bad + "<ValDt><Dt>2026-11-23</Dt></ValDt>");
        EXPECT_THAT(lines_of(bytes), AllOf(StartsWith("s.xml:2: the date '"), HasSubstr("' in BookgDt is not a date")))
            << bad;
    }
    EXPECT_THAT(lines_of(camt(entry("<ValDt><Dt>20261125</Dt></ValDt>" + details(refs)))),
                StartsWith("s.xml:2: the date '20261125' in ValDt is not a date: a date is written like 2026-11-25"));
}

TEST(Camt, takes_the_code_of_a_return_from_its_text) {
    const std::string mark = "<BkTxCd><Domn><Fmly><SubFmlyCd>RRTN</SubFmlyCd></Fmly></Domn></BkTxCd>";
    const auto code = [&](const std::string& inside, const std::string& of_entry) {
        const std::string line = lines_of(camt(entry(details(refs + mark + inside) + of_entry, "CRDT")));
        const auto at = line.find("P0000000123") + 11;
        return line.substr(at, line.find(" note=", at) - at);
    };
    EXPECT_EQ(code("<AddtlTxInf>R15 deceased</AddtlTxInf>", ""), " R15");
    EXPECT_EQ(code("", "<AddtlNtryInf>ACH RETURN R03</AddtlNtryInf>"), " R03");
    EXPECT_EQ(code("<RtrInf><Rsn><Cd>NARR</Cd></Rsn><AddtlInf>REASON R24</AddtlInf></RtrInf>", ""), " R24");
    EXPECT_EQ(code("<RtrInf><Rsn><Prtry>03</Prtry></Rsn><AddtlInf>unit R24</AddtlInf></RtrInf>", ""), " 03");
    EXPECT_EQ(code("<AddtlTxInf>unit R15 or R24</AddtlTxInf>", ""), "");
    EXPECT_THAT(
        lines_of(camt(
            entry(details("<Refs><ChqNb>10001</ChqNb></Refs>" + mark + "<AddtlTxInf>unit R15</AddtlTxInf>"), "CRDT"))),
        HasSubstr("check number=10001 note="))
        << "a check has no such code";
}

TEST(Camt, compares_no_summary_of_a_page_and_accepts_one_without_pending_entries) {
    const auto bytes = [](const std::string& header, const std::string& inside, int count) {
        std::string whole =
            camt("<TxsSummry><TtlNtries><NbOfNtries>" + std::to_string(count) + "</NbOfNtries><Sum>" +
                 std::to_string(300 * count) + ".00</Sum></TtlNtries></TxsSummry>" + entry(details(refs)) + inside);
        whole.insert(whole.find("</CreDtTm>") + 10, header);
        return whole;
    };
    const std::string pending = entry("", "DBIT", "<Sts>PDNG</Sts>");
    EXPECT_THAT(lines_of(bytes("", "", 1)), StartsWith("2 paid"));
    EXPECT_THAT(lines_of(bytes("", "", 3)), HasSubstr("the summary says"));
    EXPECT_THAT(lines_of(bytes("", pending, 1)), StartsWith("2 paid"));
    EXPECT_THAT(lines_of(bytes("", pending, 2)), StartsWith("2 paid"));
    EXPECT_THAT(lines_of(bytes("", pending, 3)), HasSubstr("the summary says"));
    for (const char* page : {"<PgNb>1</PgNb><LastPgInd>false</LastPgInd>", "<PgNb>2</PgNb><LastPgInd>true</LastPgInd>"})
        EXPECT_THAT(lines_of(bytes("<MsgPgntn>" + std::string(page) + "</MsgPgntn>", "", 3)), StartsWith("2 paid"));
    EXPECT_THAT(lines_of(bytes("<MsgPgntn><PgNb>1</PgNb><LastPgInd>true</LastPgInd></MsgPgntn>", "", 3)),
                HasSubstr("the summary says"));
}

TEST(Camt, finds_a_reference_in_the_text_of_an_entry_with_one_transaction) {
    const std::string text = "<AddtlNtryInf>CHECK OR ACH P0000000123</AddtlNtryInf>";
    EXPECT_THAT(lines_of(camt(entry(text))), StartsWith("2 paid 300.00 USD 2026-11-23 payment id=P0000000123"));
    EXPECT_THAT(lines_of(camt(entry(details("") + text))), StartsWith("2 paid 300.00"));
    EXPECT_THAT(lines_of(camt(entry("<NtryDtls><TxDtls/><TxDtls/></NtryDtls>" + text))), StartsWith("2 unrelated"));
}

}  // namespace
}  // namespace drawbridge::statements
