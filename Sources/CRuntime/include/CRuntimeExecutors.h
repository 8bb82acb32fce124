#ifndef CAIRN_RUNTIME_EXECUTORS_H
#define CAIRN_RUNTIME_EXECUTORS_H

// Which actor the calling code runs on.

#include <stdbool.h>
#include <stdint.h>

/// Whether the calling code runs on a serial executor, given by the two words of an
/// `UnownedSerialExecutor`. Unlike `swift_task_isCurrentExecutor`, which ends the process where the answer
/// is no, this only answers.
bool cairn_is_current_executor(uintptr_t identity, uintptr_t implementation);

#endif
