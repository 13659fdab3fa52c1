// The start on a PostgreSQL server that is not as the ledger needs it, or on a ledger whose first start was
// interrupted.
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "drawbridge/ledger/store/engine.hpp"
#include "drawbridge/ledger/store/sealing.hpp"
#include "drawbridge/ledger/store/standby.hpp"
#include "store/connection.hpp"
#include "store/fact_digest.hpp"
#include "store/postgresql/lease.hpp"
#include "store/state_lock.hpp"
#include "support/postgresql_cluster.hpp"
#include "support/samples.hpp"
#include "support/temporary_folder.hpp"

namespace drawbridge::ledger {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PostgresqlStart : public ::testing::Test {
  protected:
    void SetUp() override {
        if (test::PostgresqlCluster::programs().empty()) GTEST_SKIP() << "not run: PostgreSQL is not installed";
        cluster().drop_schema();
    }
    void TearDown() override {
        if (!test::PostgresqlCluster::programs().empty()) cluster().drop_schema();
    }
    static test::PostgresqlCluster& cluster() { return test::PostgresqlCluster::instance(); }
    static PostgresqlAddress address(const std::string& user = "drawbridge") {
        return {cluster().url(user), "", test::PostgresqlCluster::schema()};
    }
    [[nodiscard]] Result<Ledger> open() const {
        return Ledger::open(folder_.path(), address(), test::at("2026-03-04T15:00:00"));
    }
    [[nodiscard]] std::vector<std::string> differences() const {
        auto ledger = open();
        if (!ledger) return {ledger.error().message};
        std::int64_t counted = 0;
        return rewritten_facts(*ledger, counted);
    }

    test::TemporaryFolder folder_;
};

class InterruptedFirstStart : public PostgresqlStart, public ::testing::WithParamInterface<const char*> {};

TEST_P(InterruptedFirstStart, is_continued_by_the_next) {
    // The server refuses this trigger, and so ends the start in the same place as a power loss would.
    cluster().exec(std::string(R"sql(
        CREATE FUNCTION public.cut() RETURNS event_trigger LANGUAGE plpgsql AS $$
        DECLARE
          made record;
        BEGIN
          FOR made IN SELECT object_identity FROM pg_event_trigger_ddl_commands() LOOP
            IF made.object_identity = ')sql") +
                   GetParam() + R"sql(' THEN RAISE EXCEPTION 'cut'; END IF;
          END LOOP;
        END $$;
        CREATE EVENT TRIGGER cut ON ddl_command_end WHEN TAG IN ('CREATE TRIGGER') EXECUTE FUNCTION public.cut())sql");
    EXPECT_THROW(static_cast<void>(open()), postgresql::Failure);
    cluster().exec("DROP EVENT TRIGGER cut; DROP FUNCTION public.cut");
    const auto opened = open();
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ(cluster().ask("SELECT c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
                            "WHERE c.relnamespace = 'ledger'::regnamespace AND (t.tgname = 'never_emptied' OR t.tgname "
                            "LIKE 'fact_digest_%') GROUP BY c.relname HAVING count(*) <> 4"),
              "");
}

INSTANTIATE_TEST_SUITE_P(Cut, InterruptedFirstStart,
                         ::testing::Values("fact_digest_insert on ledger.payment_file",
                                           "fact_digest_delete on ledger.draw", "never_emptied on ledger.draw"),
                         [](const auto& test) { return "at_" + std::to_string(test.index); });

// As the interrupted first start of an earlier version left it.
TEST_F(PostgresqlStart, makes_missing_triggers_and_says_which_rows_changed_without_them) {
    ASSERT_TRUE(open());
    cluster().exec("DROP TRIGGER fact_digest_delete ON ledger.draw; DROP TRIGGER fact_digest_update ON ledger.draw");
    EXPECT_THAT(differences(), IsEmpty());
    EXPECT_EQ(cluster().ask("SELECT count(*) FROM pg_trigger WHERE tgrelid = 'ledger.draw'::regclass AND tgname LIKE "
                            "'fact_digest_%'"),
              "3");
    EXPECT_EQ(cluster().ask("SELECT count(*) FROM ledger.audit WHERE action = 'facts.differ'"), "0");
    cluster().exec(
        "DROP TRIGGER fact_digest_update ON ledger.ledger_identity; SET session_replication_role = replica; UPDATE "
        "ledger.ledger_identity SET created_at = created_at + 1");
    EXPECT_THAT(differences(), ElementsAre(HasSubstr("the rows of ledger_identity are not those that were recorded")));
    EXPECT_THAT(cluster().ask("SELECT detail FROM ledger.audit WHERE action = 'facts.differ'"),
                HasSubstr("ledger_identity are not those that were recorded: 1 rows, as recorded, with other values: a "
                          "trigger that follows its changes was missing"));
}

TEST_F(PostgresqlStart, refuses_triggers_that_are_off) {
    ASSERT_TRUE(open());
    cluster().exec("ALTER TABLE ledger.draw DISABLE TRIGGER fact_digest_update");
    const auto refused = open();
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message,
                HasSubstr("the ledger's table draw has triggers that are off (fact_digest_update): run ALTER TABLE "
                          "ledger.draw ENABLE TRIGGER ALL as superuser, then drawbridge verify"));
    cluster().exec("ALTER TABLE ledger.draw ENABLE TRIGGER ALL");
    EXPECT_TRUE(open());
}

// Between a client and the server, as poolers are: it gives the client a key of its own.
class Pooler {
  public:
    explicit Pooler(const test::PostgresqlCluster& server)
        : server_(name_of_socket(server.folder(), server.port())), listener_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
        const auto name = name_of_socket(folder_.path(), server.port());
        if (::bind(listener_, reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0 ||
            ::listen(listener_, 1) != 0)
            throw std::runtime_error("the pooler cannot listen");
        thread_ = std::jthread([this] { serve_one(); });
    }
    ~Pooler() {
        ::shutdown(listener_, SHUT_RDWR);
        thread_.join();
        ::close(listener_);
    }
    Pooler(const Pooler&) = delete;
    Pooler& operator=(const Pooler&) = delete;
    [[nodiscard]] std::string folder() const { return folder_.path(); }

