#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "statements/shown.hpp"

namespace drawbridge::statements {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Pain002, takes_the_first_code_that_means_something) {
    const auto code = [](const std::string& reasons) {
        const std::string line = lines_of(
            "<Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>2026-11-24T08:00:00</CreDtTm></GrpHdr><OrgnlPmtInfAndSts>"
            "<TxInfAndSts><OrgnlEndToEndId>P0000000123</OrgnlEndToEndId><TxSts>RJCT</TxSts>" +
            reasons + "</TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>");
        const auto at = line.find("P0000000123") + 11;
        return line.substr(at, line.find(" note=", at) - at);
    };
    const auto reason = [](const std::string& value, const std::string& text = "") {
        return "<StsRsnInf><Rsn><Cd>" + value + "</Cd></Rsn>" +
               (text.empty() ? "" : "<AddtlInf>" + text + "</AddtlInf>") + "</StsRsnInf>";
    };
    EXPECT_EQ(code(reason("NARR") + reason("MD07")), " MD07");
    EXPECT_EQ(code(reason("MS03") + reason("AM09")), " MS03");
    EXPECT_EQ(code(reason("MD07") + reason("AC04")), " MD07");
    EXPECT_EQ(code(reason("NARR", "RETURN R16")), " R16");
    EXPECT_EQ(code(""), "");
}

TEST(Pain002, reads_the_status_of_a_batch_in_cdata) {
    EXPECT_EQ(lines_of("<?xml version=\"1.0\" encoding=\"utf8\"?><Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>"
                       "2026-11-24T08:00:00</CreDtTm></GrpHdr><OrgnlPmtInfAndSts>"
                       "<OrgnlPmtInfId><![CDATA[B1]]></OrgnlPmtInfId><PmtInfSts><![CDATA[RJCT]]> </PmtInfSts>"
                       "<StsRsnInf><Rsn><Cd>NARR</Cd></Rsn></StsRsnInf><StsRsnInf><Rsn><Prtry>R24 twice</Prtry></Rsn>"
                       "</StsRsnInf></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>"),
              "1 returned no amount USD 2026-11-24 reference=B1 R24 note='the batch as a whole: RJCT; R24 twice'\n");
}

TEST(Pain002, reports_the_status_of_each_transaction) {
    const auto status = [](const std::string& code) {
        return lines_of(
            "<Document><CstmrPmtStsRpt><GrpHdr><MsgId>M</MsgId><CreDtTm>2026-11-24T08:00:00</CreDtTm></"
            "GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>F1</OrgnlMsgId></"
            "OrgnlGrpInfAndSts><OrgnlPmtInfAndSts><OrgnlPmtInfId>B1</"
            "OrgnlPmtInfId>\n<TxInfAndSts><OrgnlEndToEndId>P0000000123</OrgnlEndToEndId><TxSts>" +
            code +
            "</TxSts><StsRsnInf><Rsn><Cd>AC01</Cd></Rsn></StsRsnInf><OrgnlTxRef><Amt><InstdAmt "
            "Ccy=\"USD\">300.00</InstdAmt></Amt></OrgnlTxRef></TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></"
            "Document>");
    };
    EXPECT_THAT(status("RJCT"), StartsWith("2 returned 300.00 USD 2026-11-24 payment id=P0000000123 AC01"));
    EXPECT_THAT(status("ACSC"), StartsWith("2 paid 300.00"));
    for (const char* code : {"ACCP", "ACTC", "ACSP", "ACWC", "PDNG", "RCVD", "PART", "NEWX"})
        EXPECT_THAT(status(code), StartsWith("2 pending 300.00")) << code;
}

