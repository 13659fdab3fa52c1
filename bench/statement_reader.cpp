// How many lines a second each format of confirmation is read, beside a copy of the same bytes and beside a look at
// each of them. Prints one line of JSON for each format.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "drawbridge/statements/read.hpp"

namespace {

using namespace drawbridge;
using Seconds = std::chrono::duration<double>;

constexpr int lines = 100'000;

std::string filled(long long number, std::size_t width) {
    const std::string text = std::to_string(number);
    return std::string(width - text.size(), '0') + text;
}

std::string plain_csv() {
    std::string bytes = "payment_reference,status,amount,date\n";
    for (int i = 1; i <= lines; ++i)
        bytes += "09100001" + filled(i, 7) + ",paid,300.00,2026-11-24\n";
    return bytes;
}

std::string nacha_returns() {
    std::string bytes = "101 091000019 1234567802611241200A094101";
    bytes.resize(94, ' ');
    std::string header = "5200CITY HOUSING                        1123456789PPDDRAWPMT";
    header.resize(78, ' ');
    header += "1091000010000001";
    bytes += "\n" + header + "\n";
    for (int i = 1; i <= lines; ++i) {
        bytes +=
            "621091000019123456789        0000030000P0000000123    JANE ROE                1" + filled(i, 15) + "\n";
        bytes += "799R0309100001" + filled(i, 7) + "      09100001                                            " +
                 filled(i, 15) + "\n";
    }
    const std::string totals =
        filled(9'100'001LL * lines % 10'000'000'000LL, 10) + filled(0, 12) + filled(30'000LL * lines, 12);
    std::string control = "8200" + filled(2 * lines, 6) + totals + "1123456789";
    control.resize(79, ' ');
    bytes += control + "091000010000001\n";
    std::string end = "9000001" + filled((2 * lines + 4 + 9) / 10, 6) + filled(2 * lines, 8) + totals;
    end.resize(94, ' ');
    return bytes + end + "\n";
}

std::string bai2() {
    std::string bytes = "01,BANK,OFFICE,261124,0800,7,,,2/\n02,OFFICE,BANK,1,261123,,USD,2/\n03,12345,USD,,,,/\n";
    for (int i = 1; i <= lines; ++i)
        bytes += "16,475,30000,Z,," + filled(i, 7) + ",CHECK PAID/\n";
    const std::string total = std::to_string(30'000LL * lines);
    return bytes + "49," + total + "," + std::to_string(lines + 2) + "/\n98," + total + ",1," +
           std::to_string(lines + 4) + "/\n99," + total + ",1," + std::to_string(lines + 6) + "/\n";
}

std::string camt053() {
    std::string bytes =
        "<Document><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-24T23:30:00</CreDtTm></"
        "GrpHdr><Stmt><Id>S1</Id>\n";
    for (int i = 1; i <= lines; ++i)
        bytes +=
            "<Ntry><Amt "
            "Ccy=\"USD\">300.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-23</Dt></"
            "BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>P" +
            filled(i, 10) + "</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>\n";
    return bytes + "</Stmt></BkToCstmrStmt></Document>\n";
}

double best_of(int rounds, const auto& work) {
    double best = 1e9;
    for (int round = 0; round < rounds; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        best = std::min(best, Seconds(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
}

int measure(const char* name, const std::string& bytes) {
    std::vector<char> copy(bytes.size());
    volatile char used = 0;
    const double copied = best_of(5, [&] {
        std::memcpy(copy.data(), bytes.data(), bytes.size());
        used = copy[bytes.size() / 2];
    });
    bool good = true;
    const double read = best_of(3, [&] {
        std::int64_t seen = 0;
        const auto done = statements::read_statement(
            bytes, "f", {}, [&](const Confirmation& c) { seen += c.kind == ConfirmationKind::unrelated ? 0 : 1; });
        if (!done) std::fprintf(stderr, "%s: %s\n", name, done.error().front().to_string().c_str());
        good = good && done && seen == lines;
    });
    std::printf(
        "{\"format\": \"%s\", \"lines\": %d, \"bytes\": %zu, \"lines_a_second\": %.0f, \"times_a_memcpy\": %.0f}\n",
        name, lines, bytes.size(), lines / read, read / copied);
    return good ? 0 : 1;
}

}  // namespace

int main() {
    return measure("csv", plain_csv()) | measure("nacha", nacha_returns()) | measure("bai2", bai2()) |
           measure("camt053", camt053());
}
