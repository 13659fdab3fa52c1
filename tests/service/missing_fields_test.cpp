// Fields that the records of a list lack: null in a service that leaves nulls out, unknown in any other.
#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "service/client_fixture.hpp"
#include "service/draw_text.hpp"

namespace drawbridge::service::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Record = std::function<Fields(DrawId)>;

Fields draw(DrawId id) {
    return with(whole_draw(), "id", std::to_string(id));
}

// Draws 1 to 5, in the list and by id.
Script service_of(Record listed, Record read) {
    return with_tokens([listed = std::move(listed), read = std::move(read)](const Received& request) {
        constexpr std::string_view by_id = "/caseBudgets/draws/";
        if (request.target.starts_with(by_id)) return ok(json(read(std::stoll(request.target.substr(by_id.size())))));
        std::string records;
        if (request.target.contains("pageNumber=1")) {
            for (DrawId id = 1; id <= 5; ++id)
                records += (id > 1 ? "," : "") + json(listed(id));
        }
        return ok(R"({"totalRecordCount":5,"records":[)" + records + "]}");
    });
}

struct Listed {
    std::vector<DrawId> whole, incomplete;
    std::size_t reads = 0;
};

Listed list(const Record& listed, const Record& read) {
    ScriptedServer server(service_of(listed, read));
    ClientUnderTest under_test(quick_options(server.url()));
    const auto page = under_test.list();
    EXPECT_TRUE(page) << page.error().message;
    Listed found;
    if (!page) return found;
    for (const auto& one : page->draws)
        found.whole.push_back(one.id);
    for (const auto& one : page->incomplete)
        found.incomplete.push_back(one.id);
    found.reads = server.received("GET /caseBudgets/draws/").size();
    return found;
}

TEST(MissingFields, of_a_list_that_shows_a_part_of_each_draw_must_be_read) {
    const auto found = list([](DrawId id) { return without(draw(id), "description"); }, draw);
    EXPECT_THAT(found.whole, IsEmpty());
    EXPECT_THAT(found.incomplete, ElementsAre(1, 2, 3, 4, 5));
    EXPECT_EQ(found.reads, 1U) << "one reading tells that the service shows the field elsewhere";
}

TEST(MissingFields, of_one_record_must_be_read_if_the_service_shows_nulls) {
    const auto with_a_null = [](DrawId id) { return with(draw(id), "disbursedDate", "null"); };
    const auto found = list(
        [&](DrawId id) { return id == 3 ? without(with_a_null(id), "description") : with_a_null(id); }, with_a_null);
    EXPECT_THAT(found.whole, ElementsAre(1, 2, 4, 5));
    EXPECT_THAT(found.incomplete, ElementsAre(3));
    EXPECT_EQ(found.reads, 0U);
}

TEST(MissingFields, are_null_in_a_service_that_leaves_nulls_out) {
    const auto without_nulls = [](DrawId id) {
        const auto fields = without(without(draw(id), "disbursedDate"), "fieldE");  // nobody uses these
        return id == 3 ? without(fields, "description") : fields;
    };
    const auto found = list(without_nulls, without_nulls);
    EXPECT_THAT(found.whole, ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(found.incomplete, IsEmpty());
    EXPECT_EQ(found.reads, 3U);
}

TEST(MissingFields, that_no_record_shows_may_be_shown_for_single_draws) {
    const auto found = list([](DrawId id) { return without(without(draw(id), "disbursedDate"), "description"); },
                            [](DrawId id) { return without(draw(id), "disbursedDate"); });
    EXPECT_THAT(found.whole, IsEmpty());
    EXPECT_THAT(found.incomplete, ElementsAre(1, 2, 3, 4, 5));
}

}  // namespace
}  // namespace drawbridge::service::testing
