// camt.053 (statement), camt.054 (notification) and pain.002 (payment status report): element names are compared
// without their namespace, so that a message of any version from 2 on is read. It builds a tree of one entry or one
// transaction at a time, so it reads a file of any size in the memory of its largest entry.
#include <algorithm>
#include <array>
#include <memory>
#include <pugixml.hpp>
#include <utility>
#include <vector>

#include "bai2_types.hpp"
#include "batch_totals.hpp"
#include "drawbridge/domain/ascii.hpp"
#include "entry_summary.hpp"
#include "line_sink.hpp"
#include "payment_statuses.hpp"
#include "profile_values.hpp"
#include "reason_code.hpp"
#include "xml_elements.hpp"
#include "xml_nodes.hpp"

namespace drawbridge::statements {
namespace {

// What takes money out of the account without paying anybody: checks, direct debits, card payments and drafts of others
// that came back unpaid, reversals, and adjustments.
bool is_correction_code(std::string_view sub_family) {
    constexpr std::array<std::string_view, 15> codes = {"UPCQ", "CQRV", "XPCQ", "UPDD", "PRDD", "RCDD", "UPCT", "UDFT",
                                                        "AREV", "XRTN", "ADJT", "DAJT", "CAJT", "CSHA", "LBCA"};
    return std::ranges::find(codes, sub_family) != codes.end();
}

// "BAI", "bai2", "USBAI", "US-BAI"; not "DUBAI".
bool is_bai(std::string_view issuer) {
    const std::string raised = uppercase(issuer);
    const std::size_t at = raised.find("BAI");
    if (at == std::string::npos) return false;
    return at == 0 || !is_letter_or_digit(raised[at - 1]) || raised.substr(0, at) == "US";
}

// Returns of a credit, of a direct debit and after a recall. A debit with such a code is a return of what others paid
// us.
bool is_return_code(std::string_view sub_family) {
    return sub_family == "RRTN" || sub_family == "ARET" || sub_family == "RPCR";
}

class IsoReader final : public SlicedReader {
  public:
    IsoReader(std::string_view bytes, LineSink& sink) : sink_(sink), visitor_(make_visitor()) {
        if (is_windows1252(declared_encoding(bytes).value_or(""))) {
            to_convert_ = bytes;
        } else {
            visit_.emplace(bytes, visitor_);
        }
    }

    bool advance() override {
        if (open_) return read_transactions();
        if (!visit_) return convert(slice_size);
        const auto more = visit_->advance(slice_size);
        if (more) return *more;
        const XmlFault& fault = more.error();
        sink_.report.add(fault.line, fault.column, fault.message, fault.hint);
        return false;
    }

  private:
    static constexpr std::size_t slice_size = std::size_t{64} * 1024;

    // Its transactions, perhaps a hundred thousand, become lines a slice at a time.
    struct OpenEntry {
        pugi::xml_document document;
        pugi::xml_node entry;  // without its transactions
        std::vector<pugi::xml_node> transactions;
        std::optional<BatchTotals> totals;  // of a debit, until all transactions are added up
        std::size_t next = 0;
        BusinessDate day;
        bool alone = false;  // one transaction, and no batch
        std::string_view text;
        std::size_t counted = 0;  // the bytes of the text up to `line`
        int line = 0;
    };

    bool convert(std::size_t slice) {
        const auto text = decode_windows1252(to_convert_.substr(0, slice));
        if (!text) {
            const auto lines =
                std::ranges::count(utf8_, '\n') + std::ranges::count(to_convert_.substr(0, text.error()), '\n');
            sink_.report.add(1 + static_cast<int>(lines), 0, "a byte that is undefined in Windows-1252",
                             "ask the bank for UTF-8");
            return false;
        }
        utf8_ += *text;
        to_convert_.remove_prefix(std::min(slice, to_convert_.size()));
        if (to_convert_.empty()) visit_.emplace(utf8_, visitor_);
        return true;
    }

