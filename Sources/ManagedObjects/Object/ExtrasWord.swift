// SPDX-License-Identifier: Apache-2.0

import Schema
import Synchronization

/// Where an object has what only some objects need: nothing, a reserved key, or all of it.
///
/// A new object whose permanent ID was asked for, as the data of each component, needs the key and
/// nothing else. Such a key is kept in the word itself: ``ObjectExtras`` take 128 bytes, more than
/// the object does.
///
/// Any thread may load the word. A key goes over into extras when they are made, and extras stay
/// for as long as the object is used, so what was loaded is good or the same as what replaced it.
struct ExtrasWord: ~Copyable {
    // 0 for nothing; odd for a key, see `packed(_:)`; otherwise the address of the extras, of which
    // the word has one reference.
    private let word = Atomic<UInt64>(0)

    // SAFETY: the word keeps the extras until it is exchanged, which only the object's one user
    // does.
    /// The extras, if there are any.
    @inline(__always)
    var reference: Unmanaged<ObjectExtras>? {
        ExtrasWord.reference(word.load(ordering: .acquiring))
    }

    // SAFETY: as for `reference`; nothing of the extras is read on the strength of this.
    /// The extras for a look at whether there are any, or to have them loaded: on some processors
    /// other loads would wait for the word otherwise.
    @inline(__always)
    var hint: Unmanaged<ObjectExtras>? { ExtrasWord.reference(word.load(ordering: .relaxed)) }

    /// The key that was reserved for the object.
    var reservedKey: ObjectKey? {
        let word = word.load(ordering: .acquiring)
        if let key = ExtrasWord.key(word) { return key }
        // SAFETY: the object has its extras for as long as it is used.
        return ExtrasWord.reference(word)?._withUnsafeGuaranteedRef { $0.reservedKey }
    }

    // SAFETY: as for `reference`.
    /// The extras, which are made if there are none.
    func require() -> Unmanaged<ObjectExtras> {
        var known = word.load(ordering: .acquiring)
        while true {
            if let reference = ExtrasWord.reference(known) { return reference }
            let extras = ObjectExtras(reservedKey: ExtrasWord.key(known))
            // SAFETY: the word takes over the count, or it is given back below.
            let made = Unmanaged.passRetained(extras)
            // Any thread may ask for the ID of an object without a context, which keeps it here.
            let (isFirst, current) = word.compareExchange(
                expected: known, desired: ExtrasWord.address(made),
                ordering: .acquiringAndReleasing)
            if isFirst { return made }
            made.release()
            known = current
        }
    }

    /// Keeps a key that was reserved for the object.
    ///
    /// - Returns: False where there are extras, which are to keep it then.
    func keep(_ key: ObjectKey) -> Bool {
        var known = word.load(ordering: .acquiring)
        while ExtrasWord.reference(known) == nil {
            let (isKept, current) = word.compareExchange(
                expected: known, desired: ExtrasWord.packed(key),
                ordering: .acquiringAndReleasing)
            if isKept { return true }
            known = current
        }
        return false
    }

    /// Forgets a reserved key that is all there is.
    ///
    /// - Returns: False where there are extras, which may have one.
    func forgetKey() -> Bool {
        let known = word.load(ordering: .acquiring)
        if known == 0 { return true }
        guard ExtrasWord.key(known) != nil else { return false }
        return word.compareExchange(
            expected: known, desired: 0, ordering: .acquiringAndReleasing
        ).exchanged
    }

    // SAFETY: the word takes over a count of the new extras, and gives the one that it had of the
    // old ones to the caller.
    /// Replaces everything, the reserved key included; returns the extras there were.
    func exchange(_ new: Unmanaged<ObjectExtras>?) -> Unmanaged<ObjectExtras>? {
        ExtrasWord.reference(
            word.exchange(new.map(ExtrasWord.address) ?? 0, ordering: .acquiringAndReleasing))
    }

    // A permanent key does not have the bit of temporary ones, whose place the mark takes.

    @inline(__always)
    private static func packed(_ key: ObjectKey) -> UInt64 {
        assert(!key.isTemporary, "\(key) is temporary, and cannot be reserved")
        return key.rawValue & ~ObjectKey.rowMask | key.row << 1 | 1
    }

    @inline(__always)
    private static func key(_ word: UInt64) -> ObjectKey? {
        guard word & 1 == 1 else { return nil }
        let row = (word & ObjectKey.rowMask) >> 1
        return ObjectKey(rawValue: word & ~ObjectKey.rowMask | row)
    }

    // SAFETY: an even word is 0 or the address of extras that the word keeps.
    @inline(__always)
    private static func reference(_ word: UInt64) -> Unmanaged<ObjectExtras>? {
        guard word & 1 == 0 else { return nil }
        return UnsafeRawPointer(bitPattern: UInt(word)).map(Unmanaged.fromOpaque)
    }

    // SAFETY: the address alone is used.
    @inline(__always)
    private static func address(_ extras: Unmanaged<ObjectExtras>) -> UInt64 {
        UInt64(UInt(bitPattern: extras.toOpaque()))
    }
}
