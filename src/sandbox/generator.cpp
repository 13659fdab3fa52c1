#include "generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "seeded_random.hpp"

namespace draws_sandbox {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::int64_t payees = 400;
constexpr std::int64_t first_draw_id = 100001;
constexpr std::int64_t first_case_id = 5001;

constexpr std::array<std::string_view, 40> given_names{
    "Amara",    "José",        "Siobhán",    "Wei",     "Fatima",    "Łukasz",    "Renée", "Dmitri",
    "Aïcha",    "Björn",       "Grace",      "Mateo",   "Nguyệt",    "Oluwaseun", "Priya", "Søren",
    "Thandiwe", "Zoë",         "Carlos",     "Ingrid",  "Malik",     "Noémie",    "Tomás", "Yuki",
    "Abigail",  "Bartholomew", "Concepción", "Darnell", "Esperanza", "Farid",     "Gwen",  "Hiroshi",
    "Ivana",    "Jamal",       "Katarzyna",  "Leilani", "Muhammad",  "Nadia",     "Óscar", "Patience"};
constexpr std::array<std::string_view, 40> family_names{"O'Brien",
                                                        "Müller",
                                                        "Nguyen",
                                                        "García-Márquez",
                                                        "D'Angelo",
                                                        "Okonkwo",
                                                        "Smith",
                                                        "Hernández",
                                                        "Åkesson",
                                                        "Kowalska",
                                                        "Johnson",
                                                        "Tran",
                                                        "N'Diaye",
                                                        "Petrov",
                                                        "Williams",
                                                        "Yamamoto",
                                                        "Çelik",
                                                        "Brown",
                                                        "Fernandes",
                                                        "Ó Súilleabháin",
                                                        "Jackson",
                                                        "Patel",
                                                        "Dvořák",
                                                        "Washington",
                                                        "St. John",
                                                        "Al-Rashid",
                                                        "Moreau",
                                                        "Lee",
                                                        "Rodríguez",
                                                        "van der Berg",
                                                        "Abernathy-Featherstonehaugh",
                                                        "Chukwuemeka",
                                                        "Kim",
                                                        "Ramírez",
                                                        "Thompson",
                                                        "Øvergaard",
                                                        "Begum",
                                                        "Cohen",
                                                        "Hassan",
                                                        "Ruiz"};
constexpr std::array<std::string_view, 20> streets{"Maple Street",      "Martin Luther King Jr. Blvd",
                                                   "Elm Avenue",        "Canal Road",
                                                   "Peña Boulevard",    "3rd Street NE",
                                                   "St. Mary's Lane",   "Harbor Drive",
                                                   "Old Mill Road",     "Coös Court",
                                                   "Sunset Terrace",    "Lincoln Way",
                                                   "Prospect Place",    "Riverside Drive",
                                                   "Orchard Street",    "Chestnut Hill",
                                                   "Queen Anne's Gate", "Jefferson Avenue",
                                                   "Bayou Lane",        "Foothill Parkway"};

struct Program {
    std::int64_t workflow;
    std::array<std::int64_t, 2> groups;
    std::string_view case_prefix;
    std::array<std::string_view, 6> purposes;
    std::int64_t low_dollars;
    std::int64_t high_dollars;
};

constexpr std::array<Program, 3> programs{
    {{12,
      {301, 302},
      "Rental and utility assistance",
      {"utility arrears, electricity", "utility arrears, water and sewer", "rent for the current month",
       "security deposit", "back rent, three months", "utility reconnection fee"},
      40,
      4'800},
     {14,
      {303, 301},
      "Home repair",
      {"roof replacement, first draw", "roof replacement, final draw", "accessibility ramp and handrails",
       "furnace and duct work", "lead paint abatement", "plumbing and electrical rough-in"},
      650,
      28'000},
     {21,
      {304, 305},
      "Small business recovery",
      {"payroll support", "equipment purchase", "inventory replacement after flooding", "façade improvement",
       "working capital, second installment", "code compliance work"},
      1'500,
      74'000}}};

// Facts shared by all draws of a case; a function of seed and case only.
struct Case {
    std::int64_t id;
    const Program* program;
    std::string name;
    std::string payee;
    std::string requester;
};

std::string mailbox(std::string_view given, std::string_view family, std::int64_t number) {
    std::string out;
    for (const char c : fmt::format("{}.{}", given, family)) {
        const bool letter = (c >= 'a' && c <= 'z') || c == '.';
        const bool capital = c >= 'A' && c <= 'Z';
        if (letter) out += c;
        if (capital) out += static_cast<char>(c - 'A' + 'a');
    }
    return fmt::format("{}{}@participants.example.org", out, number % 97);
}

Case make_case(std::uint64_t seed, std::int64_t id) {
    SeededRandom random(seed ^ (static_cast<std::uint64_t>(id) * 0xd1342543de82ef95ULL));
    const auto& program = random.pick(programs);
    const auto given = random.pick(given_names);
    const auto family = random.pick(family_names);
    Case out{id, &program, {}, fmt::format("PAYEE-{:04}", random.below(payees) + 1), mailbox(given, family, id)};
    const auto house = random.below(9'900) + 100;
    const auto street = random.pick(streets);
    if (random.one_in(40)) {
        out.name = fmt::format(
            "{}: {} {} and family, jointly with {} {}, for the property at {} {}, units A to F, and "
            "the annex behind it (transferred from the 2019 program; see the earlier case file)",
            program.case_prefix, given, family, random.pick(given_names), family, house, street);
    } else {
        out.name = fmt::format("{}: {} {}, {} {}", program.case_prefix, given, family, house, street);
    }
    return out;
}

std::int64_t make_amount(SeededRandom& random, const Program& program) {
    // Squaring favors small amounts, as in real requests.
    const auto range = program.high_dollars - program.low_dollars;
    const auto share = random.below(10'000);
    const auto dollars = program.low_dollars + range * share / 10'000 * share / 10'000;
    switch (random.below(4)) {
        case 0: return dollars * 100;
        case 1: return dollars * 100 + random.below(10) * 10;
        default: return dollars * 100 + random.below(100);
    }
}

Status make_status(SeededRandom& random, Mix mix) {
    if (mix == Mix::pending) return Status::pending_approval;
    const auto roll = random.below(100);
    if (roll < 62) return Status::pending_approval;
    if (roll < 67) return Status::not_submitted;
    if (roll < 73) return Status::submitted;
    if (roll < 77) return Status::cancelled;
    if (roll < 85) return Status::approved;
    return Status::disbursed;
}

class Generator {
  public:
    explicit Generator(const GeneratorPlan& plan)
        : plan_(plan), cases_(std::max<std::int64_t>(1, plan.draws * 2 / 5)), random_(plan.seed) {}

    Draw make(std::int64_t number) {
        const auto of_case = make_case(plan_.seed, first_case_id + random_.below(cases_));
        const auto status = make_status(random_, plan_.mix);
        Draw draw;
        draw[Field::id] = first_draw_id + number;
        draw[Field::status] = static_cast<std::int64_t>(status);
        fill_request(draw, of_case);
        fill_outcome(draw, status);
        if (plan_.mix == Mix::realistic) leave_gaps(draw, status);
        return draw;
    }

  private:
    void fill_request(Draw& draw, const Case& of_case) {
        const auto& program = *of_case.program;
        draw[Field::case_id] = of_case.id;
        draw[Field::case_name] = of_case.name;
        draw[Field::requested_by] = of_case.requester;
        const auto ago = seconds{random_.below(seconds{std::chrono::days{60}}.count())} + seconds{1};
        requested_ = Instant{plan_.as_of} - ago + milliseconds{random_.one_in(3) ? random_.below(1'000) : 0};
        draw[Field::requested_date] = instant_value(requested_);
        draw[Field::amount_requested] = make_amount(random_, program);
        draw[Field::description] = fmt::format("Draw for {}", random_.pick(program.purposes));
        draw[Field::modified_by] = of_case.requester;
        draw[Field::modified_date] = draw[Field::requested_date];
        draw[Field::field_a] = of_case.payee;
        if (random_.one_in(2)) draw[Field::field_b] = fmt::format("INV-{:06}", random_.below(1'000'000));
        if (random_.one_in(10))
            draw[Field::participant_field_a] = std::string("please pay before the end of the month");
        draw[Field::config_draw_approver_group_id] = random_.pick(program.groups);
        draw[Field::workflow_id] = program.workflow;
        draw[Field::approval_count] = std::int64_t{0};
    }

    void fill_outcome(Draw& draw, Status status) {
        if (status == Status::cancelled) touch(draw, "t.nakamura@draws.example.gov", 72);
        if (status != Status::approved && status != Status::disbursed) return;
        draw[Field::approved_by] = std::string("m.okafor@draws.example.gov");
        draw[Field::approved_date] = touch(draw, "m.okafor@draws.example.gov", 96);
        draw[Field::amount_approved] = draw[Field::amount_requested];
        if (status != Status::disbursed) return;
        draw[Field::disbursed_by] = std::string("a.castellanos@draws.example.gov");
        draw[Field::disbursed_date] = touch(draw, "a.castellanos@draws.example.gov", 120);
        draw[Field::amount_disbursed] = draw[Field::amount_approved];
    }

    // A later change by `who` within `within` hours, and never after the start of the plan's day.
    Value touch(Draw& draw, std::string_view who, std::int64_t within) {
        const Instant before{milliseconds{draw.integer(Field::modified_date)}};
        const auto wanted = before + minutes{random_.below(within * 60) + 5};
        const auto at = std::max(before, std::min(wanted, Instant{plan_.as_of} - seconds{1}));
        draw[Field::modified_by] = std::string(who);
        draw[Field::modified_date] = instant_value(at);
        return draw[Field::modified_date];
    }

    void leave_gaps(Draw& draw, Status status) {
        if (random_.one_in(100)) draw[Field::field_a] = {};
        if (random_.one_in(50)) draw[Field::description] = {};
        if (random_.one_in(300)) draw[Field::case_name] = {};
        if (random_.one_in(400)) draw[Field::case_id] = {};
        const bool open = status != Status::approved && status != Status::disbursed;
        if (open && random_.one_in(200)) draw[Field::amount_requested] = {};
        if (status == Status::approved && random_.one_in(300)) draw[Field::amount_approved] = {};
    }

    GeneratorPlan plan_;
    std::int64_t cases_;
    SeededRandom random_;
    Instant requested_;
};

}  // namespace

void generate(Store& store, const GeneratorPlan& plan) {
    Generator generator(plan);
    Store::Transaction transaction(store);
    for (std::int64_t number = 0; number < plan.draws; ++number)
        store.insert(generator.make(number));
    transaction.commit();
}

}  // namespace draws_sandbox
