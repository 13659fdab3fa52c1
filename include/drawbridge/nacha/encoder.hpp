// Entries, one after the other → the bytes of a NACHA file, with memory that does not grow with the file.
//
// The same refusals as encode(), which is this for a whole File. The sums of the control records are its own: it never
// looks back at what it wrote.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/nacha/encode.hpp"
#include "drawbridge/nacha/records.hpp"

namespace drawbridge::nacha {

class Encoder {
  public:
    // Gets whole records with their line ends, many at a time, in the order of the file. What it got is to be thrown
    // away when finish() returns an error.
    using Sink = std::function<void(std::string_view)>;

    explicit Encoder(Sink sink, LineEnd line_end = LineEnd::lf, Padding padding = Padding::nines);
    ~Encoder();
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    // In this order: the file, then each batch with its entries, then finish().
    void begin_file(const FileHeader& header);
    void begin_batch(const BatchHeader& header);
    void add(const EntryDetail& entry);
    void end_batch();
    // File control and padding. The first thing that did not fit, if any.
    [[nodiscard]] Result<void> finish();

  private:
    class State;
    std::unique_ptr<State> state_;
};

}  // namespace drawbridge::nacha
