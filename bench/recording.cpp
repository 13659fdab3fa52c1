// Measures reading, matching and recording confirmation files with the product's own code, compared with plain inserts
// of the same rows into an SQLite file with the same indexes and settings.
//
//   bench-recording prepare --folder DIR --payments N      a ledger with N payments in flight
//   bench-recording take --folder DIR --format F --lines L --first P
//       drops and imports a file that confirms payments P to P+L-1; prints one line of JSON
#include <SQLiteCpp/SQLiteCpp.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/draws.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/plans.hpp"
#include "drawbridge/pipeline/steps.hpp"
#include "drawbridge/text/show.hpp"
#include "measured.hpp"
#include "plain_insert.hpp"
#include "sample_office.hpp"

namespace drawbridge::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t cents = 300'00;
constexpr std::int64_t draws_a_plan = 100'000;
constexpr std::string_view odfi = "09100001";

std::string filled(std::int64_t number, std::size_t width) {
    const std::string text = std::to_string(number);
    return std::string(width - text.size(), '0') + text;
}

void pay_draws(ledger::Ledger& ledger, DrawId from, DrawId until, Instant now) {
    const auto payees = disbursement::PayeeDirectory::read(
                            "key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,"
                            "state,zip\nP,Payee,ach,021000021,100001,checking,PPD,,,,,\n",
                            "payees.csv")
                            .value();
    std::vector<disbursement::Payable> payables;
    const auto profile = settings();
    ledger.transaction([&] {
        for (DrawId id = from; id < until; ++id) {
            Draw draw;
            draw.id = id;
            draw.status = DrawStatus::approved;
            draw.requested_by = draw.modified_by = "bench@example.org";
            draw.amount_requested = draw.amount_approved = Money::from_cents(cents);
            draw.field_a = "P";
            draw.workflow_id = 12;
            const auto recorded = ledger::record_reading(ledger, draw, ledger::ReadingSource::pay, now);
            payables.push_back({.draw_id = id,
                                .reading_id = recorded.reading_id,
                                .amount = draw.amount_approved,
                                .agreed_amount = draw.amount_approved,
                                .payee_key = draw.field_a,
                                .remittance = {}});
        }
        const auto numbers = ledger::number_block(ledger, disbursement::plan_date(profile, now), 1);
        ledger::record_plan(ledger, disbursement::plan(payables, payees, profile, numbers, now), profile,
                            {now, "bench"});
    });
    for (const auto& file : ledger::payment_files(ledger, /*unreleased_only=*/true)) {
        ledger.transaction([&] {
            ledger::record_staged(ledger, file.file_id, sha256_hex(file.name), {now, "bench"});
            const auto staged = ledger::find_file(ledger, file.name);
            if (auto ordered = ledger::order_release(ledger, *staged, "bench", {now, "another"}); !ordered)
                throw std::runtime_error(ordered.error().message);
            ledger::record_released(ledger, file.file_id, {now, "bench"});
        });
    }
}

int prepare(const fs::path& folder, std::int64_t count) {
    fs::create_directories(folder);
    const Instant now = SystemClock().now();
    auto ledger = ledger::Ledger::open(folder, now).value();
    for (DrawId from = 1; from <= count; from += draws_a_plan)
        pay_draws(ledger, from, std::min(from + draws_a_plan, count + 1), now);
    return 0;
}

std::string csv(std::ofstream& out, std::int64_t first, std::int64_t lines, const std::string& day) {
    out << "payment_reference,status,amount,date\n";
    for (std::int64_t i = first; i < first + lines; ++i)
        out << 'P' << filled(i, 10) << ",paid,300.00," << day << '\n';
    return "bank.csv";
}