TEST(Pain002, dates_a_payment_by_its_settlement) {
    const auto day = [](const std::string& status, const std::string& of_status, const std::string& of_original) {
        const std::string line = lines_of(
            "<Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>2026-11-28T10:00:00</CreDtTm></GrpHdr><OrgnlPmtInfAndSts>"
            "<TxInfAndSts><OrgnlEndToEndId>P0000000123</OrgnlEndToEndId><TxSts>" +
            status + "</TxSts>" + of_status + "<OrgnlTxRef>" + of_original +
            "<Amt><InstdAmt Ccy=\"USD\">3.00</InstdAmt></Amt></OrgnlTxRef></TxInfAndSts></OrgnlPmtInfAndSts>"
            "</CstmrPmtStsRpt></Document>");
        return line.substr(line.find(" USD ") + 5, 10);
    };
    const std::string accepted = "<AccptncDtTm>2026-11-27T10:00:00</AccptncDtTm>";
    const std::string settled = "<IntrBkSttlmDt>2026-11-30</IntrBkSttlmDt>";
    for (const char* status : {"ACSC", "ACCC"}) {
        EXPECT_EQ(day(status, accepted + "<EffctvIntrBkSttlmDt><Dt>2026-12-01</Dt></EffctvIntrBkSttlmDt>", settled),
                  "2026-12-01");
        EXPECT_EQ(
            day(status, accepted + "<EffctvIntrBkSttlmDt><DtTm>2026-12-01T09:00:00-05:00</DtTm></EffctvIntrBkSttlmDt>",
                settled),
            "2026-12-01");
        EXPECT_EQ(day(status, accepted, settled), "2026-11-30");
        EXPECT_EQ(day(status, "", settled), "2026-11-30");
        EXPECT_EQ(day(status, accepted, ""), "2026-11-27");
        EXPECT_EQ(day(status, "", ""), "2026-11-28");
    }
    EXPECT_EQ(day("RJCT", accepted, settled), "2026-11-27") << "it never settled";
}

// In pain.002.001.02, the message's element has the version's name, transactions are outside batches, and reasons have
// other names.
TEST(Pain002, reads_the_oldest_version) {
    const auto old = [](const std::string& prefix, const std::string& ns, const std::string& inside) {
        std::string bytes =
            "<Document xmlns=\"" + ns +
            "\"><pain.002.001.02><GrpHdr><MsgId>M</MsgId><CreDtTm>2026-11-24T08:00:00</CreDtTm></GrpHdr>" + inside +
            "</pain.002.001.02></Document>";
        for (std::size_t at = 0; (at = bytes.find('<', at)) != std::string::npos; ++at)
            bytes.insert(at + (bytes[at + 1] == '/' ? 2 : 1), prefix);
        return shown(bytes, "s.xml");
    };
    const std::string group = "<OrgnlGrpInfAndSts><OrgnlMsgId>F1</OrgnlMsgId>", end_of_group = "</OrgnlGrpInfAndSts>";
    const std::string reason =
        "<StsRsnInf><StsRsn><Cd>AC01</Cd></StsRsn><AddtlStsRsnInf>no account</AddtlStsRsnInf></StsRsnInf>";
    const std::string status =
        group + end_of_group +
        "\n<TxInfAndSts><OrgnlPmtInfId>B1</OrgnlPmtInfId><OrgnlEndToEndId>P0000000123</OrgnlEndToEndId>"
        "<TxSts>RJCT</TxSts>" +
        reason + "<OrgnlTxRef><Amt><InstdAmt Ccy=\"USD\">300.00</InstdAmt></Amt></OrgnlTxRef></TxInfAndSts>";
    for (const char* prefix : {"", "p:", "ns0:"}) {
        for (const char* ns : {"urn:iso:std:iso:20022:tech:xsd:pain.002.001.02", "urn:swift:xsd:$pain.002.001.02", ""})
            EXPECT_EQ(old(prefix, ns, status),
                      "pain002 'M' 2026-11-24: 1 lines, paid 0.00, returned 300.00\n2 returned 300.00 USD 2026-11-24 "
                      "payment id=P0000000123 AC01 note='RJCT no account'\n");
    }
    EXPECT_THAT(old("", "", group + "<GrpSts>RJCT</GrpSts>" + reason + end_of_group),
                HasSubstr("1 returned no amount USD 2026-11-24 reference=F1 AC01 note='the file as a whole: RJCT'"));
    EXPECT_THAT(shown("<Document><BkToCstmrStmtV01/></Document>", "s.xml"), HasSubstr("is not camt.053"));
}

TEST(Pain002, reads_the_amount_in_any_of_its_places) {
    for (const char* amount : {"<Amt><InstdAmt Ccy=\"USD\">3.00</InstdAmt></Amt>",
                               "<Amt><EqvtAmt><Amt Ccy=\"USD\">3.00</Amt><CcyOfTrf>USD</CcyOfTrf></EqvtAmt></Amt>",
                               "<IntrBkSttlmAmt Ccy=\"USD\">3.00</IntrBkSttlmAmt>"}) {
        const std::string bytes =
            "<Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>2026-11-24T07:00:00</CreDtTm></GrpHdr>"
            "<OrgnlPmtInfAndSts><TxInfAndSts><OrgnlEndToEndId>P0000000001</OrgnlEndToEndId><TxSts>ACSC</TxSts>"
            "<OrgnlTxRef>" +
            std::string(amount) + "</OrgnlTxRef></TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>";
        EXPECT_THAT(lines_of(bytes), StartsWith("1 paid 3.00 USD 2026-11-24 payment id=P0000000001")) << amount;
    }
}

