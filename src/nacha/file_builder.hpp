// Collects the records of a FileReader into a File.
#pragma once

#include "drawbridge/nacha/file_reader.hpp"

namespace drawbridge::nacha {

struct FileBuilder {
    File file;

    void operator()(const Record& record) {
        switch (record.kind) {
            case RecordKind::file_header: file.header = file_header_of(record); break;
            case RecordKind::batch_header: file.batches.push_back({batch_header_of(record), {}}); break;
            case RecordKind::entry: file.batches.back().entries.push_back(entry_of(record)); break;
            case RecordKind::addenda: file.batches.back().entries.back().addenda.push_back(addenda_of(record)); break;
            case RecordKind::batch_control:
            case RecordKind::file_control: break;
        }
    }
};

}  // namespace drawbridge::nacha
