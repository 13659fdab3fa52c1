// Instants, business dates and time zones. Core code is given the time; it never reads a clock.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"

namespace drawbridge {

// UTC, in milliseconds.
using Instant = std::chrono::sys_time<std::chrono::milliseconds>;
// A calendar day without a zone: a banking day, an effective entry date, a check date.
using BusinessDate = std::chrono::year_month_day;
// Payment files write years with two digits, from 2000 to 2099.
[[nodiscard]] constexpr bool is_date_of_files(BusinessDate date) {
    return date.ok() && date.year() >= std::chrono::year(2000) && date.year() <= std::chrono::year(2099);
}

// ISO 8601 date-time: "2026-03-04T05:06:07", an optional fraction of 1-9 digits (truncated to milliseconds), an
// optional "Z" or "+00:00"/"-05:00" offset (converted). Text without an offset is UTC, as in the Draws Service. A date
// alone is midnight UTC.
[[nodiscard]] Result<Instant> parse_instant(std::string_view text);
// "2026-03-04T05:06:07.000Z", for the ledger, JSON and logs.
[[nodiscard]] std::string format_instant(Instant instant);
// "20260304T050607Z", for names of files.
[[nodiscard]] std::string format_compact_instant(Instant instant);
// "2026-03-04T05:06:07" ("….123" when there are milliseconds), as the Draws Service expects it: UTC without an offset.
[[nodiscard]] std::string format_service_instant(Instant instant);

// "2026-03-04"; the day must exist.
[[nodiscard]] Result<BusinessDate> parse_date(std::string_view text);
[[nodiscard]] std::string format_date(BusinessDate date);
// "2026/03/04": where the archive keeps the files of a day.
[[nodiscard]] std::string folder_of_day(BusinessDate date);

struct LocalTime {
    BusinessDate date;
    std::chrono::minutes time_of_day;  // since local midnight
    std::chrono::seconds utc_offset;
};

// An IANA zone ("America/New_York"), from the system's database.
class TimeZone {
  public:
    [[nodiscard]] static Result<TimeZone> find(std::string_view name);
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] LocalTime to_local(Instant instant) const;
    // A local time that daylight saving skips becomes the moment of the change. Of a time that occurs twice, the first
    // is used.
    [[nodiscard]] Instant to_instant(BusinessDate date, std::chrono::minutes time_of_day) const;
    [[nodiscard]] BusinessDate date_of(Instant instant) const { return to_local(instant).date; }

  private:
    TimeZone(std::string name, const void* zone) : name_(std::move(name)), zone_(zone) {}
    std::string name_;
    const void* zone_;  // date::time_zone; lives as long as the program
};

}  // namespace drawbridge
