// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The entity that a request's name has led to, for programs that ask for it afterwards.
///
/// That of the model which the request was run with first: several threads may run a request that
/// none of them changes, such as a template of a model, so nothing may be replaced.
struct UsedEntity: ~Copyable {
    // SAFETY: the word has one reference of its own, which the deinit gives back; it is set once.
    private let word = Atomic<Unmanaged<NSEntityDescription>?>(nil)

    deinit { word.load(ordering: .acquiring)?.release() }

    /// The entity; nil before the request was run.
    var entity: NSEntityDescription? { word.load(ordering: .acquiring)?.takeUnretainedValue() }

    /// Notes what the name means in the context that runs the request.
    @inline(__always)
    borrowing func note(_ description: NSEntityDescription) {
        if word.load(ordering: .relaxed) == nil { set(description) }
    }

    private borrowing func set(_ description: NSEntityDescription) {
        // SAFETY: the word's reference, or taken back where another thread was first.
        let mine = Unmanaged.passRetained(description)
        let (isSet, _) = word.compareExchange(
            expected: nil, desired: mine, ordering: .acquiringAndReleasing)
        if !isSet { mine.release() }
    }
}
