#include "drawbridge/ledger/store/ledger.hpp"

#include <fcntl.h>
#include <sodium.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/files/durable_file.hpp"
#include "store/connection.hpp"
#include "store/fast_like.hpp"
#include "store/high_water_mark.hpp"
#include "store/migrations.hpp"
#include "store/postgresql/dialect.hpp"
#include "store/postgresql/schema.hpp"
#include "store/unlock.hpp"

namespace drawbridge::ledger {

std::string random_id() {
    std::string bytes(16, '\0');
    randombytes_buf(bytes.data(), bytes.size());
    return sha256_hex(bytes).substr(0, 32);
}

namespace {

std::string describe(int error) {
    return std::generic_category().message(error);
}

int schema_version_of(Database& db) {
    return db.is_postgresql() ? postgresql::schema_version(db.postgresql())
                              : static_cast<int>(db.integer("PRAGMA user_version"));
}

void record_identity(Database& db, Instant now) {
    Statement insert(db, "INSERT INTO ledger_identity VALUES (1, ?, ?)");
    insert.bind(1, random_id());
    insert.bind(2, static_cast<std::int64_t>(now.time_since_epoch().count()));
    insert.run();
}

void apply_to_file(Database& db, const Migration& migration) {
    db.exec(std::string(migration.sql));
    Statement broken(db, "PRAGMA foreign_key_check");
    if (broken.next()) throw std::runtime_error("a migration leaves rows that refer to missing rows");
    db.exec("PRAGMA user_version = " + std::to_string(migration.version));
}

void apply(Connection& connection, const Migration& migration, Instant now) {
    auto& db = connection.db;
    db.begin(/*waits_for_disk=*/true);
    try {
        if (db.is_postgresql()) {
            postgresql::create_tables(db.postgresql(), connection.address->schema, migration);
            postgresql::create_triggers(db.postgresql(), migration);
        } else {
            apply_to_file(db, migration);
        }
        if (migration.version == first_schema) record_identity(db, now);
        db.commit(/*waits_for_disk=*/true);
    } catch (const std::exception&) {
        db.roll_back(/*waits_for_disk=*/true);
        throw;
    }
}

// `found` is the file's schema; 0: the file is new.
Result<void> check_schema(int found, const std::string& place) {
    if (found == 0 || (found >= first_schema && found <= newest_schema())) return {};
    const std::string start = place + ": this ledger has schema " + std::to_string(found);
    if (found < first_schema) {
        return fail(ErrorCode::conflict, start + ", from before the first release; this program reads schema " +
                                             std::to_string(first_schema) +
                                             " and later: open it with the drawbridge that wrote it");
    }
    return fail(ErrorCode::conflict, start + ", this program reads schemas up to " + std::to_string(newest_schema()) +
                                         ": install the newer drawbridge that wrote it");
}

void migrate(Connection& connection, int found, Instant now) {
    // SQLite can replace a table that others refer to only without foreign keys. apply() checks them before it commits.
    const bool is_file = !connection.db.is_postgresql();
    if (is_file) connection.db.exec("PRAGMA foreign_keys = OFF");
    for (const auto& migration : migrations()) {
        if (migration.version > found) apply(connection, migration, now);
    }
    if (is_file) connection.db.exec("PRAGMA foreign_keys = ON");
}

void read_identity(Connection& connection) {
    Statement identity(connection.db, "SELECT ledger_id, created_at FROM ledger_identity");
    if (!identity.next()) throw std::runtime_error("the ledger has no identity row");
    connection.ledger_id = identity.text(0);
    connection.created_at = Instant(std::chrono::milliseconds(identity.integer(1)));
    Statement head(connection.db, "SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1");
    if (head.next()) {
        connection.audit_seq = head.integer(0);
        connection.audit_head = head.text(1);
    } else {
        connection.audit_head = connection.ledger_id;  // the chain starts with the ledger's id
    }
    connection.committed_head = connection.durable_head = connection.audit_head;
    connection.committed_seq = connection.durable_seq = connection.audit_seq;
}

void configure(SQLite::Database& db) {
    db.exec("PRAGMA page_size = 8192");  // for a new ledger; half as many writes as with 4096
    db.exec("PRAGMA journal_mode = WAL");
    db.exec("PRAGMA synchronous = FULL");
    db.exec("PRAGMA foreign_keys = ON");
    db.exec("PRAGMA cell_size_check = ON");
    use_fast_like(db.getHandle());
    db.exec("PRAGMA trusted_schema = OFF");
    // Sorted and staged rows stay in memory while they are few.
    db.exec("PRAGMA temp_store = FILE");
    db.exec("PRAGMA temp.cache_size = -8192");
    db.exec("PRAGMA cache_size = -16384");
}

}  // namespace

// Only effective before SQLite's first use. Nobody reads SQLite's memory statistics, and they cost a lock at every
// allocation.
void configure_library() {
    static const bool done = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK;
    static_cast<void>(done);
}

Connection::Connection(SQLite::Database file, StateLock state_lock)
    : db(std::move(file)), lock_(std::move(state_lock)) {}

Connection::Connection(const PostgresqlAddress& postgresql_address, StateLock state_lock)
    : db(postgresql_address), address(postgresql_address), lock_(std::move(state_lock)) {}

Connection::~Connection() {
    statements_.clear();
    // Who takes over after an incomplete takeover must see that the host before did not end cleanly.
    if (epoch == 0 || in_transaction || is_taken_over || db.postgresql().lease()->effects() > 0) return;
    try {
        postgresql::give_up_lease(db.postgresql(), epoch);
    } catch (const postgresql::Failure&) {  // NOLINT(bugprone-empty-catch): the successor waits
    }
}

Statement& Connection::prepared(std::string_view sql) {
    auto& statement = statements_[sql.data()];
    if (!statement) statement = std::make_unique<Statement>(db, sql);
    return *statement;
}

std::vector<std::string> Connection::statement_texts() const {
    std::vector<std::string> texts;
    texts.reserve(statements_.size());
    for (const auto& [sql, statement] : statements_)
        texts.emplace_back(sql);
    return texts;
}

std::string Connection::place() const {
    return address ? place_of_ledger(*address) : (state_dir / "ledger.db").string();
}

std::string place_of_ledger(const PostgresqlAddress& address) {
    return "PostgreSQL schema " + address.schema;
}

Query::~Query() {
    statement_.reset();
}

std::int64_t new_row(Ledger& ledger, std::string_view greatest) {
    auto& numbers = ledger.connection().row_numbers;
    auto found = numbers.find(greatest.data());
    if (found == numbers.end()) {
        const auto number = Query(ledger, greatest).only<std::optional<std::int64_t>>();
        found = numbers.emplace(greatest.data(), number.value_or(0)).first;
    }
    return ++found->second;
}

std::int64_t id_of_text(Ledger& ledger, KnownIds& known, const TextStatements& statements, const std::string& text) {
    return known.id_of(text, [&] {
        if (const auto id = Query(ledger, statements.find, text).first<std::int64_t>()) return *id;
        const auto id = new_row(ledger, statements.greatest);
        Query(ledger, statements.insert, id, text).run();
        return id;
    });
}

std::optional<std::string> Query::opened(const SealedField& field, int column) const {
    const auto sealed = optional_text(column + 1);
    if (!sealed) return std::nullopt;
    auto text = connection_.sealer->open(field.name, this->text(column), *sealed);
    if (!text) refuse_sealed(field, this->text(column));
    return text;
}

bool Query::opens(const SealedField& field, int column) const {
    const auto sealed = optional_text(column + 1);
    return !sealed || connection_.sealer->open(field.name, text(column), *sealed).has_value();
}

BusinessDate Query::date(int column) const {
    const auto parsed = parse_date(text(column));
    DRAWBRIDGE_ASSERT(parsed.has_value(), "the ledger contains valid dates");
    return *parsed;
}

static std::unexpected<Error> damaged(const std::filesystem::path& path, const SQLite::Exception& failure) {
    return fail(
        ErrorCode::unavailable,
        path.string() + ": cannot be read as a ledger: " + failure.what() +
            ": check the disk; if the file is damaged, restore a backup with 'drawbridge restore FILE --reason …'");
}

Result<Ledger> Ledger::open(const std::filesystem::path& state_dir, Instant now, const std::optional<SealingKey>& key) {
    auto lock = StateLock::take(state_dir);
    if (!lock) return std::unexpected(lock.error());
    const auto path = state_dir / "ledger.db";
    std::error_code error;
    if (std::filesystem::exists(state_dir / elsewhere_name, error)) {
        return fail(ErrorCode::conflict,
                    (state_dir / elsewhere_name).string() +
                        ": the ledger of this folder is in PostgreSQL, and ledger.url is not set: set it; or copy the "
                        "ledger to ledger.db with 'drawbridge ledger copy --to FILE', then remove this note");
    }
    const bool is_there = std::filesystem::exists(path, error) && std::filesystem::file_size(path, error) > 0;
    if (auto not_lost = check_not_lost(state_dir, is_there, path.string()); !not_lost)
        return std::unexpected(not_lost.error());
    // Create it with the right mode before SQLite does with the process's umask.
    const int created = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (created < 0) {
        const bool is_of_others = errno == EACCES;
        return fail(ErrorCode::unavailable,
                    path.string() + ": cannot open the ledger: " + describe(errno) +
                        (is_of_others ? ": make the service's user its owner, with chown" : ": check the disk"));
    }
    ::close(created);
    bool is_new = false;
    try {
        auto ledger = open_file(path, *std::move(lock), now, key, is_new);
        if (ledger) detect_rollback(*ledger, is_new, now);
        return ledger;
    } catch (const SQLite::Exception& failure) {
        if (failure.getErrorCode() != SQLITE_NOTADB && failure.getErrorCode() != SQLITE_CORRUPT) throw;
        return damaged(path, failure);
    }
}

bool is_in_postgresql(const Ledger& ledger) {
    return ledger.connection().db.is_postgresql();
}

bool has_ledger(const std::filesystem::path& state_dir) {
    constexpr std::array traces{"ledger.db", elsewhere_name, ledger_mark, restoring_name};
    return std::ranges::any_of(traces, [&](const char* name) {
        std::error_code error;
        return std::filesystem::exists(state_dir / name, error);
    });
}

namespace {

// One folder, one ledger: a file in it would not know what the other one pays.
Result<void> check_no_file(const std::filesystem::path& state_dir) {
    std::error_code error;
    if (!std::filesystem::exists(state_dir / "ledger.db", error)) return {};
    return fail(
        ErrorCode::conflict,
        (state_dir / "ledger.db").string() +
            ": the ledger is a file, and ledger.url names a PostgreSQL database: copy it there with 'drawbridge "
            "ledger copy --from FILE', then move the file to another folder");
}

void note_elsewhere(const std::filesystem::path& state_dir, const std::string& place) {
    const auto note = state_dir / elsewhere_name;
    std::error_code error;
    constexpr mode_t mode = 0640;
    if (!std::filesystem::exists(note, error)) files::replace_durably(note, place + "\n", mode);
}

}  // namespace

Result<Ledger> Ledger::open(const std::filesystem::path& state_dir, const PostgresqlAddress& address, Instant now,
                            const std::optional<SealingKey>& key) {
    if (!postgresql::lease_can_end()) {
        return fail(ErrorCode::conflict,
                    "drawbridge is the first process of its container, which the kernel cannot kill at the end of its "
                    "lease on the ledger: start it under an init (docker run --init)");
    }
    auto lock = StateLock::take(state_dir);
    if (!lock) return std::unexpected(lock.error());
    if (auto none = check_no_file(state_dir); !none) return std::unexpected(none.error());
    bool has_lock = false;
    try {
        auto connection = std::make_unique<Connection>(address, *std::move(lock));
        connection->state_dir = state_dir;
        auto& session = connection->db.postgresql();
        const auto place = connection->place();
        if (!postgresql::take_writer_lock(session, address.schema)) {
            return fail(ErrorCode::in_use,
                        place + ": another drawbridge process, on this or another machine, writes this ledger (" +
                            postgresql::writer_name(session) +
                            "): stop it first, or start this one with --standby, to take over when it ends");
        }
        has_lock = true;
        session.exec(std::string(postgresql::session_tables()));
        const bool is_empty = postgresql::schema_version(session) == 0;
        if (auto there = check_not_lost(state_dir, /*there=*/!is_empty, place); !there)
            return std::unexpected(there.error());
        const auto locked_at = postgresql::boot_time();
        const auto take_over = [&](Connection& taken) {
            const auto before = postgresql::become_writer(taken.db.postgresql(), now);
            taken.epoch = before.epoch + 1;
            taken.predecessor = before.holder;
            if (before.may_live) taken.acts_from = locked_at + takeover_wait;
        };
        if (!is_empty) take_over(*connection);
        bool is_new = false;
        auto ledger = open_database(std::move(connection), place, now, key, is_new);
        if (ledger && is_empty) take_over(ledger->connection());
        if (ledger) note_elsewhere(state_dir, place);
        if (ledger) detect_rollback(*ledger, is_new, now);
        return ledger;
    } catch (const postgresql::Failure& failure) {
        // Nothing was read or written that this leaves in doubt.
        if (!has_lock && postgresql::is_lost_connection(failure)) return fail(ErrorCode::unavailable, failure.what());
        return postgresql::unusable_server(failure);
    }
}

Result<Ledger> Ledger::open_copy(const std::filesystem::path& file, Instant now, const std::optional<SealingKey>& key) {
    bool is_new = false;
    auto ledger = open_file(file, StateLock(), now, key, is_new);
    if (ledger && is_new) return fail(ErrorCode::invalid_input, file.string() + ": the file is empty, not a ledger");
    return ledger;
}

Result<Ledger> Ledger::open_file(const std::filesystem::path& file, StateLock lock, Instant now,
                                 const std::optional<SealingKey>& key, bool& is_new) {
    configure_library();
    auto connection = std::make_unique<Connection>(open_shared(file.string()), std::move(lock));
    configure(connection->db.sqlite());
    connection->db.begin_checkpoints();
    connection->state_dir = file.parent_path();
    return open_database(std::move(connection), file.string(), now, key, is_new);
}

Result<Ledger> Ledger::open_unchanged(const std::filesystem::path& state_dir, const std::optional<SealingKey>& key) {
    configure_library();
    const auto path = state_dir / "ledger.db";
    try {
        auto connection = std::make_unique<Connection>(ledger::open_unchanged(path.string()), StateLock());
        connection->state_dir = state_dir;
        const int found = schema_version_of(connection->db);
        if (auto readable = check_schema(found, path.string()); !readable) return std::unexpected(readable.error());
        if (found == 0) return fail(ErrorCode::not_found, path.string() + ": it has no ledger yet");
        auto ledger = adopt(std::move(connection));
        if (auto unlocked = unlock_to_read(ledger, key); !unlocked) return std::unexpected(unlocked.error());
        return ledger;
    } catch (const SQLite::Exception& failure) {
        if (failure.getErrorCode() == SQLITE_BUSY) return fail(ErrorCode::in_use, path.string() + ": it is in use");
        return damaged(path, failure);
    }
}

Result<Ledger> Ledger::open_database(std::unique_ptr<Connection> connection, const std::string& place, Instant now,
                                     const std::optional<SealingKey>& key, bool& is_new) {
    const int found = schema_version_of(connection->db);
    if (auto readable = check_schema(found, place); !readable) return std::unexpected(readable.error());
    is_new = found == 0;
    connection->newest_act_at = now;
    Ledger ledger(std::move(connection));
    if (!is_new && found < newest_schema()) {
        // A migration may change any row, so the rows are compared with the digest before it.
        read_identity(ledger.connection());
        if (auto unlocked = unlock(ledger, key, now); !unlocked) return std::unexpected(unlocked.error());
        std::int64_t counted = 0;
        const auto differences = rewritten_facts(ledger, counted);
        migrate(ledger.connection(), found, now);
        recount_changed_tables(ledger, differences, now);
        return ledger;
    }
    migrate(ledger.connection(), found, now);
    read_identity(ledger.connection());
    if (auto unlocked = unlock(ledger, key, now); !unlocked) return std::unexpected(unlocked.error());
    return ledger;
}

Ledger Ledger::adopt(std::unique_ptr<Connection> connection) {
    read_identity(*connection);
    return Ledger(std::move(connection));
}

Ledger::Ledger(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

const std::string& Ledger::ledger_id() const {
    return connection_->ledger_id;
}
Instant Ledger::created_at() const {
    return connection_->created_at;
}
int Ledger::schema_version() const {
    return newest_schema();
}

bool is_log_being_emptied(Ledger& ledger) {
    return ledger.connection().db.is_quiet_wanted();
}

void Ledger::sync() {
    auto& connection = *connection_;
    DRAWBRIDGE_ASSERT(!connection.in_transaction, "the ledger is synced outside transactions");
    if (connection.durable_seq == connection.committed_seq) return;
    if (connection.db.is_postgresql()) {
        postgresql::renew_lease(connection.db.postgresql(), connection.epoch);  // a commit that waits
    } else {
        connection.db.sync();
    }
    connection.durable_head = connection.committed_head;
    connection.durable_seq = connection.committed_seq;
}

Ledger::Scope::Scope(Ledger& ledger, Durability durability) : ledger_(ledger), durability_(durability) {
    DRAWBRIDGE_ASSERT(!ledger.connection().in_transaction, "transactions do not nest");
    ledger.connection().db.begin(waits_for_disk());
    ledger.connection().in_transaction = true;
}

void Ledger::Scope::commit() {
    auto& connection = ledger_.connection();
    apply_state_counts(ledger_);
    write_row_entries(ledger_);
    seal_facts(ledger_);
    connection.db.commit(waits_for_disk());
    committed_ = true;
    connection.in_transaction = false;
    connection.facts.committed();
    const bool recorded_facts = connection.audit_seq != connection.committed_seq;
    connection.committed_head = connection.audit_head;
    connection.committed_seq = connection.audit_seq;
    if (durability_ == Durability::process_end) return;
    if (recorded_facts) {
        connection.durable_head = connection.committed_head;
        connection.durable_seq = connection.committed_seq;
    } else {
        ledger_.sync();  // a commit that writes nothing does not wait for those before it
    }
}

Ledger::Scope::~Scope() {
    if (committed_) return;
    auto& connection = ledger_.connection();
    connection.db.roll_back(waits_for_disk());
    connection.in_transaction = false;
    connection.facts.rolled_back();
    connection.audit_head = connection.committed_head;
    connection.audit_seq = connection.committed_seq;
    connection.greatest_draw_id.reset();
    connection.payee_fingerprint_key.reset();
    connection.explanation_shapes.clear();
    connection.verdicts.clear();
    connection.portal_names.clear();
    connection.settles_because.clear();
    connection.uncounted.clear();
    connection.row_numbers.clear();
    connection.row_entries.clear();
}

void audit(Ledger& ledger, const Stamp& stamp, std::string_view action, std::string_view subject,
           std::string_view detail) {
    assert_in_transaction(ledger);
    auto& connection = ledger.connection();
    const std::int64_t seq = connection.audit_seq + 1;
    const std::string hash = audit_hash(seq, stamp, action, subject, detail, connection.audit_head);
    Query(ledger, "INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?)", seq, stamp.at, stamp.actor, action, subject, detail,
          hash)
        .run_in_bulk();
    connection.audit_seq = seq;
    connection.audit_head = hash;
    connection.newest_act_at = stamp.at;
}

std::string audit_hash(std::int64_t seq, const Stamp& stamp, std::string_view action, std::string_view subject,
                       std::string_view detail, std::string_view previous) {
    const nlohmann::json row = {seq,     stamp.at.time_since_epoch().count(), stamp.actor, action, subject, detail,
                                previous};
    // Text that is not UTF-8 (a file name, say) must not stop the chain: the hash uses replacement characters, the row
    // keeps the text.
    return sha256_hex(row.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace drawbridge::ledger
