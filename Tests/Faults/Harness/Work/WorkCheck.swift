// SPDX-License-Identifier: Apache-2.0

import Lode

/// Compares a file with the oracle.
enum WorkCheck {
    /// Checks that a file holds a whole number of steps.
    ///
    /// - Parameters:
    ///   - path: The file; a missing one has no steps.
    ///   - seed: The seed of the steps.
    ///   - acknowledged: The steps whose save has returned.
    ///   - begun: The steps that may be there.
    /// - Returns: The state.
    /// - Throws: Violation, and what opening and reading throw.
    static func file(
        _ path: String, seed: UInt64, acknowledged: Int, begun: Int, variant: Int = 1,
        options: [AnyHashable: Any] = [:],
        _ more: (WorkStore, WorkState) throws -> Void = { _, _ in }
    ) throws -> WorkState {
        guard FileManager.default.fileExists(atPath: path) else {
            guard acknowledged == 0 else { throw Violation("the file is gone") }
            return WorkState()
        }
        if acknowledged == 0, removeUnfinished(path) { return WorkState() }
        // Nothing of it may crash this process.
        do { try NSPersistentStore.verify(at: URL(fileURLWithPath: path)) } catch {
            // A file without a model is a creation that was interrupted, which has to open below.
            guard acknowledged == 0 else { throw error }
        }
        let found = try WorkStore.with(path, model: WorkModel.make(variant: variant), options) {
            let state = try $0.state()
            try more($0, state)
            return state
        }
        guard found.step >= acknowledged else {
            throw Violation("step \(found.step) is there, \(acknowledged) was acknowledged")
        }
        guard found.step <= begun else {
            throw Violation("step \(found.step) is there, \(begun) is the last that began")
        }
        if let difference = state(seed, after: found.step).difference(found) {
            throw Violation("after step \(found.step): \(difference)")
        }
        return found
    }

    /// Removes a file that was not finished when it was made; false for any other.
    ///
    /// Without both header pages a file is refused, and nothing can have been saved to it. One
    /// without a byte is a new store.
    static func removeUnfinished(_ path: String) -> Bool {
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
        guard let count = size?.intValue, count > 0, count < 2 * 4_096,
            (try? WorkStore(path).close()) == nil
        else { return false }
        for suffix in ["", "-lock", "-open"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
        return true
    }

    /// The state after a number of steps.
    static func state(_ seed: UInt64, after steps: Int) -> WorkState {
        var state = WorkState()
        while state.step < steps { state.advance(seed) }
        return state
    }
}
