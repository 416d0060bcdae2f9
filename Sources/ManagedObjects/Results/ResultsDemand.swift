// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// A value by which controllers are found; equal values of different integer types are the same.
///
/// Where two values are equal to a predicate, they are equal here too; the converse need not hold,
/// as the predicate is asked anyway.
enum ResultsValue: Hashable {
    case null
    case integer(Int64)
    case text(String)
    case uuid(UUIDValue)
    case object(ObjectKey)

    /// Nil for a value of another type, and for a temporary key, which changes with a save.
    init?(_ value: Value) {
        switch value {
        case .null: self = .null
        case .integer16(let number): self = .integer(Int64(number))
        case .integer32(let number): self = .integer(Int64(number))
        case .integer64(let number): self = .integer(number)
        case .boolean(let flag): self = .integer(flag ? 1 : 0)
        case .string(let text): self = .text(text)
        case .uuid(let uuid): self = .uuid(uuid)
        case .objectID(let key) where !key.isTemporary: self = .object(key)
        default: return nil
        }
    }
}

/// The value that a property must have for an object to be a result.
struct ResultsDemand {
    private let key: String
    private let value: ResultsValue

    /// Finds `key == constant` as the whole predicate or as a member of an `AND`.
    init?(_ predicate: PredicateTree) {
        switch predicate {
        case .and(let members):
            guard let found = members.lazy.compactMap({ ResultsDemand($0) }).first else {
                return nil
            }
            self = found
        case .comparison(let comparison):
            guard comparison.operator == .equalTo, comparison.modifier == .direct,
                comparison.options.isEmpty, case .keyPath(let keys) = comparison.left,
                keys.count == 1, case .value(let constant)? = comparison.right.constantOperand,
                let value = ResultsValue(constant)
            else { return nil }
            key = keys[0]
            self.value = value
        default: return nil
        }
    }

    /// The field of an entity, where all of its values can be looked up, and the value.
    func place(in runtime: EntityRuntime) -> (position: Int, value: ResultsValue)? {
        guard case .field(let position)? = runtime.references[key] else { return nil }
        let type = runtime.fieldTypes[position]
        switch value {
        case .null: break
        case .integer:
            guard [.integer16, .integer32, .integer64, .boolean].contains(type) else { return nil }
        case .text: guard type == .string else { return nil }
        case .uuid: guard type == .uuid else { return nil }
        case .object: guard type == .objectID else { return nil }
        }
        return (position, value)
    }
}
