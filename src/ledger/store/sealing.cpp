#include "drawbridge/ledger/store/sealing.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sodium.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/files/durable_file.hpp"
#include "drawbridge/ledger/facts/archive.hpp"
#include "drawbridge/text/show.hpp"
#include "store/connection.hpp"
#include "store/unlock.hpp"

namespace drawbridge::ledger {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view how_to_configure_key =
    "name it with ledger.sealing_key_file, or give the service a systemd credential named sealing_key";

constexpr const char* sealed_tables[] = {
    "payment",     "prenote",     "payment_file", "payee_fingerprint_key", "change_proposal", "configuration_seen",
    "archive_key", "staged_line", "stored_piece"};

// The triggers of the sealed tables, which refuse to rewrite a row, stand aside. In a transaction.
class TriggersAside {
  public:
    explicit TriggersAside(Database& db) : db_(db) {
        for (const char* table : sealed_tables) {
            if (db_.is_postgresql()) {
                db_.exec(fmt::format("ALTER TABLE {} DISABLE TRIGGER USER", table));
            } else {
                drop_triggers(table);
            }
        }
    }
    void put_back() {
        for (const auto& sql : dropped_)
            db_.exec(sql);
        if (!db_.is_postgresql()) return;
        for (const char* table : sealed_tables)
            db_.exec(fmt::format("ALTER TABLE {} ENABLE TRIGGER USER", table));
    }

  private:
    void drop_triggers(const char* table) {
        std::vector<std::string> names;
        {
            Statement query(
                db_, "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ? ORDER BY name");
            query.bind_literal(1, table);
            while (query.next()) {
                names.push_back(query.text(0));
                dropped_.push_back(query.text(1));
            }
        }
        for (const auto& name : names)
            db_.exec("DROP TRIGGER " + name);
    }

    Database& db_;
    std::vector<std::string> dropped_;  // as they were created
};

// The one exception to the rule that rows are never rewritten, so the triggers that enforce it stand aside.
std::int64_t reseal_everything(Ledger& ledger, const Sealer& next) {
    TriggersAside triggers(ledger.connection().db);
    std::int64_t sealed = 0;
    for (const SealedField* field : all_sealed_fields) {
        for_each_sealed(ledger, *field, [&](const SealedValue& value) {
            const auto text = ledger.connection().sealer->open(field->name, value.row, value.sealed);
            if (!text) refuse_sealed(*field, value.row);
            Query(ledger, field->update, next.seal(field->name, value.row, *text), value.key).run();
            ++sealed;
        });
    }
    triggers.put_back();
    return sealed;
}

std::optional<std::string> stored_check_value(Ledger& ledger) {
    Statement newest(ledger.connection().db, "SELECT check_value FROM sealing_key ORDER BY key_id DESC LIMIT 1");
    return newest.next() ? std::optional(newest.text(0)) : std::nullopt;
}

// PostgreSQL keeps replaced rows until a table is written anew, and in its log for as long as the server keeps that.
void write_tables_anew(Database& db) {
    for (const char* table : sealed_tables)
        db.exec(fmt::format("VACUUM FULL {}", table));
}

void write_anew(Connection& connection) {
    auto& db = connection.db;
    if (db.is_postgresql()) return write_tables_anew(db);
    db.exec("PRAGMA temp_store = FILE");  // VACUUM writes a whole copy
    try {
        db.exec("VACUUM");
        db.empty_log();
    } catch (const SQLite::Exception& failure) {
        throw std::runtime_error(connection.place() +
                                 ": the new sealing key is in force, but values sealed with the old one cannot be "
                                 "overwritten (" +
                                 failure.what() + "): free as much disk space as the ledger takes, then start again");
    }
    db.exec("PRAGMA temp_store = MEMORY");
}

// After this, nothing sealed with an earlier key can be read from the file.
void overwrite_old_values(Ledger& ledger, Instant now) {
    {
        Statement due(ledger.connection().db, "SELECT 1 FROM sealing_key WHERE cleaned_at IS NULL");
        if (!due.next()) return;
    }
    write_anew(ledger.connection());
    ledger.transaction(
        [&] { Query(ledger, "UPDATE sealing_key SET cleaned_at = ? WHERE cleaned_at IS NULL", now).run(); });
}

void record_key(Ledger& ledger, const Sealer& sealer, Instant at, std::optional<Instant> cleaned_at) {
    Query(ledger, "INSERT INTO sealing_key (check_value, sealed_at, cleaned_at) VALUES (?, ?, ?)", sealer.check_value(),
          at, cleaned_at)
        .run();
}

// A new ledger has nothing to seal yet.
void begin_with(Ledger& ledger, Sealer sealer, Instant now) {
    ledger.transaction([&] { record_key(ledger, sealer, now, now); });
    ledger.connection().sealer = std::move(sealer);
    crash_point("ledger.sealed");
    start_fact_digest(ledger, now);
}

// A missing key of a sealed ledger is an error: no new key is made in its place.
Result<SealingKey> key_of_folder(const fs::path& state_dir, bool is_sealed) {
    const auto path = state_dir / default_sealing_key_name;
    std::error_code ignored;
    if (fs::exists(path, ignored)) return read_sealing_key(path);
    if (is_sealed) {
        return fail(ErrorCode::unauthorized,
                    (state_dir / "ledger.db").string() +
                        ": account numbers in this ledger are sealed, and its key is missing (" + path.string() +
                        " does not exist): " + std::string(how_to_configure_key));
    }
    auto key = make_sealing_key();
    if (auto written = write_sealing_key(path, key); !written) return std::unexpected(written.error());
    return key;
}

// The right key may be in the state folder while another one is configured.
std::string where_key_is(Ledger& ledger, const std::string& check_value) {
    const auto path = ledger.connection().state_dir / default_sealing_key_name;
    const auto key = read_sealing_key(path);
    if (!key || Sealer(*key, ledger.ledger_id()).check_value() != check_value) return std::string(how_to_configure_key);
    return path.string() +
           " is the right key: configure it, or remove the configured one; to change the key, run "
           "'drawbridge rekey --reason …'";
}

std::unexpected<Error> wrong_key(Ledger& ledger, const std::string& check_value) {
    return fail(ErrorCode::unauthorized, ledger.connection().place() +
                                             ": the sealing key is not the one that this ledger was sealed with: " +
                                             where_key_is(ledger, check_value) + "; nothing was changed");
}

}  // namespace

