#include "drawbridge/reconciliation/manifest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/samples.hpp"

namespace drawbridge::reconciliation {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string ledger_id = "0f0f";

ExportLine line(std::int64_t export_no, const std::string& previous) {
    ExportLine one;
    one.export_no = export_no;
    one.at = test::at("2026-03-04T15:00:00");
    one.released_by = "uid 7 (bo)";
    one.ledger_id = ledger_id;
    one.file = "ACH-20260304-" + std::string(1, static_cast<char>('A' + export_no - 1)) + ".ach";
    one.kind = "payments";
    one.rail = "ach";
    one.sha256 = "sha-" + std::to_string(export_no);
    one.creation_date = parse_date("2026-03-04").value();
    one.file_id_modifier = "A";
    one.total = Money::from_cents(123456);
    one.payments = {{7, 17, Money::from_cents(123456), "091000010000001"}};
    one.next = {8, 2, 1, 2, 1};
    one.audit_seq = 10 * export_no;
    one.audit_head = "head-" + std::to_string(export_no);
    one.previous = previous;
    return one;
}

// Of files by name, with their lines.
ManifestContents read(std::initializer_list<std::pair<std::string, std::string>> files) {
    ManifestContents contents;
    for (const auto& [name, bytes] : files)
        read_manifest(name, bytes, WithPayments::no, contents);
    return contents;
}

// Two exports on two days, as the program writes them and as its ledger records them.
struct Kept {
    std::string first = to_line(line(1, ledger_id));
    std::string second = to_line(line(2, line_hash(first)));
    std::vector<KnownExport> known = {
        {1, "ACH-20260304-A.ach", "sha-1", line_hash(first), 10, "head-1", false, true, line_hash(first)},
        {2, "ACH-20260304-B.ach", "sha-2", line_hash(second), 20, "head-2", false, true, line_hash(second)},
    };
    [[nodiscard]] std::vector<std::string> faults(Manifests kept = Manifests::beside_ledger) const {
        return compare_manifests(read({{"2026-03-04.jsonl", first.empty() ? "" : first + "\n"},
                                       {"2026-03-05.jsonl", second.empty() ? "" : second + "\n"}}),
                                 known, ledger_id, kept);
    }
};

TEST(ManifestLine, reads_back_equal) {
    const auto one = line(1, ledger_id);
    const auto text = to_line(one);
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_EQ(parse_line(text).value(), one);
}

TEST(ManifestLine, names_the_signed_act_of_a_release_and_stays_as_it_was_without_one) {
    ExportLine one = line(3, "before");
    EXPECT_THAT(to_line(one), testing::Not(HasSubstr("act_sha256")));
    one.act_sha256 = "5e5f";
    EXPECT_THAT(to_line(one), HasSubstr(R"-(","act_sha256":"5e5f","ledger":)-"));
    EXPECT_EQ(parse_line(to_line(one)).value(), one);
    auto mistyped = to_line(one);
    mistyped.replace(mistyped.find("\"5e5f\""), 6, "7");
    EXPECT_FALSE(parse_line(mistyped));
}

TEST(ManifestLine, is_json_whatever_its_texts_are) {
    auto one = line(1, ledger_id);
    one.released_by = "uid 7 (\"Bo\\\" J\xc3\xb8rgen\n)";
    one.payments.push_back({8, 18, Money::from_cents(1), "\x7f\t"});
    EXPECT_EQ(parse_line(to_line(one)).value(), one);
    one.released_by = "\xff";
    EXPECT_EQ(parse_line(to_line(one)).value().released_by, "\xef\xbf\xbd");
    one.payments.clear();
    EXPECT_THAT(parse_line(to_line(one)).value().payments, IsEmpty());
}

TEST(ManifestLine, is_read_without_its_payments) {
    auto one = line(1, ledger_id);
    const auto read = parse_line(to_line(one), WithPayments::no).value();
    one.payments.clear();
    EXPECT_EQ(read, one);
}

TEST(ManifestLine, rejects_a_missing_or_mistyped_member) {
    const auto text = to_line(line(1, ledger_id));
    EXPECT_FALSE(parse_line(""));
    EXPECT_FALSE(parse_line("[]"));
    EXPECT_FALSE(parse_line(text.substr(0, text.size() / 2)));
    for (const std::string_view key : {"\"export\"", "\"at\"", "\"sha256\"", "\"total\"", "\"reference\"",
                                       "\"trace_sequence\"", "\"audit_head\"", "\"previous\""}) {
        auto without = text;
        without.replace(without.find(key), key.size(), "\"other\"");
        EXPECT_FALSE(parse_line(without)) << key;
    }
}

TEST(Manifests, have_no_faults_when_they_agree) {
    EXPECT_THAT(Kept().faults(), IsEmpty());
}

TEST(Manifests, reveal_a_consistently_rewritten_audit_trail) {
    Kept kept;
    kept.known[1].audit_head = "another";
    EXPECT_THAT(kept.faults(), ElementsAre(HasSubstr("entry 20 of the audit trail is not the one")));
}

TEST(Manifests, reveal_a_changed_line_even_with_a_matching_ledger_hash) {
    Kept kept;
    auto changed = line(1, ledger_id);
    changed.total = Money::from_cents(1);
    kept.first = to_line(changed);
    EXPECT_THAT(kept.faults(), SizeIs(2));
    kept.known[0].line_sha256 = line_hash(kept.first);
    EXPECT_THAT(kept.faults(), ElementsAre(HasSubstr("does not follow from the previous line"),
                                           HasSubstr("the ledger's rows no longer match the line")));
}

TEST(Manifests, reveal_a_file_that_has_other_bytes_or_another_name_in_the_ledger) {
    Kept kept;
    kept.known[0].sha256 = "sha-9";
    EXPECT_THAT(kept.faults(), ElementsAre(HasSubstr("is a different file in the ledger: ACH-20260304-A.ach")));
    kept = Kept();
    kept.known[1].file = "ACH-20260304-C.ach";
    EXPECT_THAT(kept.faults(), ElementsAre(HasSubstr("is a different file in the ledger: ACH-20260304-C.ach")));
}

TEST(Manifests, reveal_ledger_rows_that_no_longer_match_the_line) {
    Kept kept;
    kept.known[1].derived_sha256 = line_hash("the same file, released by somebody else");
    EXPECT_THAT(kept.faults(), ElementsAre(HasSubstr("export 2 (ACH-20260304-B.ach): the ledger's rows no longer")));
}

TEST(Manifests, reveal_a_broken_chain_in_any_line_order) {
    Kept kept;
    auto second = line(2, line_hash("another first line"));
    kept.second = to_line(second);
    kept.known[1].line_sha256 = kept.known[1].derived_sha256 = line_hash(kept.second);
    const auto faults = [&](const std::string& bytes) {
        return compare_manifests(read({{"2026-03-04.jsonl", bytes}}), kept.known, ledger_id, Manifests::beside_ledger);
    };
    EXPECT_THAT(faults(kept.first + "\n" + kept.second + "\n"),
                ElementsAre(HasSubstr("does not follow from the previous line")));
    EXPECT_THAT(faults(kept.second + "\n" + kept.first + "\n"),
                ElementsAre(HasSubstr("does not follow from the previous line")));
}

TEST(Manifests, reveal_exports_missing_on_either_side) {
    Kept kept;
    kept.known.pop_back();
    EXPECT_THAT(kept.faults(), ElementsAre(HasSubstr("is not in the ledger")));
    kept = Kept();
    kept.second.clear();
    EXPECT_THAT(kept.faults(), ElementsAre(HasSubstr("export 2 (ACH-20260304-B.ach) is in no manifest")));
    EXPECT_THAT(kept.faults(Manifests::copied), IsEmpty()) << "copied before it was released";
    kept.known[1].went_out = false;
    EXPECT_THAT(kept.faults(), IsEmpty()) << "its line is written on release";
    kept = Kept();
    kept.first.clear();
    EXPECT_THAT(kept.faults(Manifests::copied), ElementsAre(HasSubstr("export 1")));
}

TEST(Manifests, reveal_lines_of_another_ledger_and_duplicates) {
    Kept kept;
    EXPECT_THAT(compare_manifests(read({{"a.jsonl", kept.first + "\n"}}), {}, "other", Manifests::copied),
                ElementsAre(HasSubstr("belongs to another ledger")));
    kept.second = kept.second + "\n" + kept.second;
    EXPECT_THAT(kept.faults(), ElementsAre(HasSubstr("is also in 2026-03-05.jsonl:1")));
}

}  // namespace
}  // namespace drawbridge::reconciliation
