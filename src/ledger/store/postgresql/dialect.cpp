#include "store/postgresql/dialect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/assert.hpp"
#include "store/migrations.hpp"

namespace drawbridge::ledger::postgresql {
namespace {

bool is_word(char c) {
    return is_letter_or_digit(c) || c == '_';
}

// The text in pieces: words, quoted strings, single other characters. Comments are blanks, and blanks are one piece.
std::vector<std::string_view> pieces_of(std::string_view sql) {
    std::vector<std::string_view> pieces;
    for (std::size_t at = 0; at < sql.size();) {
        std::size_t end = at + 1;
        if (sql[at] == '\'' || sql[at] == '"') {
            end = sql.find(sql[at], at + 1) + 1;  // '' inside: two strings side by side, which is the same text
            DRAWBRIDGE_ASSERT(end != 0, "each string ends");
        } else if (sql.substr(at, 2) == "--") {
            end = std::min(sql.find('\n', at), sql.size());
            pieces.push_back(" ");
            at = end;
            continue;
        } else if (std::isspace(static_cast<unsigned char>(sql[at])) != 0) {
            while (end < sql.size() && std::isspace(static_cast<unsigned char>(sql[end])) != 0)
                ++end;
        } else if (is_word(sql[at])) {
            while (end < sql.size() && is_word(sql[end]))
                ++end;
        }
        pieces.push_back(sql.substr(at, end - at));
        at = end;
    }
    return pieces;
}

using Pieces = std::vector<std::string_view>;

bool is_blank(std::string_view piece) {
    return std::isspace(static_cast<unsigned char>(piece.front())) != 0;
}

// The first piece from `at` on that is not blank; the end: there is none.
std::size_t skip_blanks(const Pieces& pieces, std::size_t at) {
    while (at < pieces.size() && is_blank(pieces[at]))
        ++at;
    return at;
}

std::string next_word(const Pieces& pieces, std::size_t at) {
    at = skip_blanks(pieces, at);
    return at < pieces.size() ? uppercase(pieces[at]) : std::string();
}

// What stands for a word by itself.
std::optional<std::string_view> renamed(std::string_view word) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> names{
        {{"INTEGER", "bigint"}, {"LIKE", "ILIKE"}, {"TEMP", "pg_temp"}, {"INSTR", "strpos"}, {"CHAR", "chr"}}};
    const auto* found = std::ranges::find(names, word, &std::pair<std::string_view, std::string_view>::first);
    return found == names.end() ? std::nullopt : std::optional(found->second);
}

// IS and IS NOT compare any two values in SQLite. Returns how many pieces they take.
std::size_t append_is(std::string& text, const Pieces& pieces, std::size_t at) {
    const auto compares = [](const std::string& word) { return word != "NULL" && word != "DISTINCT"; };
    const auto next = skip_blanks(pieces, at + 1);
    const auto word = next_word(pieces, next);
    if (word != "NOT") {
        text += compares(word) ? "IS NOT DISTINCT FROM" : "IS";
        return 1;
    }
    const auto after = next_word(pieces, next + 1);
    text += compares(after) ? "IS DISTINCT FROM" : "IS NOT";
    return next + 1 - at;
}

class Translation {
  public:
    explicit Translation(std::string_view sql) : pieces_(pieces_of(sql)) {}

    Translated result() {
        while (at_ < pieces_.size())
            at_ += append_next();
        return {std::move(text_), largest_};
    }

