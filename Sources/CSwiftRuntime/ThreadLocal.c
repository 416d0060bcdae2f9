// SPDX-License-Identifier: Apache-2.0

#include "CSwiftRuntime.h"

// Here, as a header cannot define a variable for all who include it.
_Thread_local const void *lode_innermost_context_of_thread;
