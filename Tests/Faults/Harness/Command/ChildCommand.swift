// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a child of the command does.
enum ChildCommand {
    static func run(_ arguments: [String], _ interposer: Interposer) -> Int32 {
        let options = FaultArguments(arguments)
        do {
            switch options.words.first {
            case "kill": try KillChild(options, interposer).run()
            case "call": try CallChild(options, interposer).run()
            case "migration": try MigrationChild(options, interposer).run()
            case "map": try MapChild(options, interposer).run()
            case "record": try RecordChild(options, interposer).run()
            case "race": try RaceChild(options).run()
            case "batch": try BatchChild(options).run()
            default: return 64
            }
            return 0
        } catch {
            say("error \(error)")
            return 1
        }
    }
}

extension FaultArguments {
    /// The seed of a child.
    var seed: UInt64 { text("seed").flatMap { UInt64($0) } ?? 0 }
    var folder: String { text("folder") ?? "" }
}
