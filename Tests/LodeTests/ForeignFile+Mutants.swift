// SPDX-License-Identifier: Apache-2.0

import Lode
import _TestSupport

extension ForeignFile {
    /// What became of damaged copies.
    struct Outcome: CustomStringConvertible {
        /// Opening refused them.
        var refused = 0
        /// Something that was read or written later threw.
        var failed = 0
        /// All was read.
        var answered = 0
        /// The errors, by their first words.
        var errors: [String: Int] = [:]

        var description: String {
            "\(refused) refused, \(failed) failed later, \(answered) answered"
        }
    }

    /// Seconds after which a copy counts as one that is read for ever.
    static let patience: UInt32 = 60

    /// Uses damaged copies of a file, one after the other, in this process.
    ///
    /// The number of the present copy is in the file `current` of the folder, so that the
    /// process that started this one knows which copy has ended it.
    static func tryMutants(
        of healthy: URL, in folder: URL, seed: UInt64, _ numbers: Range<Int>
    ) throws -> Outcome {
        let bytes = Array(try Data(contentsOf: healthy))
        // Most other changes are refused with the pages.
        let mutators = [FileMutator.Focus.all, .entries].map {
            FileMutator(bytes, seed: seed, focus: $0)
        }
        let place = folder.appendingPathComponent("mutant.lode")
        let current = folder.appendingPathComponent("current")
        var outcome = Outcome()
        for number in numbers {
            let mutant = mutators[number % 2].mutant(number)
            try Data("\(number): \(mutant.story)".utf8).write(to: current)
            for suffix in ["", "-lock", "-open"] {
                try? FileManager.default.removeItem(atPath: place.path + suffix)
            }
            try Data(mutant.bytes).write(to: place)
            alarm(patience)
            do {
                _ = try use(place)
                outcome.answered += 1
            } catch {
                let text = "\(error)"
                outcome.errors[String(text.filter { !$0.isNumber }.prefix(90)), default: 0] += 1
                if (try? NSPersistentStore.verify(at: place, .pages)) == nil {
                    outcome.refused += 1
                } else {
                    outcome.failed += 1
                }
            }
            alarm(0)
        }
        return outcome
    }
}
