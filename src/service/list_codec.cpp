#include <algorithm>
#include <utility>

#include "draw_builder.hpp"
#include "drawbridge/service/codec.hpp"
#include "json.hpp"
#include "json_events.hpp"

namespace drawbridge::service {
namespace {

// Reads the envelope as events, one draw at a time, so that a page needs no tree of values.
class ListReader {
  public:
    void null() { scalar(JsonScalar::Kind::null, {}); }
    void boolean(bool) { scalar(JsonScalar::Kind::boolean, {}); }
    void number(std::string_view text) { scalar(JsonScalar::Kind::number, text); }
    void string(std::string_view value) { scalar(JsonScalar::Kind::string, value); }
    void key(std::string_view name) {
        if (place_ == Place::envelope || place_ == Place::record) key_ = name;
    }
    bool start_object() {
        switch (place_) {
            case Place::outside: place_ = Place::envelope; return true;
            case Place::records: place_ = Place::record; return true;
            case Place::record: builder_.set(key_, {.kind = JsonScalar::Kind::composite, .text = {}}); break;
            case Place::envelope:
            case Place::skipped: break;
        }
        return skip();
    }
    bool start_array() {
        switch (place_) {
            case Place::outside: return stop("it is not the envelope of a list");
            case Place::envelope:
                if (key_ != "records") break;
                if (std::exchange(has_records_, true)) return stop("it has two lists of records");
                place_ = Place::records;
                // Growing would move every draw several times. The size is the service's number, so it is trusted only
                // up to a limit.
                answer_.draws.reserve(
                    static_cast<std::size_t>(std::clamp<std::int64_t>(answer_.page_size.value_or(0), 0, 1000)));
                return true;
            case Place::records: builder_.refuse("", "it is not an object"); break;
            case Place::record: builder_.set(key_, {.kind = JsonScalar::Kind::composite, .text = {}}); break;
            case Place::skipped: break;
        }
        return skip();
    }
    bool end_object() {
        switch (place_) {
            case Place::record:
                finish_record();
                place_ = Place::records;
                return true;
            case Place::envelope: place_ = Place::outside; return true;
            case Place::outside:
            case Place::records:
            case Place::skipped: break;
        }
        return unskip();
    }
    bool end_array() {
        if (place_ == Place::records) {
            place_ = Place::envelope;
            return true;
        }
        return unskip();
    }

    Result<ListAnswer> take(std::string_view body, JsonEnd end) {
        const bool is_cut = !end.complete && why_.empty() && place_ != Place::outside;
        if (!end.complete) stop(why_not_json(body, end));
        // After the last page, some services leave the records out.
        if (!has_records_ && answer_.total_record_count != 0) stop("it has no list of records");
        if (records_are_null_ && answer_.total_record_count != 0) {
            stop("its records are null, but its total is not 0");
        }
        if (!why_.empty()) {
            return fail(is_cut ? ErrorCode::invalid_input : ErrorCode::protocol,
                        "the service's list of draws cannot be read: " + why_);
        }
        return std::move(answer_);
    }

  private:
    enum class Place { outside, envelope, records, record, skipped };

    void scalar(JsonScalar::Kind kind, std::string_view text) {
        switch (place_) {
            case Place::outside: stop("it is not the envelope of a list"); break;
            case Place::envelope: set_envelope(kind, text); break;
            case Place::records:
                builder_.refuse("", "it is not an object");
                finish_record();
                break;
            case Place::record: builder_.set(key_, {.kind = kind, .text = text}); break;
            case Place::skipped: break;
        }
    }
    void set_envelope(JsonScalar::Kind kind, std::string_view text) {
        // Some services show an empty list as null.
        if (key_ == "records" && kind == JsonScalar::Kind::null) {
            if (std::exchange(has_records_, true)) stop("it has two lists of records");
            records_are_null_ = true;
        }
        const std::optional<std::int64_t> number =
            kind == JsonScalar::Kind::number ? to_integer(text) : std::optional<std::int64_t>();
        if (key_ == "pageSize") answer_.page_size = number;
        if (key_ == "pageCount") answer_.page_count = number;
        if (key_ == "totalRecordCount") answer_.total_record_count = number;
    }
    void finish_record() {
        // More than any page asks for: a list of millions of wrong records would take all memory.
        constexpr std::size_t max_records = 20'000;
        if (answer_.ids.size() == max_records) {
            stop("it has more than " + std::to_string(max_records) + " records");
            return;
        }
        auto finished = builder_.finish();
        answer_.ids.push_back(finished.id);
        answer_.with_value |= finished.with_value;
        answer_.has_null = answer_.has_null || finished.has_null;
        if (finished.draw && finished.lacks != 0) {
            answer_.partial.push_back({std::move(*finished.draw), finished.lacks});
        } else if (finished.draw) {
            answer_.draws.push_back(std::move(*finished.draw));
        } else {
            std::string message = std::move(finished.draw.error().message);
            if (!finished.id) message += " (record " + std::to_string(answer_.ids.size()) + " of its page)";
            answer_.bad.push_back(
                {.id = finished.id, .field = std::move(finished.bad_field), .message = std::move(message)});
        }
    }
    // Skips nested values of unknown names.
    bool skip() {
        if (place_ != Place::skipped) skipped_from_ = std::exchange(place_, Place::skipped);
        ++skip_depth_;
        return true;
    }
    bool unskip() {
        if (--skip_depth_ > 0) return true;
        place_ = skipped_from_;
        if (place_ == Place::records) finish_record();
        return true;
    }
    bool stop(std::string why) {
        if (why_.empty()) why_ = std::move(why);
        return false;
    }

    ListAnswer answer_;
    DrawBuilder builder_;
    std::string key_;
    Place place_ = Place::outside;
    Place skipped_from_ = Place::outside;
    int skip_depth_ = 0;
    bool has_records_ = false;
    bool records_are_null_ = false;
    std::string why_;
};

}  // namespace

Result<ListAnswer> parse_list(std::string_view body) {
    ListReader reader;
    const JsonEnd end = read_json(body, reader);
    return reader.take(body, end);
}

Result<PartialDraw> parse_draw(std::string_view body) {
    auto json = parse_json(body);
    if (!json) return fail(ErrorCode::protocol, "the service's draw cannot be read: " + json.error().message);
    auto built = build_draw(*json);
    if (!built.draw) return std::unexpected(std::move(built.draw.error()));
    return PartialDraw{std::move(*built.draw), built.lacks};
}

}  // namespace drawbridge::service