TEST(Pain002, refuses_a_file_that_calls_one_payment_both_made_and_rejected) {
    const auto file = [](const char* first, const char* second, const char* other) {
        std::string bytes =
            "<Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>2026-11-24T07:00:00</CreDtTm></GrpHdr><OrgnlPmtInfAndSts>";
        for (const auto& [id, status] : {std::pair("P0000000001", first), std::pair(other, second)}) {
            bytes += "<TxInfAndSts><OrgnlEndToEndId>" + std::string(id) + "</OrgnlEndToEndId><TxSts>" + status +
                     "</TxSts><OrgnlTxRef><Amt><InstdAmt Ccy=\"USD\">3.00</InstdAmt></Amt></OrgnlTxRef></TxInfAndSts>";
        }
        return lines_of(bytes + "</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>");
    };
    for (const auto& [first, second] : {std::pair("RJCT", "ACSC"), std::pair("ACCC", "CANC")})
        EXPECT_THAT(file(first, second, "P0000000001"),
                    HasSubstr("says of payment P0000000001 both that it was made and that it was rejected"));
    EXPECT_THAT(file("RJCT", "ACSC", "P0000000002"), StartsWith("1 returned 3.00"));
    EXPECT_THAT(file("ACSP", "RJCT", "P0000000001"), HasSubstr("1 returned 3.00"));
}

TEST(Pain002, reads_a_status_without_an_amount) {
    const auto status = [](const std::string& code) {
        return lines_of(
            "<Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>2026-11-24T08:00:00</CreDtTm></GrpHdr>"
            "<OrgnlPmtInfAndSts><TxInfAndSts><OrgnlEndToEndId>P0000000123</OrgnlEndToEndId><TxSts>" +
            code + "</TxSts></TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>");
    };
    EXPECT_EQ(status("RJCT"),
              "1 returned the payment's amount USD 2026-11-24 payment id=P0000000123 note='RJCT; it "
              "states no amount'\n");
    EXPECT_THAT(status("ACSC"), StartsWith("1 paid no amount USD"));
}

TEST(Pain002, reports_a_rejected_file_as_a_line_without_a_payment) {
    const auto group = [](const std::string& code) {
        return lines_of(
            "<Document><CstmrPmtStsRpt><GrpHdr><MsgId>M</MsgId><CreDtTm>2026-11-24T08:00:00</CreDtTm></"
            "GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>F1</OrgnlMsgId><GrpSts>" +
            code + "</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>");
    };
    EXPECT_EQ(group("RJCT"), "1 returned no amount USD 2026-11-24 reference=F1 note='the file as a whole: RJCT'\n");
    EXPECT_EQ(group("ACCP"), "1 pending no amount USD 2026-11-24 reference=F1 note='the file as a whole: ACCP'\n");
}

TEST(Pain002, rejects_the_transactions_of_a_rejected_file) {
    const auto file = [](const std::string& group, const std::string& batch, const std::string& own) {
        const std::string lines = lines_of(
            "<Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>2026-11-24T08:00:00</CreDtTm></GrpHdr><OrgnlGrpInfAndSts>"
            "<OrgnlMsgId>F1</OrgnlMsgId><GrpSts>" +
            group + "</GrpSts></OrgnlGrpInfAndSts><OrgnlPmtInfAndSts>" + batch +
            "\n<TxInfAndSts><OrgnlEndToEndId>P0000000123</OrgnlEndToEndId>" + own +
            "<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf></TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt>"
            "</Document>");
        return lines.substr(lines.find("\n2 ") + 1);
    };
    EXPECT_THAT(file("RJCT", "", ""), StartsWith("2 returned the payment's amount USD 2026-11-24 payment "
                                                 "id=P0000000123 AC04"));
    EXPECT_THAT(file("RJCT", "<PmtInfSts>ACCP</PmtInfSts>", ""), StartsWith("2 pending"));
    EXPECT_THAT(file("RJCT", "", "<TxSts>ACSC</TxSts>"),
                HasSubstr(":2: the file says that this payment was made, but rejects the file that it was in"));
    EXPECT_THAT(file("", "<PmtInfSts>RJCT</PmtInfSts>", "<TxSts>ACCC</TxSts>"),
                HasSubstr(":2: the file says that this payment was made, but rejects the batch that it was in"));
    EXPECT_THAT(file("PART", "<PmtInfSts>PART</PmtInfSts>", "<TxSts>ACSC</TxSts>"), HasSubstr("2 paid"));
    EXPECT_THAT(file("RJCT", "", "<TxSts>ACSP</TxSts>"), StartsWith("2 pending"));
    EXPECT_THAT(file("ACSC", "", ""), StartsWith("2 pending")) << "accepting a file pays nothing of it";
}

