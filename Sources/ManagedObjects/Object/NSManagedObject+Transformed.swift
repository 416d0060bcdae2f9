// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// Values of transformable attributes, which may have several stored forms each.
extension NSManagedObject {
    /// Sets a field, a transformable one to the stored form that it has for an equal value.
    ///
    /// - Returns: What it was set to.
    @discardableResult
    final func setSettled(_ stored: Value, _ position: Int) -> Value {
        guard case .transformable = stored else {
            setField(position, stored)
            return stored
        }
        willModify()
        let result = settled(stored, position)
        setField(position, result)
        // Set to what is stored: not even large bytes are to be written or compared by a save.
        let isStored = runtime.fields[position].isStored && !flags.contains(.inserted)
        if isStored, context != nil, result == storedValue(position) { draft?[position] = nil }
        return result
    }

    /// The stored form of a value that a field is to get: the one that the object has already, if
    /// that is of an equal value, so that the same value counts as no change.
    ///
    /// The bytes of equal values differ where a transformer writes a set in the order of a hash
    /// table, or encrypts. What is compared was made of the bytes anew: an instance that the
    /// program has changed in place is another value than the stored one.
    final func settled(_ stored: Value, _ position: Int) -> Value {
        guard case .transformable(let bytes) = stored, !flags.contains(.fault),
            let name = runtime.fields[position].attribute?.transformerName
        else { return stored }
        let known = [baseValue(position), draft?[position] ?? .null]
        if known.contains(stored) { return stored }
        var value: Any?
        for case .transformable(let former) in known {
            value = value ?? ValueTransformer.decode(bytes, name)
            guard let value else { return stored }
            if TransformedEquality.areEqual(value, ValueTransformer.decode(former, name)) {
                return .transformable(former)
            }
        }
        return stored
    }
}