  private:
    // Returns how many pieces were used.
    std::size_t append_next() {
        const auto piece = pieces_[at_];
        if (piece == "?") return append_placeholder();
        const auto word = uppercase(piece);
        if (word == "INDEXED") return skip_blanks(pieces_, skip_blanks(pieces_, at_ + 1) + 1) + 1 - at_;
        if (word == "CROSS" && next_word(pieces_, at_ + 1) == "JOIN") return 2;
        if (word == "IS") return append_is(text_, pieces_, at_);
        // A trigger's function has its name.
        if (word == "DROP" && next_word(pieces_, at_ + 1) == "TRIGGER") return append_drop();
        if (piece == "(") {
            ends_.push_back(is_after_exists_ ? " OFFSET 0)" : ")");
        } else if (piece == ")" && !ends_.empty()) {
            text_ += ends_.back();
            ends_.pop_back();
            return 1;
        }
        if (!is_blank(piece)) is_after_exists_ = word == "EXISTS";
        if (word == "IN") {
            if (const auto used = append_listed(); used > 0) return used;
        }
        if (word == "STRICT") return pieces_.size() - at_;  // the options of a table are its end
        text_ += renamed(word).value_or(piece);
        return 1;
    }

    // IN the ids of a JSON array, as an array that an index answers whatever the planner guesses. Returns how many
    // pieces were used; 0: it is another IN.
    std::size_t append_listed() {
        constexpr std::array<std::string_view, 7> words{"(", "SELECT", "VALUE", "FROM", "JSON_EACH", "(", "?"};
        auto next = at_;
        for (const auto word : words) {
            next = skip_blanks(pieces_, next + 1);
            if (next >= pieces_.size() || uppercase(pieces_[next]) != word) return 0;
        }
        text_ += "= ANY (CAST(translate($" + std::to_string(++largest_) + ", '[]', '{}') AS bigint[]))";
        constexpr std::size_t closing = 2;
        return next + 1 + closing - at_;
    }

    std::size_t append_drop() {
        const auto name = skip_blanks(pieces_, skip_blanks(pieces_, at_ + 1) + 1);
        text_ += "DROP FUNCTION " + std::string(pieces_.at(name)) + "() CASCADE";
        return name + 1 - at_;
    }

    std::size_t append_placeholder() {
        const bool is_numbered = at_ + 1 < pieces_.size() && is_digit(pieces_[at_ + 1].front());
        const int number = is_numbered ? std::stoi(std::string(pieces_[at_ + 1])) : largest_ + 1;
        largest_ = std::max(largest_, number);
        text_ += "$" + std::to_string(number);
        return is_numbered ? 2 : 1;
    }

    Pieces pieces_;
    std::string text_;
    std::vector<std::string_view> ends_;  // of the open parentheses
    bool is_after_exists_ = false;
    std::size_t at_ = 0;
    int largest_ = 0;  // number of a placeholder
};

// Each statement without its semicolon; a trigger with its body.
std::vector<std::string> statements_of(std::string_view script) {
    std::vector<std::string> statements(1);
    bool is_trigger = false;
    std::string before;
    for (const auto piece : pieces_of(script)) {
        const auto word = uppercase(piece);
        if (before == "CREATE" && word == "TRIGGER") is_trigger = true;
        if (piece == ";" && (!is_trigger || before == "END")) {
            statements.emplace_back();
            is_trigger = false;
            continue;
        }
        if (is_blank(piece) && statements.back().empty()) continue;
        statements.back() += piece;
        if (!is_blank(piece)) before = word;
    }
    if (statements.back().empty()) statements.pop_back();
    return statements;
}

// Words of a trigger, up to the one that is looked for.
class TriggerReader {
  public:
    explicit TriggerReader(std::string_view sql) : pieces_(pieces_of(sql)) {}

    std::string word() {
        at_ = skip_blanks(pieces_, at_);
        DRAWBRIDGE_ASSERT(at_ < pieces_.size(), "the trigger goes on");
        return std::string(pieces_[at_++]);
    }
    [[nodiscard]] std::string peek() const { return next_word(pieces_, at_); }
    std::string until(std::string_view end) {
        std::string text;
        while (at_ < pieces_.size() && uppercase(pieces_[at_]) != end)
            text += pieces_[at_++];
        ++at_;
        return text;
    }
    std::string rest() {
        std::string text;
        while (at_ < pieces_.size())
            text += pieces_[at_++];
        return text;
    }