    XmlVisitor make_visitor() {
        return {
            .wanted = [this](const XmlPath& path) { return is_wanted(without_envelope(path)); },
            .element = [this](const XmlPath& path, std::string_view text, int line,
                              int column) { read_element(path, text, line, column); },
            .text =
                [this](const XmlPath& whole, std::string_view text) {
                    const XmlPath path = without_envelope(whole);
                    if (is_in_message(path)) read_text(path, trim(text));
                },
            .end =
                [this](const XmlPath& whole) {
                    const XmlPath path = without_envelope(whole);
                    if (is_in_message(path)) read_end(path);
                },
        };
    }

    [[nodiscard]] bool is_in_message(const XmlPath& path) const {
        return path.size() >= 2 && format_of_message(path[1]) == sink_.facts.format;
    }

    bool is_wanted(const XmlPath& path) {
        // An envelope may contain several messages. Another kind of message must not be ignored silently.
        const bool is_in = is_in_message(path);
        if (path.size() == 2 && path[0] == "Document" && !is_in)
            sink_.report.add(0, 0,
                             "the file contains a " + std::string(path[1].substr(0, 40)) + " next to a " +
                                 std::string(to_string(sink_.facts.format)) + " message",
                             "drop each message as a separate file");
        if (!is_in) return false;
        if (sink_.facts.format == Format::pain002)
            return path.back() == "TxInfAndSts" || path.back() == "OrgnlGrpInfAndSts";
        return path.back() == "Ntry" && path.size() == 4;
    }

    // Receives the texts above the entries in order.
    void read_text(const XmlPath& path, std::string_view text) {
        if (text.empty()) return;
        if (path.size() == 4 && path[2] == "GrpHdr" && path[3] == "MsgId") sink_.facts.bank_file_id = text;
        if (path.size() == 4 && path[3] == "CreDtTm") {
            created_ = day_of(text, sink_.options.zone);
            if (!sink_.facts.date) sink_.facts.date = created_;
        }
        if (path.size() == 5 && path[3] == "FrToDt" && path[4] == "ToDtTm")
            last_day_ = day_of(text, sink_.options.zone);
        // Document/BkToCstmrStmt/Stmt/Acct/Id/IBAN, or …/Id/Othr/Id
        if (path.size() >= 6 && path[3] == "Acct" && path[4] == "Id" && (path[5] == "IBAN" || path.back() == "Id"))
            account_ = text;
        summary_.read(path, text);
        statuses_.read_text(path, text);
    }

    void read_end(const XmlPath& path) {
        if (path.size() == 4 && path[3] == "Acct") ours_ = sink_.is_ours(account_);
        if (path.size() == 3 && path[2] != "GrpHdr" && path[2] != "OrgnlPmtInfAndSts") {
            summary_.compare(sink_.report);
            account_.clear();
            last_day_.reset();
        }
        statuses_.read_end(path, created_);
    }

    void read_element(const XmlPath& path, std::string_view text, int line, int column) {
        auto open = std::make_unique<OpenEntry>();
        pugi::xml_document& document = open->document;
        constexpr unsigned flags = pugi::parse_cdata | pugi::parse_escapes | pugi::parse_eol;
        const auto parsed = document.load_buffer(text.data(), text.size(), flags, pugi::encoding_utf8);
        if (!parsed) {
            const auto lines = std::ranges::count(text.substr(0, static_cast<std::size_t>(parsed.offset)), '\n');
            return sink_.report.add(line + static_cast<int>(lines), lines == 0 ? column : 0,
                                    std::string("this XML cannot be read: ") + parsed.description(),
                                    "the file is damaged or truncated: ask the bank for it again");
        }
        const pugi::xml_node root = document.first_child();
        if (path.back() == "OrgnlGrpInfAndSts") return statuses_.read_file(root, line, created_);
        if (path.back() != "Ntry") return statuses_.read_transaction(root, line, created_);
        open->entry = root;
        open->text = text;
        open->line = line;
        if (!read_entry(*open)) return;
        open_ = std::move(open);
        if (text.size() < slice_size) {
            while (open_)
                (void)read_transactions();
        }
    }

