// BAI2: 01 file, 02 group, 03 account, 16 transaction, 49/98/99 trailers, 88 continuation.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <vector>

#include "line_sink.hpp"

namespace drawbridge::statements {
namespace {

constexpr std::array<std::string_view, 8> record_codes = {"01", "02", "03", "16", "49", "88", "98", "99"};

// A record code and the comma after it stand at the front.
bool begins_record(std::string_view text) {
    if (text.size() < 3 || text[2] != ',') return false;
    return std::ranges::find(record_codes, text.substr(0, 2)) != record_codes.end();
}

std::string_view trim_right(std::string_view text) {
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

struct Piece {
    std::string_view text;  // after the record code and its comma, without the slash at the end
    int line = 0, column = 0;
    bool wrapped = false;  // goes on in the middle of a field: a line without a record code of its own
};

// A record with its 88s, and the other physical lines that belong to it.
struct Record {
    std::string_view code;
    int line = 0, column = 0;
    std::vector<Piece> pieces;
    std::int64_t physical = 1;  // records that the trailers count: itself and its 88s
};

// Bytes → records, one at a time. A record begins at the front of a line, or behind "/" and a blank: "12/16,500" inside
// a text is no record.
class Records {
  public:
    Records(std::string_view bytes, text::DiagnosticReport& report) : rest_(bytes), report_(report) {}

    std::optional<Record> next() {
        while (auto part = next_part()) {
            if (!part->code.empty() && part->code != "88") {
                std::optional<Record> done =
                    std::exchange(open_, Record{part->code, part->piece.line, part->piece.column, {part->piece}, 1});
                open_ended_ = part->ended;
                if (done) return done;
                continue;
            }
            if (!open_) {
                report_.add(part->piece.line, part->piece.column, "text before the first record",
                            "a BAI2 file begins with 01,");
                continue;
            }
            if (part->code.empty() && open_ended_) {
                report_.add(part->piece.line, part->piece.column, "a line that begins with no record code",
                            "a record goes on in a record 88");
                continue;
            }
            part->piece.wrapped = part->code.empty();
            if (part->code == "88") ++open_->physical;
            open_->pieces.push_back(part->piece);
            open_ended_ = part->ended;
        }
        return std::exchange(open_, std::nullopt);
    }

  private:
    struct Part {
        std::string_view code;  // empty: a line without one
        Piece piece;
        bool ended = false;  // with a slash
    };

    std::optional<Part> next_part() {
        while (part_at_ >= line_text_.size() || trim(line_text_.substr(part_at_)).empty()) {
            if (rest_.empty()) return std::nullopt;
            const std::size_t end = std::min(rest_.find('\n'), rest_.size());
            line_text_ = rest_.substr(0, end);
            rest_.remove_prefix(std::min(end + 1, rest_.size()));
            part_at_ = 0;
            ++line_;
        }
        std::size_t from = part_at_;
        while (line_text_[from] == ' ' || line_text_[from] == '\t')
            ++from;
        const std::size_t end = part_end(from);
        std::string_view text = trim_right(line_text_.substr(from, end - from));
        part_at_ = end;
        Part part;
        part.piece.line = line_;
        part.piece.column = static_cast<int>(std::min<std::size_t>(from + 1, 1'000'000'000));
        part.ended = text.ends_with('/');
        if (part.ended) text.remove_suffix(1);
        if (begins_record(text)) {
            part.code = text.substr(0, 2);
            text.remove_prefix(3);
        }
        part.piece.text = text;
        return part;
    }

    // Where the record that begins at `from` ends on its line: one past its slash when another record follows.
    [[nodiscard]] std::size_t part_end(std::size_t from) const {
        for (std::size_t slash = line_text_.find('/', from); slash != std::string_view::npos;
             slash = line_text_.find('/', slash + 1)) {
            std::size_t after = slash + 1;
            while (after < line_text_.size() && (line_text_[after] == ' ' || line_text_[after] == '\t'))
                ++after;
            if (after > slash + 1 && begins_record(line_text_.substr(after))) return slash + 1;
        }
        return line_text_.size();
    }

    std::string_view rest_;
    text::DiagnosticReport& report_;
    std::string_view line_text_;
    std::size_t part_at_ = 0;
    int line_ = 0;
    std::optional<Record> open_;
    bool open_ended_ = true;
};

// Takes fields one after the other, over the 88s of a record.
class Fields {
  public:
    explicit Fields(const Record& record) : pieces_(record.pieces) {}

    [[nodiscard]] bool at_end() const {
        return piece_ >= pieces_.size() || (piece_ + 1 == pieces_.size() && at_ > pieces_[piece_].text.size());
    }

    std::string_view take() {
        while (piece_ < pieces_.size() && at_ > pieces_[piece_].text.size()) {
            ++piece_;
            at_ = 0;
        }
        if (piece_ >= pieces_.size()) return {};
        const std::string_view text = pieces_[piece_].text;
        const std::size_t end = std::min(text.find(',', at_), text.size());
        const std::string_view field = text.substr(at_, end - at_);
        at_ = end + 1;
        return trim(field);
    }

    // All that is left: a text field, which may hold commas and slashes and goes on in the 88s.
    std::string take_text() {
        std::string whole;
        for (; piece_ < pieces_.size(); ++piece_, at_ = 0) {
            const std::string_view text = pieces_[piece_].text;
            if (at_ > text.size()) continue;
            if (!whole.empty()) whole += pieces_[piece_].wrapped ? "" : " ";
            whole += trim(text.substr(at_));
        }
        return whole;
    }

  private:
    const std::vector<Piece>& pieces_;
    std::size_t piece_ = 0;
    std::size_t at_ = 0;
};

std::optional<std::int64_t> whole_number(std::string_view text) {
    if (text.starts_with('+')) {
        text.remove_prefix(1);
        if (text.starts_with('-')) return std::nullopt;
    }
    if (text.empty() || text.size() > 17 || (text[0] != '-' && (text[0] < '0' || text[0] > '9'))) return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// Reason codes of returns in free text: R and two digits, as a word.
std::string find_reason_code(std::string_view text) {
    const auto digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
    const auto letter = [&](std::size_t at) {
        return at < text.size() &&
               (digit(at) || (text[at] >= 'A' && text[at] <= 'Z') || (text[at] >= 'a' && text[at] <= 'z'));
    };
    for (std::size_t at = 0; at + 2 < text.size(); ++at) {
        if (text[at] != 'R' || !digit(at + 1) || !digit(at + 2) || letter(at + 3)) continue;
        if (at == 0 || !letter(at - 1)) return std::string(text.substr(at, 3));
    }
    return {};
}

class Bai2Reader final : public SlicedReader {
  public:
    Bai2Reader(std::string_view bytes, LineSink& sink) : records_(bytes, sink.report), sink_(sink) {}

    bool advance() override {
        constexpr int slice = 1000;
        for (int read = 0; read < slice; ++read) {
            const auto record = records_.next();
            if (!record) return finish();
            read_record(*record);
        }
        return true;
    }

  private:
    bool finish() {
        if (level_ != Level::done)
            sink_.report.add(last_line_, 0, "the file has no file trailer (99)",
                             "drop it again; it may have been cut off");
        return false;
    }

    enum class Level { start, file, group, account, done };
    struct Totals {
        std::int64_t amount = 0, children = 0, records = 0;
    };

    void error(const Record& at, std::string message, std::string hint = {}) {
        sink_.report.add(at.line, at.column, std::move(message), std::move(hint));
    }

    void read_record(const Record& record) {
        last_line_ = record.line;
        for (Totals* totals : {&file_, &group_, &account_})
            totals->records += record.physical;
        if (record.code == "01") return begin(record, Level::start, Level::file, file_);
        if (record.code == "02") return begin(record, Level::file, Level::group, group_);
        if (record.code == "03") return begin(record, Level::group, Level::account, account_);
        if (record.code == "16") return read_transaction(record);
        if (record.code == "49") return end(record, Level::account, Level::group, account_, group_, "account");
        if (record.code == "98") return end(record, Level::group, Level::file, group_, file_, "group");
        Totals nothing;
        end(record, Level::file, Level::done, file_, nothing, "file");
    }

    void begin(const Record& record, Level wanted, Level next, Totals& totals) {
        if (level_ != wanted)
            error(record, "a record " + std::string(record.code) + " where none may stand",
                  "drop the file again; it may have been cut off or put together");
        level_ = next;
        totals = {.amount = 0, .children = 0, .records = record.physical};
        Fields fields(record);
        if (next == Level::file) read_file_header(fields);
        if (next == Level::group) read_group_header(record, fields);
        if (next == Level::account) read_account(record, fields);
    }

    void read_file_header(Fields& fields) {
        (void)fields.take();  // sender
        (void)fields.take();  // receiver
        const auto date = fields.take();
        (void)fields.take();  // time
        sink_.facts.date = parse_yymmdd(date);
        sink_.facts.bank_file_id = std::string(fields.take());
    }

    void read_group_header(const Record& record, Fields& fields) {
        (void)fields.take();  // receiver
        (void)fields.take();  // originator
        group_status_ = fields.take();
        const auto date = fields.take();
        as_of_ = parse_yymmdd(date);
        if (!as_of_) error(record, "the group's as-of date '" + std::string(date) + "' is no date YYMMDD");
        (void)fields.take();  // time
        group_currency_ = fields.take();
        if (group_currency_.empty()) group_currency_ = "USD";
    }

    void read_account(const Record& record, Fields& fields) {
        account_number_ = fields.take();
        ours_ = sink_.is_ours(account_number_);
        const auto currency = fields.take();
        currency_ = currency.empty() ? group_currency_ : std::string(currency);
        while (!fields.at_end()) {
            const auto type = fields.take();
            const auto amount = fields.take();
            if (fields.at_end() && type.empty() && amount.empty()) break;
            if (!amount.empty()) add_amount(record, amount);
            (void)fields.take();  // item count
            skip_funds(record, fields);
        }
    }

    std::optional<std::int64_t> add_amount(const Record& record, std::string_view text) {
        const auto amount = whole_number(text);
        if (!amount) {
            error(record, "the amount '" + masked_note(text) + "' is no whole number of cents");
            return std::nullopt;
        }
        // Seventeen digits at most, and fewer than a million million records: far from overflow in practice; refused.
        if (__builtin_add_overflow(account_.amount, *amount, &account_.amount)) error(record, "the amounts overflow");
        return amount;
    }

    // How many fields follow depends on the type: Z, 0, 1, 2 none; S three; V two; D a count and as many pairs.
    void skip_funds(const Record& record, Fields& fields) {
        const auto type = fields.take();
        if (type.empty() || type == "Z" || type == "0" || type == "1" || type == "2") return;
        std::int64_t more = 0;
        if (type == "S") {
            more = 3;
        } else if (type == "V") {
            more = 2;
        } else if (type == "D") {
            const auto pairs = whole_number(fields.take());
            if (!pairs || *pairs < 0 || *pairs > 1000) return error(record, "funds type D without a number of pairs");
            more = 2 * *pairs;
        } else {
            return error(record, "unknown funds type '" + masked_note(type) + "'", "one of Z, 0, 1, 2, S, V, D");
        }
        for (; more > 0 && !fields.at_end(); --more)
            (void)fields.take();
    }

    void read_transaction(const Record& record) {
        if (level_ != Level::account) return error(record, "a transaction outside of an account");
        Fields fields(record);
        const auto type = fields.take();
        const auto amount_text = fields.take();
        const auto amount = amount_text.empty() ? std::optional<std::int64_t>(0) : add_amount(record, amount_text);
        skip_funds(record, fields);
        const auto bank_reference = fields.take();
        const auto customer_reference = fields.take();
        const std::string text = fields.take_text();
        if (!amount || !as_of_) return;
        Confirmation c;
        c.line = record.line;
        c.amount = Money::from_cents(std::abs(*amount));
        c.date = *as_of_;
        c.currency = currency_;
        c.note = masked_note(std::string(type) + " " + text);
        classify(c, type, bank_reference, customer_reference, text);
        if (*amount < 0 && (c.kind == ConfirmationKind::paid || c.kind == ConfirmationKind::returned)) {
            c.kind = ConfirmationKind::disputed;  // it may undo another line; nobody can say
            c.note += "; a negative amount";
        }
        if (!ours_) sink_.set_aside(c, account_number_);
        // 1 is an update, 3 a correction; what was deleted (2) and what is a test (4) did not happen.
        if (group_status_ == "2" || group_status_ == "4") {
            c.kind = ConfirmationKind::unrelated;
            c.note += group_status_ == "2" ? "; of a deleted group" : "; of a test";
        }
        sink_.add(std::move(c));
    }

    void classify(Confirmation& c, std::string_view type, std::string_view bank_reference,
                  std::string_view customer_reference, std::string_view text) {
        const Office& office = sink_.options.office;
        const bool check = type == "475" || type == "255";
        const bool debit = type == "455" || type == "451" || type == "447";
        const bool returned = type == "257" || type == "261" || type == "557" || type == "255";
        c.kind = returned ? ConfirmationKind::returned : ConfirmationKind::paid;
        if (check) {
            const auto number = customer_reference.empty() ? bank_reference : customer_reference;
            if (!number.empty()) c.references.push_back({ReferenceKind::check_number, std::string(number)});
        } else if (debit || returned) {
            for (const std::string_view field : {customer_reference, bank_reference}) {
                if (is_trace_number(field, office))
                    c.references.push_back({ReferenceKind::trace_number, std::string(field)});
                find_references(field, office, c.references);
            }
            find_references(text, office, c.references);
            const auto same = [&](std::size_t i) {
                return std::find(c.references.begin(), c.references.begin() + static_cast<std::ptrdiff_t>(i),
                                 c.references[i]) != c.references.begin() + static_cast<std::ptrdiff_t>(i);
            };
            for (std::size_t i = c.references.size(); i-- > 0;) {
                if (same(i)) c.references.erase(c.references.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
        if (returned) c.reason_code = find_reason_code(text);
        // A debit that names no payment is a fee, or the bank's lump sum for a whole file.
        if ((!check && !debit && !returned) || (debit && c.references.empty())) c.kind = ConfirmationKind::unrelated;
    }

    void end(const Record& record, Level wanted, Level next, Totals& totals, Totals& parent, std::string_view what) {
        if (level_ != wanted)
            return error(record, "a trailer " + std::string(record.code) + " where none may stand",
                         "drop the file again; it may have been cut off or put together");
        level_ = next;
        Fields fields(record);
        compare(record, fields.take(), totals.amount, std::string(what) + " control total");
        if (record.code != "49")
            compare(record, fields.take(), totals.children,
                    record.code == "98" ? "number of accounts" : "number of groups");
        compare(record, fields.take(), totals.records, "number of records");
        if (__builtin_add_overflow(parent.amount, totals.amount, &parent.amount)) error(record, "the amounts overflow");
        ++parent.children;
    }

    void compare(const Record& record, std::string_view text, std::int64_t computed, const std::string& what) {
        const auto said = whole_number(text);
        if (said && *said == computed) return;
        error(record,
              "the " + what + " is '" + masked_note(text) + "', but the records before it come to " +
                  std::to_string(computed),
              "the file is damaged or cut: ask the bank for it again");
    }

    Records records_;
    LineSink& sink_;
    Level level_ = Level::start;
    Totals file_, group_, account_;
    std::string group_status_, group_currency_ = "USD", currency_ = "USD";
    std::optional<BusinessDate> as_of_;
    std::string account_number_;
    bool ours_ = true;
    int last_line_ = 0;
};

}  // namespace

std::unique_ptr<SlicedReader> read_bai2(std::string_view bytes, LineSink& sink) {
    return std::make_unique<Bai2Reader>(bytes, sink);
}

}  // namespace drawbridge::statements