  private:
    static sockaddr_un name_of_socket(const std::filesystem::path& folder, int port) {
        sockaddr_un name{};
        name.sun_family = AF_UNIX;
        const auto path = folder / (".s.PGSQL." + std::to_string(port));
        path.string().copy(name.sun_path, sizeof name.sun_path - 1);
        return name;
    }
    // 'K', the length 12, the process id and the secret.
    static void change_key(std::string& bytes) {
        const std::string head("K\0\0\0\x0c", 5);
        if (const auto at = bytes.find(head); at != std::string::npos) bytes.replace(at + head.size(), 4, "POOL");
    }
    void serve_one() const {
        const int client = ::accept(listener_, nullptr, nullptr);
        if (client < 0) return;
        const int server = ::socket(AF_UNIX, SOCK_STREAM, 0);
        bool passes = ::connect(server, reinterpret_cast<const sockaddr*>(&server_), sizeof server_) == 0;
        std::array<pollfd, 2> both{pollfd{.fd = client, .events = POLLIN, .revents = 0},
                                   pollfd{.fd = server, .events = POLLIN, .revents = 0}};
        while (passes && ::poll(both.data(), both.size(), -1) > 0) {
            for (std::size_t from = 0; from < both.size(); ++from) {
                if (both[from].revents == 0) continue;
                std::string bytes(16384, '\0');
                const auto size = ::read(both[from].fd, bytes.data(), bytes.size());
                bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
                change_key(bytes);
                passes = !bytes.empty() &&
                         ::send(both[1 - from].fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) == std::ssize(bytes);
                if (!passes) break;
            }
        }
        ::close(client);
        ::close(server);
    }