    // False: it has no transactions left to read.
    bool read_entry(OpenEntry& open) {
        const pugi::xml_node entry = open.entry;
        const int line = open.line;
        summary_.add({text_at(entry, {"Amt"}), text_at(entry, {"CdtDbtInd"}), code_at(entry, "Sts")}, line);
        std::optional<BusinessDate> day;
        for (const std::string_view name : {"BookgDt", "ValDt"}) {
            const pugi::xml_node date = child(entry, name);
            const auto read = day_at(entry, name, sink_.options.zone);
            if (date && !read) return refuse_date(date, name, line);
            if (!day) day = read;
        }
        // At some banks only the statement has a date.
        if (!day) day = last_day_ ? last_day_ : created_;
        if (!day) return refuse(line, "an entry has no booking date", "ask the bank for it");
        if (account_.empty() && !sink_.options.office.accounts.empty())
            return refuse(line, "the statement does not name its account",
                          "it may be another company's: ask the bank for it");
        batch_fault_.clear();
        if (text_at(entry, {"CdtDbtInd"}) == "DBIT") open.totals.emplace(entry);
        const bool is_alone = !is_batch(entry);
        take_transactions(open);
        if (open.transactions.empty()) {
            add_line(open.entry, {}, *day, line, is_alone);
            return false;
        }
        open.day = *day;
        open.alone = is_alone && open.transactions.size() == 1;
        return true;
    }

    // Moves them out of the entry, because each of them looks for the entry's own elements.
    static void take_transactions(OpenEntry& open) {
        pugi::xml_node details = open.entry;
        open.entry = open.document.append_child("Ntry");
        for (pugi::xml_node part = details.first_child(); part;) {
            const pugi::xml_node next = part.next_sibling();
            if (local_name(part.name()) != "NtryDtls") open.entry.append_move(part);
            part = next;
        }
        for (const pugi::xml_node& part : details.children()) {
            for (const pugi::xml_node& one : part.children()) {
                if (local_name(one.name()) == "TxDtls") open.transactions.push_back(one);
            }
        }
    }

    // True: the file goes on behind them.
    bool read_transactions() {
        constexpr std::size_t transactions_at_once = 250;
        OpenEntry& open = *open_;
        const std::size_t until = std::min(open.next + transactions_at_once, open.transactions.size());
        if (open.totals) {
            for (; open.next < until; ++open.next)
                open.totals->add(open.transactions[open.next]);
            if (until < open.transactions.size()) return true;
            batch_fault_ = open.totals->finish();
            open.totals.reset();
            open.next = 0;
            return true;
        }
        for (; open.next < until; ++open.next) {
            const pugi::xml_node& one = open.transactions[open.next];
            const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(one.offset_debug(), 0));
            const std::string_view passed = open.text.substr(open.counted, at - std::min(at, open.counted));
            open.line += static_cast<int>(std::ranges::count(passed, '\n'));
            open.counted += passed.size();
            add_line(open.entry, one, open.day, open.line, open.alone);
        }
        if (until == open.transactions.size()) open_.reset();
        return true;
    }

    bool refuse(int line, std::string message, std::string hint) {
        sink_.report.add(line, 0, std::move(message), std::move(hint));
        return false;
    }

    bool refuse_date(const pugi::xml_node& date, std::string_view name, int line) {
        std::string text = own_text(date);
        for (const pugi::xml_node& form : date.children())
            text += own_text(form);
        return refuse(line, "the date '" + text.substr(0, 40) + "' in " + std::string(name) + " is not a date",
                      "a date is written like 2026-11-25: ask the bank for the file again");
    }

    static bool is_batch(const pugi::xml_node& entry) {
        const std::string number = text_at(entry, {"NtryDtls", "Btch", "NbOfTxs"});
        return !number.empty() && number != "1";
    }

