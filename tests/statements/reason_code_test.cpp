// The reason code in a bank's own words: every rule about codes needs the code alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "statements/shown.hpp"

namespace drawbridge::statements {
namespace {

using testing::HasSubstr;

struct Case {
    const char* given;
    const char* code;
    bool has_note = false;  // the bank wrote more than the code
};

constexpr Case cases[] = {
    {"R03", "R03"},
    {"r03", "R03"},
    {"R-03", "R03", true},
    {"R 03", "R03", true},
    {"(R03)", "R03", true},
    {"R03 - No Account", "R03", true},
    {"r15 deceased", "R15", true},
    {"R24: Duplicate Entry", "R24", true},
    {"R61 Misrouted return", "R61", true},
    {"R99 of our own", "R99", true},
    {"R03 unit R24", "R03", true},
    {"Reason code: R10 Not authorized", "R10", true},
    {"RETURN R16", "R16", true},
    {"account holder deceased, R15", "R15", true},
    {"c01 incorrect account", "C01", true},
    {"C99", "C99"},
    {"ac04", "AC04"},
    {"AC04 ClosedAccountNumber", "AC04", true},
    {"AC-04", "AC04", true},
    {"AM05-Duplicate", "AM05", true},
    {"du03", "DU03"},
    {"DUPL duplicate payment", "DUPL", true},
    {"MD07 deceased", "MD07", true},
    {"BE05 unrecognized party", "BE05", true},
    {"cust", "CUST"},
    {"FOCR on request", "FOCR", true},
    // A code of the bank's own, or none.
    {"03", "03"},
    {"NARR", "NARR"},
    {"narrative", "narrative"},
    {"R3", "R3"},
    {"R103", "R103"},
    {"Account closed", "Account closed"},
    {"unit R03 or R24", "unit R03 or R24"},
    {"PO 12", "PO 12"},
};

std::string returned_with(const std::string& reason) {
    ReadOptions options;
    options.csv_profiles = {read_csv_profile("format: csv\nheader: false\nreferences:\n  - {kind: any, column: 1}\n"
                                             "amount: 2\ndate: 3\nreason_code: 4\nstatus: {constant: returned}\n",
                                             "p.yaml")
                                .value()};
    options.profile = "p";
    const std::string text = shown("P0000000001,5.00,2026-11-24,\"" + reason + "\"\n", "f.csv", options);
    return text.substr(text.find("P0000000001") + 11);
}

TEST(ReasonCode, of_a_csv_field_is_the_code_alone) {
    for (const Case& c : cases) {
        const std::string note = c.has_note ? " note='" + std::string(c.given) + "'" : "";
        EXPECT_EQ(returned_with(c.given), " " + std::string(c.code) + note + "\n") << c.given;
    }
    EXPECT_EQ(returned_with("R03 account 123456789012"), " R03 note='R03 account ****9012'\n");
}

TEST(ReasonCode, of_an_iso_20022_message_is_the_code_alone) {
    for (const Case& c : cases) {
        const std::string note = c.has_note ? "note='" + std::string(c.given) + "'" : "";
        const std::string camt = shown(
            "<Document><BkToCstmrDbtCdtNtfctn><Ntfctn><Ntry><Amt Ccy=\"USD\">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>"
            "<Sts>BOOK</Sts><BookgDt><Dt>2026-11-24</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>P0000000001"
            "</EndToEndId></Refs><RtrInf><Rsn><Prtry>" +
                std::string(c.given) +
                "</Prtry></Rsn></RtrInf></TxDtls></NtryDtls></Ntry></Ntfctn></BkToCstmrDbtCdtNtfctn></Document>",
            "s.xml");
        EXPECT_THAT(camt, HasSubstr(" returned 5.00 USD 2026-11-24 payment id=P0000000001 " + std::string(c.code) +
                                    (c.has_note ? " " + note : "") + "\n"));
        const std::string pain = shown(
            "<Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>2026-11-24T10:00:00</CreDtTm></GrpHdr><OrgnlPmtInfAndSts>"
            "<TxInfAndSts><OrgnlEndToEndId>P0000000001</OrgnlEndToEndId><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Prtry>" +
                std::string(c.given) +
                "</Prtry></Rsn></StsRsnInf></TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>",
            "s.xml");
        EXPECT_THAT(pain, HasSubstr(" payment id=P0000000001 " + std::string(c.code) + " note='RJCT"));
        EXPECT_THAT(pain, HasSubstr(c.has_note ? std::string(c.given) + "'\n" : "note='RJCT"));
    }
}

}  // namespace
}  // namespace drawbridge::statements
