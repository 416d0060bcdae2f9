// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Traps
import Worlds

/// How often a world is saved without being told.
struct Autosave {
    let interval: Int
    let onFailure: (any Error) -> Void
    /// The ticks since the last save.
    var ticks = 0
}

extension World {
    /// Saves the world's context by itself, when so many calls of ``advance()`` have passed since
    /// its last save.
    ///
    /// It is the context's ordinary `save()`, with everything else that is unsaved there, at the
    /// end of the call. Ticks without anything to save pass without a commit. A save that fails
    /// leaves all changes unsaved, and is tried again at the next tick.
    ///
    /// In memory there is nothing to do.
    ///
    /// - Parameters:
    ///   - ticks: The number of ticks, at least 1; nil to save no longer.
    ///   - onFailure: Gets the error of a save that failed.
    public func autosave(every ticks: Int?, onFailure: @escaping (any Error) -> Void) {
        require(ticks.map { $0 > 0 } ?? true, "a world saved every \(ticks ?? 0) ticks")
        (backing as? WorldFile)?.autosave = ticks.map {
            Autosave(interval: $0, onFailure: onFailure)
        }
    }
}

extension WorldFile {
    /// Counts a tick, and saves when it is time.
    func saveIfDue() {
        guard var plan = autosave else { return }
        plan.ticks += 1
        autosave = plan
        guard plan.ticks >= plan.interval, context.hasChanges else { return }
        // What is saved may be objects alone, of which the world does not hear.
        defer { if !context.hasChanges { autosave?.ticks = 0 } }
        do {
            try context.save()
        } catch {
            plan.onFailure(error)
        }
    }
}
