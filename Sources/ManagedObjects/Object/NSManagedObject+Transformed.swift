// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// Values of transformable attributes, whose stored forms may differ where they are equal.
extension NSManagedObject {
    /// Sets a field, a transformable one as ``setSettled(_:_:)`` does.
    @inline(__always)
    final func setValue(_ value: consuming Value, settledAt position: Int) {
        guard case .transformable = value else { return setField(position, value) }
        setSettled(value, position)
    }

    /// Sets a transformable field to bytes, or to those that it has for an equal collection.
    ///
    /// - Returns: What it was set to.
    @discardableResult
    final func setSettled(_ stored: Value, _ position: Int) -> Value {
        willModify()
        let (result, isBase) = settled(stored, position)
        setField(position, result)
        // Set to what is stored: not even large bytes are to be written or compared by a save.
        if isBase, runtime.fields[position].isStored, !flags.contains(.inserted), context != nil {
            draft?[position] = nil
        }
        return result
    }

    /// The stored form of a value that a field is to get, and whether that is its unchanged one: if
    /// it has an equal collection already, the form of that, so that it counts as no change.
    ///
    /// The bytes of equal collections differ where a transformer writes them in the order of a hash
    /// table. They are as long then, which those of a real change mostly are not. What is compared
    /// was made of the bytes anew: a collection that the program has changed in place is another
    /// one than the stored one.
    final func settled(_ stored: Value, _ position: Int) -> (value: Value, isBase: Bool) {
        guard case .transformable(let bytes) = stored, !flags.contains(.fault),
            let name = runtime.fields[position].attribute?.transformerName
        else { return (stored, false) }
        let forms = [(baseValue(position), true), (draftValue(position) ?? .null, false)]
        var value: Any?
        for case (.transformable(let former), let isBase) in forms
        where former.count == bytes.count {
            if former == bytes { return (stored, isBase) }
            value = value ?? ValueTransformer.decode(bytes, name)
            guard let value, TransformedEquality.isCollection(value) else { break }
            if TransformedEquality.areEqual(value, ValueTransformer.decode(former, name)) {
                return (.transformable(former), isBase)
            }
        }
        return (stored, false)
    }
}
