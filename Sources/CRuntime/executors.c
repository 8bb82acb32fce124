#include "CRuntime.h"

// Of the Swift runtime. An executor is passed as its two words, in two registers, as a structure of two
// words is by this calling convention.
extern __attribute__((swiftcall)) bool swift_task_isCurrentExecutorWithFlags(
    uintptr_t identity, uintptr_t implementation, uint64_t flags);

bool cairn_is_current_executor(uintptr_t identity, uintptr_t implementation) {
    return swift_task_isCurrentExecutorWithFlags(identity, implementation, 0);
}
