// SPDX-License-Identifier: Apache-2.0

import Traps

/// What an object knows of its to-many relationships, by their position; empty until one is read or
/// changed.
///
/// The first lies here and not in an array: most entities have one, and an import that puts each
/// row at another owner would wait for the array's memory, too.
struct ToManyStates: RandomAccessCollection, MutableCollection {
    private(set) var count = 0
    private var leading: ToManyState?
    private var others: ContiguousArray<ToManyState?> = []

    /// No relationship is known yet.
    init() {}

    /// Room for all relationships of an entity.
    init(count: Int) {
        self.count = count
        if count > 1 { others = ContiguousArray(repeating: nil, count: count - 1) }
    }

    var startIndex: Int { 0 }
    var endIndex: Int { count }
    @inline(__always)
    var isEmpty: Bool { count == 0 }

    subscript(index: Int) -> ToManyState? {
        @inline(__always) get {
            require(index >= 0 && index < count, "to-many relationship \(index) of \(count)")
            return index == 0 ? leading : others[index - 1]
        }
        set {
            require(index >= 0 && index < count, "to-many relationship \(index) of \(count)")
            if index == 0 { leading = newValue } else { others[index - 1] = newValue }
        }
    }

    /// A state without a count of its references; nil while it is not known.
    // SAFETY: valid for as long as the object keeps its state.
    @inline(__always)
    func reference(at index: Int) -> Unmanaged<ToManyState>? {
        if index == 0 { return leadingReference }
        return index < count ? others[index - 1].map { Unmanaged.passUnretained($0) } : nil
    }

    /// The first state without a count of its references, which lie where it does.
    // SAFETY: valid for as long as the object keeps its state; used to have the memory loaded.
    @inline(__always)
    var leadingReference: Unmanaged<ToManyState>? { leading.map { Unmanaged.passUnretained($0) } }
}

extension ToManyStates: ExpressibleByArrayLiteral {
    init(arrayLiteral states: ToManyState?...) {
        self.init(count: states.count)
        for (index, state) in states.enumerated() { self[index] = state }
    }
}