    // The transaction's own amount. The entry's amount counts only if the entry is a single transaction. The instructed
    // amount may be in another currency than the one that the account was booked in.
    static pugi::xml_node amount_of(const pugi::xml_node& entry, const pugi::xml_node& one, bool alone) {
        if (const pugi::xml_node booked = booked_amount(one)) return booked;
        const pugi::xml_node of_entry = child(entry, "Amt");
        return alone && of_entry ? of_entry : at_path(one, {"AmtDtls", "InstdAmt", "Amt"});
    }

    void add_line(const pugi::xml_node& entry, const pugi::xml_node& one, BusinessDate day, int line, bool alone) {
        Confirmation c;
        c.line = line;
        c.date = day;
        read_currency(child(entry, "Amt"), c);
        if (!read_amount(amount_of(entry, one, alone), c, sink_.report)) return;
        read_references(one ? child(one, "Refs") : pugi::xml_node(), c);
        const std::string entry_text = text_at(entry, {"AddtlNtryInf"}), text = remittance_text(one);
        const std::string why = text_at(one, {"RtrInf", "AddtlInf"}), side = side_of(entry, one);
        find_references(text, sink_.options.office, c.references);
        if (alone) find_references(entry_text, sink_.options.office, c.references);
        if (side == "CRDT") find_references_of_credit(entry, one, alone, c);
        c.reason_code = text_at(one, {"RtrInf", "Rsn", "Cd"});
        if (c.reason_code.empty()) c.reason_code = text_at(one, {"RtrInf", "Rsn", "Prtry"});
        c.payee_name = text_at(one, {"RltdPties", "Cdtr", "Nm"});
        if (c.payee_name.empty()) c.payee_name = text_at(one, {"RltdPties", "Cdtr", "Pty", "Nm"});
        c.note = masked_note(entry_text + " " + text + " " + why);
        if (c.amount_source == AmountSource::none)
            append_no_amount(c, "; its entry is for " + text_at(entry, {"Amt"}).substr(0, 40) + " " + c.currency);
        const bool is_check = side == "DBIT" && meaning_of(entry, one) == Bai2Meaning::check_paid;
        if (is_check && !names_payment(c)) find_check_number(one, c);
        c.kind = kind_of(entry, one, c);
        // The bank's own reference confirms nothing. But a credit with a trace number or payment id of ours there may
        // be money that came back: a person looks at it.
        if (c.kind == ConfirmationKind::unrelated && side == "CRDT") {
            find_references(text_at(one, {"Refs", "AcctSvcrRef"}), sink_.options.office, c.references);
            if (alone) find_references(text_at(entry, {"AcctSvcrRef"}), sink_.options.office, c.references);
            c.kind = kind_of(entry, one, c);
        }
        if (c.kind == ConfirmationKind::disputed && side == "CRDT") {
            // Of a deposit, it may be the number of somebody else's check.
            if (names_only_checks(c)) add_possible_check(c.references.front().text, c);
            c.note += (c.note.empty() ? "" : "; ") + std::string(ask_whether_returned);
        }
        if (c.kind != ConfirmationKind::paid && !names_check(c))
            take_code_from_text((alone ? entry_text + " " : "") + text + " " + why, c.reason_code);
        const std::string own = text_at(one, {"Refs", "AcctSvcrRef"});
        add_bank_reference(own.empty() && alone ? text_at(entry, {"AcctSvcrRef"}) : own, c);
        if (c.kind == ConfirmationKind::unrelated && side == "DBIT" && code_at(entry, "Sts") == "BOOK" && ours_)
            add_possible_payments(entry, one, alone, text, c);
        if (!ours_) sink_.mark_unrelated(c, account_);
        // The others on a shared account do not matter.
        if (c.kind == ConfirmationKind::paid && !batch_fault_.empty()) {
            sink_.report.add(line, 0, std::exchange(batch_fault_, {}),
                             "the bank's own numbers disagree: ask it for the file again");
        }
        sink_.add(std::move(c), account_);
    }

