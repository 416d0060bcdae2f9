// SPDX-License-Identifier: Apache-2.0

import FaultHarness
import FaultInterposer
import Foundation

// Links the interposer, so that its functions take the place of the C library's in this program.
let interposer = Interposer(
    watch: { lode_fault_watch($0) },
    arm: { lode_fault_arm($0, $1, $2, $3, $4) },
    disarm: { lode_fault_disarm() },
    count: { lode_fault_count($0) },
    hits: { lode_fault_hits() },
    record: { lode_fault_record_to($0) },
    note: { lode_fault_note($0) })
let program =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? CommandLine.arguments[0]
exit(
    FaultsCommand.run(
        Array(CommandLine.arguments.dropFirst()), program: program, interposer: interposer))
