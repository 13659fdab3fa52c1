// A host takes over a ledger in PostgreSQL that another host wrote last. The files of that host are not here, and may
// never be seen again.
//
// Staged files, and those that go by SFTP, are written again from the ledger, byte for byte. Confirmation files that
// had left the inbox are claimed here. A file that was in the other host's outgoing/, or on its way there, is never
// offered a second time: a person finds out whether the bank has it.
#pragma once

#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

// Before any step or act. Can be repeated until it has ended. Does nothing if this host was the last.
void take_over(Context& context);

// Closes the exceptions about files that the bank has after all.
void close_found_files(Context& context);

}  // namespace drawbridge::pipeline