  private:
    Pieces pieces_;
    std::size_t at_ = 0;
};

struct Trigger {
    std::string name, timing, event, columns, table, condition;
    std::vector<std::string> body;
};

// CREATE TRIGGER name BEFORE|AFTER event [OF columns] ON table [WHEN condition] BEGIN body END
Trigger parse_trigger(std::string_view sql) {
    TriggerReader reader(sql);
    Trigger trigger;
    reader.word();  // CREATE
    reader.word();  // TRIGGER
    trigger.name = reader.word();
    trigger.timing = reader.word();
    trigger.event = reader.word();
    if (reader.peek() == "OF") {
        reader.word();
        trigger.columns = reader.until("ON");
    } else {
        reader.word();  // ON
    }
    trigger.table = reader.word();
    if (reader.peek() == "WHEN") {
        reader.word();
        trigger.condition = reader.until("BEGIN");
    } else {
        reader.word();  // BEGIN
    }
    auto body = reader.rest();
    body.resize(body.rfind("END"));
    trigger.body = statements_of(body);
    return trigger;
}

// SELECT raise(ROLLBACK, 'why') and what makes it run, if anything: FROM …, WHERE ….
struct Refusal {
    std::string why, from;
};
std::optional<Refusal> parse_refusal(const std::string& statement) {
    TriggerReader reader(statement);
    if (uppercase(reader.word()) != "SELECT" || reader.peek() != "RAISE") return std::nullopt;
    reader.until(",");
    Refusal refusal{reader.word(), {}};
    reader.word();  // )
    refusal.from = reader.rest();
    return refusal;
}

bool is_only_spaces(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::string body_line(const std::string& statement) {
    const auto refusal = parse_refusal(statement);
    if (!refusal) return translated(statement).text + ";\n";
    const auto raise =
        "RAISE EXCEPTION USING MESSAGE = " + refusal->why + ", ERRCODE = 'integrity_constraint_violation';";
    if (is_only_spaces(refusal->from)) return raise + "\n";
    return "IF EXISTS (SELECT 1 " + translated(refusal->from).text + ") THEN " + raise + " END IF;\n";
}

// Of the row new_row instead of the trigger's new.
std::string of_new_row(std::string_view text) {
    const auto pieces = pieces_of(text);
    std::string changed;
    for (std::size_t at = 0; at < pieces.size(); ++at) {
        const bool is_new = pieces[at] == "new" && at + 1 < pieces.size() && pieces[at + 1] == ".";
        changed += is_new ? std::string_view("new_row") : pieces[at];
    }
    return changed;
}

// INSERT INTO draw_moved (draw_id) VALUES (new.draw_id) …, or INSERT … SELECT … FROM payment p WHERE …: what a change
// of many rows runs once instead of for each row. The same for a refusal of some of the new rows. nullopt: the trigger
// does something else, or looks at other rows of its table before the change, or not at every row.
std::optional<std::string> for_all_rows(const Trigger& trigger) {
    if (trigger.body.size() != 1) return std::nullopt;
    const bool is_after_insert = uppercase(trigger.timing) == "AFTER" && uppercase(trigger.event) == "INSERT";
    std::string statement = trigger.body.front();
    if (const auto refusal = parse_refusal(statement)) {
        if (!is_after_insert || !is_only_spaces(refusal->from)) return std::nullopt;
        return fmt::format("SELECT raise(ROLLBACK, {}) FROM changed_rows new_row WHERE {}", refusal->why,
                           of_new_row(trigger.condition));
    }
    const bool counts_draws = statement.find("draw_moved") != std::string::npos;
    if (!trigger.condition.empty() || (!counts_draws && !is_after_insert)) return std::nullopt;
    const auto replace_last = [&](std::string_view what, std::string_view with) {
        const auto at = statement.rfind(what);
        if (at != std::string::npos) statement.replace(at, what.size(), with);
        return at != std::string::npos;
    };
    if (!replace_last("VALUES (new.draw_id)", "SELECT new.draw_id FROM changed_rows new_row") &&
        !replace_last("WHERE ", ", changed_rows new_row WHERE ")) {
        return std::nullopt;
    }
    return of_new_row(statement);
}

std::string trigger_function(std::string_view name, const std::string& body) {
    return fmt::format("CREATE FUNCTION {}() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n{}\nEND $$", name, body);
}

void append_statement_trigger(std::vector<std::string>& into, const Trigger& trigger, const std::string& body) {
    into.push_back(trigger_function(trigger.name, body_line(body) + "RETURN NULL;"));
    // PostgreSQL has no OF with this: a change of another column counts a draw again, which changes nothing.
    into.push_back(
        fmt::format("CREATE TRIGGER {0} AFTER {1} ON {2} REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT "
                    "EXECUTE FUNCTION {0}()",
                    trigger.name, trigger.event, trigger.table));
}

void append_trigger(std::vector<std::string>& into, std::string_view sql) {
    const Trigger trigger = parse_trigger(sql);
    if (const auto body = for_all_rows(trigger)) return append_statement_trigger(into, trigger, *body);
    const bool asks = uppercase(trigger.condition).find("SELECT") != std::string::npos;  // WHEN cannot
    const bool is_before = uppercase(trigger.timing) == "BEFORE";
    const bool is_delete = uppercase(trigger.event) == "DELETE";
    std::string body;
    for (const auto& statement : trigger.body)
        body += body_line(statement);
    if (asks) body = "IF " + translated(trigger.condition).text + " THEN\n" + body + "END IF;\n";
    std::string_view answer = is_delete ? "RETURN old;" : "RETURN new;";
    if (!is_before) answer = "RETURN NULL;";
    into.push_back(trigger_function(trigger.name, body + std::string(answer)));
    into.push_back(fmt::format(
        "CREATE TRIGGER {0} {1} {2}{3} ON {4} FOR EACH ROW{5} EXECUTE FUNCTION {0}()", trigger.name, trigger.timing,
        trigger.event, trigger.columns.empty() ? "" : " OF " + trigger.columns, trigger.table,
        asks || trigger.condition.empty() ? "" : " WHEN (" + translated(trigger.condition).text + ")"));
}

// Takes the references out of the text of a table.
std::string without_references(const std::string& table, std::vector<Reference>& references) {
    const auto pieces = pieces_of(table);
    std::string text, name, column;
    int depth = 0;
    for (std::size_t at = 0; at < pieces.size(); ++at) {
        const auto piece = pieces[at];
        if (uppercase(piece) == "TABLE") name = pieces[skip_blanks(pieces, at + 1)];
        if (piece == "(" || piece == ")") depth += piece == "(" ? 1 : -1;
        const bool begins_column = depth == 1 && (piece == "(" || piece == ",");
        if (begins_column) column = pieces.at(skip_blanks(pieces, at + 1));
        if (uppercase(piece) != "REFERENCES") {
            text += piece;
            continue;
        }
        DRAWBRIDGE_ASSERT(!column.empty(), "a column that refers to a table is in CREATE TABLE");
        const auto referred = skip_blanks(pieces, at + 1);
        const auto key = skip_blanks(pieces, skip_blanks(pieces, referred + 1) + 1);
        references.push_back({name, column, std::string(pieces[referred]), std::string(pieces[key])});
        at = skip_blanks(pieces, key + 1);
        for (const auto* word : {"DEFERRABLE", "INITIALLY", "DEFERRED"}) {
            if (next_word(pieces, at + 1) == word) at = skip_blanks(pieces, at + 1);
        }
    }
    return text;
}

// Refuse a row that refers to one that does not exist: new rows, and those of which a reference changes.
void append_reference_triggers(std::vector<std::string>& into, std::span<const Reference> of_one_table) {
    const auto& table = of_one_table.front().table;
    std::string is_missing, columns, changes;
    for (const auto& [_, column, referred, key] : of_one_table) {
        const std::string_view separator = is_missing.empty() ? "" : " OR ";
        // Not EXISTS, for which the planner may read the whole table.
        is_missing +=
            fmt::format("{0}(new.{1} IS NOT NULL AND (SELECT x.{3} FROM {2} x WHERE x.{3} = new.{1}) IS NULL)",
                        separator, column, referred, key);
        columns += (columns.empty() ? "" : ", ") + column;
        changes += fmt::format("{0}new.{1} IS NOT old.{1}", separator, column);
    }
    const auto refuse = fmt::format("SELECT raise(ROLLBACK, 'a row of {} refers to a missing row')", table);
    append_trigger(into, fmt::format("CREATE TRIGGER {0}_refers AFTER INSERT ON {0} WHEN {1} BEGIN {2}; END", table,
                                     is_missing, refuse));
    append_trigger(into, fmt::format("CREATE TRIGGER {0}_refers_anew AFTER UPDATE OF {1} ON {0} WHEN {2} BEGIN {3} "
                                     "WHERE {4}; END",
                                     table, columns, changes, refuse, is_missing));
}

// SQLite counts the rows of a table whose key is INTEGER PRIMARY KEY and nothing else.
std::string with_counted_key(std::string table) {
    constexpr std::string_view key = "bigint PRIMARY KEY";
    const auto at = table.find(key);
    if (at == std::string::npos) return table;
    const auto after = table.find_first_not_of(" \n", at + key.size());
    if (after == std::string::npos || (table[after] != ',' && table[after] != ')')) return table;
    table.replace(at, key.size(), "bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY");
    return table;
}

}  // namespace

Translated translated(std::string_view sql) {
    return Translation(sql).result();
}

SchemaText translated_schema(std::string_view migration) {
    SchemaText schema;
    for (const auto& statement : statements_of(migration)) {
        if (uppercase(statement).starts_with("CREATE TRIGGER")) {
            append_trigger(schema.triggers, statement);
            continue;
        }
        const auto known = schema.references.size();
        schema.tables.push_back(without_references(with_counted_key(translated(statement).text), schema.references));
        const auto found = std::span(schema.references).subspan(known);
        if (!found.empty()) append_reference_triggers(schema.triggers, found);
    }
    return schema;
}

const std::vector<Reference>& references_of_schema() {
    static const auto references = [] {
        std::vector<Reference> all;
        for (const auto& migration : migrations())
            std::ranges::move(translated_schema(migration.sql).references, std::back_inserter(all));
        return all;
    }();
    return references;
}

std::vector<DigestTrigger> digest_triggers(std::string_view table) {
    struct Event {
        std::string_view name, trigger, rows;
    };
    constexpr std::array events{Event{"INSERT", "fact_digest_insert", "NEW TABLE AS new_rows"},
                                Event{"DELETE", "fact_digest_delete", "OLD TABLE AS old_rows"},
                                Event{"UPDATE", "fact_digest_update", "OLD TABLE AS old_rows NEW TABLE AS new_rows"}};
    std::vector<DigestTrigger> triggers;
    for (const auto& event : events) {
        triggers.push_back({std::string(event.trigger),
                            fmt::format("CREATE TRIGGER {} AFTER {} ON {} REFERENCING {} FOR EACH STATEMENT EXECUTE "
                                        "FUNCTION remember_changed_rows()",
                                        event.trigger, event.name, table, event.rows)});
    }
    return triggers;
}

std::string_view digest_function() {
    return R"sql(
        CREATE FUNCTION remember_changed_rows() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF TG_OP <> 'INSERT' THEN
            INSERT INTO pg_temp.changed_row SELECT TG_TABLE_NAME, 0, r::text FROM old_rows r;
          END IF;
          IF TG_OP <> 'DELETE' THEN
            INSERT INTO pg_temp.changed_row SELECT TG_TABLE_NAME, 1, r::text FROM new_rows r;
          END IF;
          RETURN NULL;
        END $$)sql";
}

std::string_view session_tables() {
    return R"sql(
        CREATE TEMPORARY TABLE changed_row (table_name text, is_new bigint, content text) ON COMMIT DELETE ROWS;
        CREATE TEMPORARY TABLE draw_moved (draw_id bigint PRIMARY KEY) ON COMMIT DELETE ROWS)sql";
}

}  // namespace drawbridge::ledger::postgresql