std::string bai2(std::ofstream& out, std::int64_t first, std::int64_t lines, const std::string& day) {
    const std::string yymmdd = day.substr(2, 2) + day.substr(5, 2) + day.substr(8, 2);
    out << "01,BANK,OFFICE," << yymmdd << ",0800,7,,,2/\n02,OFFICE,BANK,1," << yymmdd
        << ",,USD,2/\n03,12345,USD,,,,/\n";
    for (std::int64_t i = first; i < first + lines; ++i)
        out << "16,451,30000,Z,,,DRAWPMT P" << filled(i, 10) << " PAYEE/\n";
    const std::string total = std::to_string(cents * lines);
    out << "49," << total << ',' << lines + 2 << "/\n98," << total << ",1," << lines + 4 << "/\n99," << total << ",1,"
        << lines + 6 << "/\n";
    return "bank.bai";
}

std::string camt053(std::ofstream& out, std::int64_t first, std::int64_t lines, const std::string& day) {
    out << "<Document><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId><CreDtTm>" << day
        << "T23:30:00</CreDtTm></GrpHdr><Stmt><Id>S1</Id>\n";
    for (std::int64_t i = first; i < first + lines; ++i) {
        out << "<Ntry><Amt Ccy=\"USD\">300.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>" << day
            << "</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>P" << filled(i, 10)
            << "</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>\n";
    }
    out << "</Stmt></BkToCstmrStmt></Document>\n";
    return "bank.xml";
}