TEST(Pain002, gives_each_transaction_of_a_duplicate_file_the_code_of_the_file) {
    const auto transaction = [](const std::string& reason, const std::string& status = "RJCT") {
        const std::string lines = lines_of(
            "<Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>2026-11-24T08:00:00</CreDtTm></GrpHdr><OrgnlGrpInfAndSts>"
            "<OrgnlMsgId>F1</OrgnlMsgId><GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Cd>" +
            reason +
            "</Cd></Rsn></StsRsnInf></OrgnlGrpInfAndSts><OrgnlPmtInfAndSts>\n<TxInfAndSts><OrgnlEndToEndId>P0000000123"
            "</OrgnlEndToEndId><TxSts>" +
            status + "</TxSts></TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>");
        return lines.substr(lines.find("\n2 ") + 1);
    };
    EXPECT_THAT(transaction("DU01"), HasSubstr("payment id=P0000000123 DU01 "));
    EXPECT_THAT(transaction("AC01"), HasSubstr("payment id=P0000000123 note=")) << "it may be our own account";
    EXPECT_THAT(transaction("DU01", "ACSP"), Not(HasSubstr("DU01")));
}

// It may list only those of its payments about which it says more.
TEST(Pain002, reports_a_rejected_batch_next_to_its_transactions) {
    const auto batch = [](const std::string& status) {
        return lines_of(
            "<Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>2026-11-24T08:00:00</CreDtTm></GrpHdr><OrgnlPmtInfAndSts>"
            "<OrgnlPmtInfId>B1</OrgnlPmtInfId><PmtInfSts>" +
            status +
            "</PmtInfSts><TxInfAndSts><OrgnlEndToEndId>P0000000123</OrgnlEndToEndId></TxInfAndSts>"
            "</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>");
    };
    EXPECT_THAT(batch("RJCT"),
                AllOf(StartsWith("1 returned the payment's amount USD 2026-11-24 payment id=P0000000123"),
                      HasSubstr("\n1 returned no amount USD 2026-11-24 reference=B1 note='the batch")));
    EXPECT_THAT(batch("ACCP"), AllOf(StartsWith("1 pending"), testing::Not(HasSubstr("B1"))));
}

TEST(Pain002, takes_the_status_of_a_batch_from_its_own_element_only) {
    const auto batch = [](const std::string& header, const std::string& inside) {
        return lines_of("<Document><CstmrPmtStsRpt><GrpHdr><MsgId>M</MsgId><CreDtTm>2026-11-24T08:00:00</CreDtTm>" +
                        header + "</GrpHdr><OrgnlPmtInfAndSts>" + inside +
                        "</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>");
    };
    EXPECT_EQ(batch("", "<OrgnlPmtInfId>B1</OrgnlPmtInfId><PmtInfSts>RJCT</PmtInfSts>"),
              "1 returned no amount USD 2026-11-24 reference=B1 note='the batch as a whole: RJCT'\n");
    EXPECT_EQ(batch("", "<PmtInfSts>RJCT</PmtInfSts><OrgnlPmtInfId>B1</OrgnlPmtInfId>"),
              "1 returned no amount USD 2026-11-24 reference=B1 note='the batch as a whole: RJCT'\n");
    for (const auto& [header, inside] : {std::pair("", "<OrgnlPmtInfId>B1</OrgnlPmtInfId>"),
                                         {"", "<Other><PmtInfSts>RJCT</PmtInfSts></Other>"},
                                         {"", "<PmtInfSts><Cd>RJCT</Cd></PmtInfSts>"},
                                         {"<PmtInfSts>RJCT</PmtInfSts>", ""}})
        EXPECT_EQ(batch(header, inside), "") << header << inside;
}

}  // namespace
}  // namespace drawbridge::statements