    // Where banks put what they know of the payment that came back.
    void find_references_of_credit(const pugi::xml_node& entry, const pugi::xml_node& one, bool alone,
                                   Confirmation& c) const {
        find_references(text_at(one, {"RtrInf", "AddtlInf"}), sink_.options.office, c.references);
        for (const pugi::xml_node& part : child(one, "RmtInf").children())
            find_references(text_at(part, {"RfrdDocInf", "Nb"}), sink_.options.office, c.references);
        if (alone) find_references(text_at(entry, {"NtryRef"}), sink_.options.office, c.references);
    }

    // The bank may have booked a check of ours without marking it as one, or cut a number of ours.
    void add_possible_payments(const pugi::xml_node& entry, const pugi::xml_node& one, bool alone,
                               const std::string& text, Confirmation& c) const {
        const std::string entry_text = text_at(entry, {"AddtlNtryInf"}), whole = text + " " + entry_text;
        add_possible_checks(one, whole, c);
        if (alone) {
            for (const std::string& part : {text_at(entry, {"NtryRef"}), entry_text, text})
                add_possible_check(part, c);
        }
        add_possible_traces(whole, sink_.options.office, c);
        std::vector<Reference> divided;
        find_references(remittance_text(one, ""), sink_.options.office, divided);
        for (const Reference& number : divided)
            c.references.push_back({ReferenceKind::possible_check, number.text});
    }

    void add_possible_checks(const pugi::xml_node& one, const std::string& text, Confirmation& c) const {
        add_labeled_checks(text, sink_.options.check_number_labels, c);
        for (const std::string_view name : {"EndToEndId", "InstrId"})
            add_possible_check(text_at(one, {"Refs", name}), c);
    }

    // Finds the check number of a paid check without ChqNb, if exactly one other reference can be it.
    void find_check_number(const pugi::xml_node& one, Confirmation& c) const {
        Confirmation found;
        add_possible_checks(one, {}, found);
        if (found.references.size() == 1)
            c.references.push_back({ReferenceKind::check_number, found.references.front().text});
    }

    // In every text below Refs, such as ClrSysRef and Prtry/Ref, but not in the bank's own reference.
    void find_other_references(const pugi::xml_node& refs, Confirmation& c) const {
        constexpr std::array<std::string_view, 5> read_elsewhere = {"AcctSvcrRef", "ChqNb", "EndToEndId", "InstrId",
                                                                    "TxId"};
        for (const pugi::xml_node& part : refs.children()) {
            if (std::ranges::find(read_elsewhere, local_name(part.name())) != read_elsewhere.end()) continue;
            find_references(own_text(part), sink_.options.office, c.references);
            find_other_references(part, c);
        }
    }

    [[nodiscard]] bool names_only_checks(const Confirmation& c) const {
        return std::ranges::none_of(c.references, [&](const Reference& one) {
            return one.kind == ReferenceKind::payment_id || is_trace_number(one.text, sink_.options.office);
        });
    }

    static bool names_check(const Confirmation& c) {
        return std::ranges::find(c.references, ReferenceKind::check_number, &Reference::kind) != c.references.end();
    }

    void read_references(const pugi::xml_node& refs, Confirmation& c) {
        const auto add = [&](std::string_view name, ReferenceKind kind) {
            const std::string text = text_at(refs, {name});
            if (text.empty() || text == "NOTPROVIDED" || text == "NONREF") return;
            if (is_payment_id(text)) kind = ReferenceKind::payment_id;
            const Reference found{kind, text};
            if (std::ranges::none_of(c.references, [&](const Reference& other) { return other.text == text; }))
                c.references.push_back(found);
            if (!is_payment_id(text) && !is_trace_number(text, sink_.options.office))
                find_references(text, sink_.options.office, c.references);
        };
        add("ChqNb", ReferenceKind::check_number);
        add("EndToEndId", ReferenceKind::end_to_end_id);
        add("InstrId", ReferenceKind::any);
        add("TxId", ReferenceKind::any);
        find_other_references(refs, c);
    }