void for_each_sealed(Ledger& ledger, const SealedField& field, const std::function<void(const SealedValue&)>& act) {
    std::string last = "-1";  // before every number and every hexadecimal text
    while (true) {
        const auto page = Query(ledger, field.select, last).records<SealedValue>();
        if (page.empty()) return;
        for (const auto& value : page)
            act(value);
        last = page.back().key;
    }
}

void refuse_sealed(const SealedField& field, std::string_view row) {
    throw std::runtime_error(fmt::format(
        "{} of row {} does not open with the sealing key: it was changed, or copied from another row: stop the daemon "
        "and run 'drawbridge verify'",
        field.name, row));
}

SealingKey make_sealing_key() {
    std::string bytes(SealingKey::size_bytes, '\0');
    randombytes_buf(bytes.data(), bytes.size());
    auto key = SealingKey::from_bytes(bytes);
    sodium_memzero(bytes.data(), bytes.size());
    return key;
}

Result<void> write_sealing_key(const fs::path& path, const SealingKey& key) {
    constexpr mode_t owner_only = 0600;
    try {
        files::create_durably(path, Secret(key.to_hex().reveal() + "\n").reveal(), owner_only);
        return {};
    } catch (const std::system_error& failure) {
        if (failure.code() == std::errc::file_exists) {
            return fail(
                ErrorCode::conflict,
                path.string() + ": the file exists, and a key is never overwritten: what it sealed would be lost");
        }
        const auto code = files::is_disk_failure(failure.code().value()) ? ErrorCode::unavailable : ErrorCode::conflict;
        return fail(code, path.string() + ": the key cannot be written: " + failure.code().message());
    }
}

Result<SealingKey> read_sealing_key(const fs::path& path) {
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    std::string line;
    if (!in || !std::getline(in, line)) {
        const std::string why = errno != 0 ? std::generic_category().message(errno) : "it is empty";
        return fail(ErrorCode::unauthorized, path.string() + ": the sealing key cannot be read: " + why);
    }
    const Secret text(std::move(line));
    auto key = SealingKey::parse(text.reveal());
    if (!key) return fail(ErrorCode::unauthorized, path.string() + ": " + key.error().message);
    return key;
}

std::int64_t change_sealing_key(Ledger& ledger, const SealingKey& key, std::string_view reason, const Stamp& stamp) {
    auto& connection = ledger.connection();
    Sealer next(key, ledger.ledger_id());
    if (!connection.db.is_postgresql()) connection.db.exec("PRAGMA secure_delete = ON");
    std::int64_t counted = 0;
    const auto differences = rewritten_facts(ledger, counted);
    const auto sealed = ledger.transaction([&] {
        const auto count = reseal_everything(ledger, next);
        record_key(ledger, next, stamp.at, count == 0 ? std::optional(stamp.at) : std::nullopt);
        if (count > 0) {
            audit(ledger, stamp, "ledger.sealed", "ledger",
                  text::counted(count, "value") + ": with another key: " + std::string(reason));
        }
        const auto previous = std::exchange(connection.sealer, std::move(next));
        retire_archive_key(ledger, previous->archive_key(), stamp);
        recount_facts(ledger, "with another key", differences, stamp);
        return count;
    });
    crash_point("ledger.sealed");
    overwrite_old_values(ledger, stamp.at);
    if (!connection.db.is_postgresql()) connection.db.exec("PRAGMA secure_delete = OFF");
    return sealed;
}

bool is_sealed_with(Ledger& ledger, const SealingKey& key) {
    return stored_check_value(ledger) == Sealer(key, ledger.ledger_id()).check_value();
}

Result<void> unlock_to_read(Ledger& ledger, const std::optional<SealingKey>& given) {
    auto& connection = ledger.connection();
    const auto known = stored_check_value(ledger);
    const auto key = given ? Result<SealingKey>(*given) : key_of_folder(connection.state_dir, /*is_sealed=*/true);
    if (!key) return std::unexpected(key.error());
    Sealer sealer(*key, ledger.ledger_id());
    if (known != sealer.check_value()) return wrong_key(ledger, known.value_or(""));
    connection.sealer = std::move(sealer);
    return {};
}

Result<void> unlock(Ledger& ledger, const std::optional<SealingKey>& given, Instant now) {
    auto& connection = ledger.connection();
    const auto known = stored_check_value(ledger);
    if (!known && connection.audit_seq > 0) {
        return fail(ErrorCode::unauthorized,
                    connection.place() + ": the check value of its sealing key was removed: restore a backup");
    }
    const auto key = given ? Result<SealingKey>(*given) : key_of_folder(connection.state_dir, known.has_value());
    if (!key) return std::unexpected(key.error());
    Sealer sealer(*key, ledger.ledger_id());
    if (!known) {
        begin_with(ledger, std::move(sealer), now);
        return {};
    }
    if (*known != sealer.check_value()) return wrong_key(ledger, *known);
    connection.sealer = std::move(sealer);
    start_fact_digest(ledger, now);
    overwrite_old_values(ledger, now);
    return {};
}

}  // namespace drawbridge::ledger