// Without its file header and control, as many banks send them.
std::string nacha(std::ofstream& out, std::int64_t first, std::int64_t lines, const std::string& day) {
    const std::string yymmdd = day.substr(2, 2) + day.substr(5, 2) + day.substr(8, 2);
    std::string header = "5200CITY" + std::string(32, ' ') + "1123456789PPDDRAWPMT         " + yymmdd;
    header.resize(78, ' ');
    constexpr std::string_view rdfi = "02100002";
    constexpr std::int64_t batch_entries = 400'000;  // with their addenda they must fit six digits
    const std::int64_t end = first + lines;
    for (std::int64_t number = 1; first < end; ++number, first += batch_entries) {
        const std::int64_t entries = std::min(batch_entries, end - first);
        out << header << "1" << odfi << filled(number, 7) << '\n';
        for (std::int64_t i = first; i < first + entries; ++i) {
            const std::string trace = filled(i, 7);
            out << "621" << rdfi << "1100001           0000030000P" << filled(i, 10) << "    PAYEE"
                << std::string(19, ' ') << '1' << rdfi << trace << "\n799R03" << odfi << trace << "      " << rdfi
                << std::string(44, ' ') << rdfi << trace << '\n';
        }
        std::string control = "8200" + filled(2 * entries, 6) + filled(2'100'002 * entries % 10'000'000'000, 10) +
                              filled(0, 12) + filled(cents * entries, 12) + "1123456789";
        control.resize(79, ' ');
        out << control << odfi << filled(number, 7) << '\n';
    }
    return "returns.ach";
}

// The rows that recording a file adds: a line and a settlement each, and of what came back all of these.
std::vector<Rows> rows_to_come(const fs::path& folder) {
    const SQLite::Database db((folder / "ledger.db").string());
    std::vector<Rows> rows;
    for (const auto& [table, key] :
         std::initializer_list<std::pair<const char*, std::string>>{{"confirmation_line", "line_id"},
                                                                    {"settlement", "settlement_id"},
                                                                    {"exception", "exception_id"},
                                                                    {"line_exception", "line_id"},
                                                                    {"payee_hold", "hold_id"},
                                                                    {"maker_act", "maker_act_id"}}) {
        SQLite::Statement newest(db, "SELECT coalesce(max(" + key + "), 0) FROM " + table);
        newest.executeStep();
        rows.push_back({table, key + " > " + newest.getColumn(0).getString()});
    }
    return rows;
}

struct Taken {
    bool is_good = false;
    double seconds = 0;
    double longest_turn = 0;
    std::int64_t before_kib = 0, peak_kib = 0;
};

// Imports the file in the inbox.
Taken import_one(const fs::path& folder, std::int64_t lines) {
    const SystemClock clock;
    auto ledger = ledger::Ledger::open(folder, clock.now()).value();
    spool::Spool spool(folder);
    boost::asio::io_context io;
    auto client = service::make_client(io.get_executor(), sandbox_client("http://127.0.0.1:1")).value();
    pipeline::Settings how{.plan = settings()};
    config::Config config{.pay = {.timezone = how.plan.zone}, .warnings = {}};
    config.confirmations.quiet_period = std::chrono::milliseconds(0);
    config.confirmations.max_file_bytes = std::uint64_t{1} << 40;
    how.confirmations.office.odfi_identification = odfi;
    how.confirmations.rules = {{"*.csv", statements::Format::csv, ""}};
    pipeline::Shared shared{ledger, *client, spool, clock, config, std::move(how), {}, {}};
    pipeline::Context context(shared);
    Taken taken;
    // The longest time during which nothing else in the program could run.
    Stopwatch turn;
    context.progress = [&](std::string_view, std::int64_t, std::int64_t) {
        taken.longest_turn = std::max(taken.longest_turn, turn.seconds());
        turn = Stopwatch();
    };
    taken.before_kib = peak_rss_kib();
    const Stopwatch watch;
    const auto report = run_to_end(io, pipeline::confirm(context));
    taken.seconds = watch.seconds();
    taken.peak_kib = peak_rss_kib();
    taken.is_good = report.ok && report.problems.empty() &&
                    report.summary.starts_with("1 file applied: " + text::counted(lines, "confirmation"));
    if (!taken.is_good)
        std::fprintf(stderr, "%s\n%s\n", report.summary.c_str(),
                     report.problems.empty() ? "" : report.problems.front().c_str());
    return taken;
}

int take(const fs::path& folder, const std::string& format, std::int64_t lines, std::int64_t first) {
    const std::string day = format_date(settings().zone.date_of(SystemClock().now()));
    std::ofstream out(folder / "made.tmp", std::ios::binary);
    const auto write = format == "csv" ? csv : format == "bai2" ? bai2 : format == "camt053" ? camt053 : nacha;
    const std::string name = write(out, first, lines, day);
    out.close();
    const auto bytes = fs::file_size(folder / "made.tmp");
    fs::create_directories(folder / "inbox");
    fs::rename(folder / "made.tmp", folder / "inbox" / name);
    const auto rows = rows_to_come(folder);
    const auto taken = import_one(folder, lines);
    SQLite::Database ledger((folder / "ledger.db").string());
    const double plain = insert_plainly(ledger, folder / "plain.db", rows);
    std::printf(
        "{\"format\": \"%s\", \"lines\": %lld, \"bytes\": %llu, \"ok\": %s, \"lines_a_second\": %.0f, "
        "\"times_a_plain_insert\": %.2f, \"seconds\": %.2f, \"longest_turn_ms\": %.0f, \"rss_before_kib\": %lld, "
        "\"peak_rss_kib\": %lld}\n",
        format.c_str(), static_cast<long long>(lines), static_cast<unsigned long long>(bytes),
        taken.is_good ? "true" : "false", static_cast<double>(lines) / taken.seconds, taken.seconds / plain,
        taken.seconds, taken.longest_turn * 1000, static_cast<long long>(taken.before_kib),
        static_cast<long long>(taken.peak_kib));
    return taken.is_good ? 0 : 1;
}

}  // namespace
}  // namespace drawbridge::bench

int main(int argc, char** argv) {
    CLI::App app{"Takes confirmation files beside plain inserts of the same rows."};
    app.require_subcommand(1);
    std::string folder, format = "csv";
    std::int64_t count = 100'000, first = 1;
    auto& prepare = *app.add_subcommand("prepare", "a ledger of payments");
    prepare.add_option("--payments", count, "how many")->required();
    auto& take = *app.add_subcommand("take", "one file");
    take.add_option("--format", format, "csv, bai2, camt053, nacha")->required();
    take.add_option("--lines", count, "how many")->required();
    take.add_option("--first", first, "the first payment that it confirms")->required();
    for (auto* one : {&prepare, &take})
        one->add_option("--folder", folder, "the state folder")->required();
    CLI11_PARSE(app, argc, argv);
    return prepare.parsed() ? drawbridge::bench::prepare(folder, count)
                            : drawbridge::bench::take(folder, format, count, first);
}