    // On a shared account, most debits are other payments, whose references do not have our form.
    [[nodiscard]] bool names_payment(const Confirmation& c) const {
        return std::ranges::any_of(c.references, [&](const Reference& one) {
            return one.kind == ReferenceKind::check_number || one.kind == ReferenceKind::payment_id ||
                   is_trace_number(one.text, sink_.options.office);
        });
    }

    static std::string side_of(const pugi::xml_node& entry, const pugi::xml_node& one) {
        const std::string own = text_at(one, {"CdtDbtInd"});
        return own.empty() ? text_at(entry, {"CdtDbtInd"}) : own;
    }

    // Some US banks write the type code of BAI2 as their own transaction code.
    static Bai2Meaning meaning_of(const pugi::xml_node& entry, const pugi::xml_node& one) {
        for (const pugi::xml_node& node : {one, entry}) {
            if (!is_bai(text_at(node, {"BkTxCd", "Prtry", "Issr"}))) continue;
            const auto meaning = bai2_meaning(text_at(node, {"BkTxCd", "Prtry", "Cd"}));
            if (meaning != Bai2Meaning::other) return meaning;
        }
        return Bai2Meaning::other;
    }

    ConfirmationKind kind_of(const pugi::xml_node& entry, const pugi::xml_node& one, const Confirmation& c) const {
        const std::string side = side_of(entry, one);
        const std::string reversal = text_at(entry, {"RvslInd"});
        const bool reversed = reversal == "true" || reversal == "1";
        const auto family = [](const pugi::xml_node& node) {
            return text_at(node, {"BkTxCd", "Domn", "Fmly", "SubFmlyCd"});
        };
        const Bai2Meaning meaning = meaning_of(entry, one);
        // A debit for a check that came back unpaid has the number of a check that somebody gave us.
        const bool is_adjustment = meaning == Bai2Meaning::credit_adjusted || meaning == Bai2Meaning::check_adjusted ||
                                   is_correction_code(family(one)) || is_correction_code(family(entry));
        const bool comes_back = reversed || at_path(one, {"RtrInf"}) || is_return_code(family(one)) ||
                                is_return_code(family(entry)) || meaning == Bai2Meaning::credit_returned ||
                                meaning == Bai2Meaning::check_returned;
        ConfirmationKind kind = ConfirmationKind::unrelated;
        // A debit on our account that names a payment: paid. A credit: returned money concerns us. Three combinations
        // go to a person if they name a payment: a reversal that takes money out, an adjustment, and a credit not
        // marked as a return.
        if (side == "CRDT" && comes_back) {
            kind = ConfirmationKind::returned;
        } else if (names_payment(c)) {
            const bool is_paid = side == "DBIT" && !comes_back && !is_adjustment;
            kind = is_paid ? ConfirmationKind::paid : ConfirmationKind::disputed;
        }
        const std::string status = code_at(entry, "Sts");
        if (kind != ConfirmationKind::unrelated && status != "BOOK") kind = ConfirmationKind::pending;
        return kind;
    }

    LineSink& sink_;
    XmlVisitor visitor_;
    std::string_view to_convert_;
    std::string utf8_;
    std::optional<XmlVisit> visit_;
    std::optional<BusinessDate> created_;
    std::optional<BusinessDate> last_day_;  // of the statement
    EntrySummary summary_;
    std::string account_;
    bool ours_ = true;
    std::unique_ptr<OpenEntry> open_;
    std::string batch_fault_;  // of the entry, until it is reported
    PaymentStatuses statuses_{sink_};
};

}  // namespace

std::optional<Format> format_of_message(std::string_view element) {
    if (element == "BkToCstmrStmt") return Format::camt053;
    if (element == "BkToCstmrDbtCdtNtfctn") return Format::camt054;
    // The version before the element got a name.
    if (element == "CstmrPmtStsRpt" || element == "pain.002.001.02") return Format::pain002;
    return std::nullopt;
}

std::unique_ptr<SlicedReader> read_xml(std::string_view bytes, LineSink& sink) {
    return std::make_unique<IsoReader>(bytes, sink);
}

}  // namespace drawbridge::statements
