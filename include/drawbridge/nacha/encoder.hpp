// Encodes entries one after the other into the bytes of a NACHA file. Memory use does not grow with the file.
//
// It refuses the same input as encode(), which runs it on a whole File. It keeps its own sums for the control records
// and never reads back what it wrote.
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
    // Receives whole records with their line ends, many at a time, in file order. Discard everything received if
    // finish() returns an error.
    using Sink = std::function<void(std::string_view)>;

    explicit Encoder(Sink sink, LineEnd line_end = LineEnd::lf, Padding padding = Padding::nines);
    ~Encoder();
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    // Call order: the file, then each batch with its entries, then finish().
    void begin_file(const FileHeader& header);
    void begin_batch(const BatchHeader& header);
    void add(const EntryDetail& entry);
    void end_batch();
    // Writes file control and padding. Returns the first value that did not fit, if any.
    [[nodiscard]] Result<void> finish();

  private:
    class State;
    std::unique_ptr<State> state_;
};

}  // namespace drawbridge::nacha