    test::TemporaryFolder folder_;
    sockaddr_un server_;
    int listener_;
    std::jthread thread_;
};

TEST_F(PostgresqlStart, refuses_a_connection_pooler) {
    const Pooler pooler(cluster());
    const auto opened = Ledger::open(
        folder_.path(), {"postgresql:///ledger?user=drawbridge&port=5432&host=" + pooler.folder(), "", "ledger"},
        test::at("2026-03-04T15:00:00"));
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::invalid_input);
    EXPECT_EQ(opened.error().message, "ledger.url: " + pooler.folder() +
                                          " port 5432 is a connection pooler: connect to the PostgreSQL server itself");
}

TEST_F(PostgresqlStart, refuses_a_role_whose_triggers_are_off) {
    cluster().exec("ALTER ROLE office SET session_replication_role = replica");
    const auto opened = Ledger::open(folder_.path(), address("office"), test::at("2026-03-04T15:00:00"));
    cluster().exec("ALTER ROLE office RESET session_replication_role");
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::invalid_input);
    EXPECT_EQ(opened.error().message,
              "ledger.url: session_replication_role is replica, the ledger needs origin: ALTER ROLE office SET "
              "session_replication_role = origin");
    EXPECT_TRUE(Ledger::open(folder_.path(), address("office"), test::at("2026-03-04T15:00:00")));
}

struct Setting {
    const char* name;
    const char* of_role;
    const char* needed;
};

TEST_F(PostgresqlStart, sets_what_a_role_has_set_otherwise) {
    constexpr Setting settings[] = {{"synchronous_commit", "off", "local"},
                                    {"default_transaction_isolation", "serializable", "read committed"},
                                    {"default_transaction_deferrable", "on", "off"},
                                    {"search_path", "public", "ledger"},
                                    {"statement_timeout", "1h", "0"},
                                    {"lock_timeout", "1h", "0"},
                                    {"row_security", "on", "off"},
                                    {"transform_null_equals", "on", "off"},
                                    {"standard_conforming_strings", "off", "on"}};
    for (const auto& setting : settings)
        cluster().exec(std::string("ALTER ROLE office SET ") + setting.name + " = '" + setting.of_role + "'");
    postgresql::Session session(address("office"));
    for (const auto& setting : settings)
        EXPECT_EQ(session.value_of(std::string("SHOW ") + setting.name), setting.needed) << setting.name;
    cluster().exec("ALTER ROLE office RESET ALL");
}

TEST_F(PostgresqlStart, names_a_missing_row_of_the_writer_and_how_to_insert_it) {
    ASSERT_TRUE(open());
    cluster().exec("DELETE FROM ledger.writer");
    const auto opened = open();
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::invalid_input);
    EXPECT_THAT(opened.error().message, HasSubstr("ledger.url: the row of the table writer is missing"));
    cluster().exec(opened.error().message.substr(opened.error().message.find("INSERT INTO ")));
    EXPECT_TRUE(open());
}

// A process that stands by locks its state folder nearly always.
TEST_F(PostgresqlStart, is_not_needed_to_learn_which_machine_writes) {
    ASSERT_TRUE(open());
    const auto ask = [&](const std::filesystem::path& state_dir) {
        return writer_on_another_host(state_dir, address(), std::nullopt);
    };
    const auto here = ask(folder_.path());
    ASSERT_TRUE(here) << here.error().message;
    EXPECT_EQ(*here, std::nullopt);
    const test::TemporaryFolder other;
    std::filesystem::copy_file(folder_.path() / default_sealing_key_name, other.path() / default_sealing_key_name);
    const auto standby = StateLock::take(other.path());
    ASSERT_TRUE(standby);
    const auto there = ask(other.path());
    ASSERT_TRUE(there) << there.error().message;
    EXPECT_EQ(there->value_or("nobody"), postgresql::host_name() + " " + std::to_string(::getpid()));
    EXPECT_FALSE(std::filesystem::exists(other.path() / "folder.id")) << "only a process with the lock gives it one";
}

}  // namespace
}  // namespace drawbridge::ledger
