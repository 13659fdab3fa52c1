// Measures lines read per second for each confirmation format, compared with copying the same bytes, and memory use by
// number of lines. Prints one line of JSON per format.
//   bench-statements                             100,000 lines of each, from memory
//   bench-statements write FORMAT LINES FILE     csv, nacha, bai2, camt053, paid_fixed, paid_csv
//   bench-statements memory FORMAT FILE          from the mapped file, in slices, as the daemon does
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/statements/read.hpp"

namespace {

using namespace drawbridge;
using Seconds = std::chrono::duration<double>;

constexpr int speed_lines = 100'000;

std::string filled(long long number, std::size_t width) {
    const std::string text = std::to_string(number);
    return std::string(width - text.size(), '0') + text;
}

std::string plain_csv(int lines) {
    std::string bytes = "payment_reference,status,amount,date\n";
    for (int i = 1; i <= lines; ++i)
        bytes += "09100001" + filled(i, 7) + ",paid,300.00,2026-11-24\n";
    return bytes;
}

// A batch has at most 999,999 entries and addenda.
std::string return_batch(int number, int first, int last) {
    const long long entries = last - first + 1;
    const std::string batch = "09100001" + filled(number, 7);
    std::string bytes = "5200CITY HOUSING                        1123456789PPDDRAWPMT";
    bytes.resize(78, ' ');
    bytes += "1" + batch + "\n";
    for (int i = first; i <= last; ++i) {
        bytes +=
            "621091000019123456789        0000030000P0000000123    JANE ROE                1" + filled(i, 15) + "\n";
        bytes += "799R0309100001" + filled(i, 7) + "      09100001                                            " +
                 filled(i, 15) + "\n";
    }
    std::string control = "8200" + filled(2 * entries, 6) + filled(9'100'001 * entries % 10'000'000'000LL, 10) +
                          filled(0, 12) + filled(30'000 * entries, 12) + "1123456789";
    control.resize(79, ' ');
    return bytes + control + batch + "\n";
}

std::string nacha_returns(int lines) {
    constexpr int batch_entries = 400'000;
    std::string bytes = "101 091000019 1234567802611241200A094101";
    bytes.resize(94, ' ');
    bytes += '\n';
    int batches = 0;
    for (int first = 1; first <= lines; first += batch_entries)
        bytes += return_batch(++batches, first, std::min(lines, first + batch_entries - 1));
    const long long records = 2LL * lines + 2LL * batches + 2;
    std::string end = "9" + filled(batches, 6) + filled((records + 9) / 10, 6) + filled(2LL * lines, 8) +
                      filled(9'100'001LL * lines % 10'000'000'000LL, 10) + filled(0, 12) + filled(30'000LL * lines, 12);
    end.resize(94, ' ');
    return bytes + end + "\n";
}

std::string bai2(int lines) {
    std::string bytes = "01,BANK,OFFICE,261124,0800,7,,,2/\n02,OFFICE,BANK,1,261123,,USD,2/\n03,12345,USD,,,,/\n";
    for (int i = 1; i <= lines; ++i)
        bytes += "16,475,30000,Z,," + filled(i, 7) + ",CHECK PAID/\n";
    const std::string total = std::to_string(30'000LL * lines);
    return bytes + "49," + total + "," + std::to_string(lines + 2) + "/\n98," + total + ",1," +
           std::to_string(lines + 4) + "/\n99," + total + ",1," + std::to_string(lines + 6) + "/\n";
}

std::string camt053(int lines) {
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

std::string paid_fixed(int lines) {
    std::string bytes;
    for (int i = 1; i <= lines; ++i)
        bytes += filled(i, 10) + "0000030000" + "20261124\n";
    return bytes;
}

std::string paid_csv(int lines) {
    std::string bytes = "Check,Amount,Cleared\n";
    for (int i = 1; i <= lines; ++i)
        bytes += std::to_string(10'000 + i) + ",300.00,20261124\n";
    return bytes;
}

struct Kind {
    const char* name;
    std::string (*make)(int lines);
    bool has_layout = false;
};
constexpr std::array kinds = {
    Kind{"csv", plain_csv},   Kind{"nacha", nacha_returns},         Kind{"bai2", bai2},
    Kind{"camt053", camt053}, Kind{"paid_fixed", paid_fixed, true}, Kind{"paid_csv", paid_csv, true}};

statements::ReadOptions options_for(const Kind& kind) {
    statements::ReadOptions options;
    if (!kind.has_layout) return options;
    const std::string_view yaml =
        kind.make == paid_fixed
            ? "format: fixed\nrecord_length: 28\ndate_format: YYYYMMDD\namount_format: cents\ncolumns:\n"
              "  - {field: check_number, at: 1-10}\n  - {field: amount, at: 11-20}\n  - {field: paid_date, at: 21-28}\n"
            : "format: csv\nheader: true\ndate_format: YYYYMMDD\ncolumns:\n"
              "  - {field: check_number, header: Check}\n  - {field: amount, header: Amount}\n"
              "  - {field: paid_date, header: Cleared}\n";
    options.paid_check_layouts.push_back(checks::read_paid_layout(yaml, "layout.yaml").value());
    options.paid_check_layouts.back().name = options.profile = kind.name;
    return options;
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

int measure(const Kind& kind) {
    const std::string bytes = kind.make(speed_lines);
    const auto options = options_for(kind);
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
            bytes, "f", options, [&](const Confirmation& c) { seen += c.kind == ConfirmationKind::unrelated ? 0 : 1; });
        if (!done) std::fprintf(stderr, "%s: %s\n", kind.name, done.error().front().to_string().c_str());
        good = good && done && seen == speed_lines;
    });
    std::printf(
        "{\"format\": \"%s\", \"lines\": %d, \"bytes\": %zu, \"lines_a_second\": %.0f, \"times_a_memcpy\": %.0f}\n",
        kind.name, speed_lines, bytes.size(), speed_lines / read, read / copied);
    return good ? 0 : 1;
}

int write(const Kind& kind, int lines, const char* file) {
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out << kind.make(lines);
    return out.flush() ? 0 : 1;
}

// Drops pages that were read from time to time, so that the file's pages do not count as the reader's memory.
int memory(const Kind& kind, const char* name) {
    const int file = ::open(name, O_RDONLY | O_CLOEXEC);
    const auto size = static_cast<std::size_t>(std::filesystem::file_size(name));
    void* const bytes = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
    if (file < 0 || bytes == MAP_FAILED) return 1;
    const auto options = options_for(kind);
    statements::StatementReader reading({static_cast<const char*>(bytes), size}, "f", options,
                                        [](const Confirmation&) {});
    for (std::size_t slices = 1; reading.advance(); ++slices) {
        if (slices % 16 == 0) ::madvise(bytes, size, MADV_DONTNEED);
    }
    const auto done = std::move(reading).finish();
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    std::printf("{\"format\": \"%s\", \"lines\": %lld, \"bytes\": %zu, \"peak_rss_kib\": %ld}\n", kind.name,
                done ? static_cast<long long>(done->lines) : -1, size, usage.ru_maxrss);
    return done ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string_view> given(argv + 1, argv + argc);
    if (given.empty()) {
        int worst = 0;
        for (const Kind& kind : kinds)
            worst |= measure(kind);
        return worst;
    }
    const auto* kind =
        std::ranges::find_if(kinds, [&](const Kind& one) { return given.size() > 1 && one.name == given[1]; });
    if (kind != kinds.end() && given[0] == "write" && given.size() == 4)
        return write(*kind, std::atoi(argv[3]), argv[4]);
    if (kind != kinds.end() && given[0] == "memory" && given.size() == 3) return memory(*kind, argv[3]);
    return std::fprintf(stderr, "bench-statements | write FORMAT LINES FILE | memory FORMAT FILE\n"), 2;
}
