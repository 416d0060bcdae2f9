// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// The part of a predicate that one value of an object decides without an evaluation.
///
/// Programs that find or create look for one value among all the objects that they have made and
/// not saved yet: nearly all of those are left out here.
struct QuickEquality {
    let entity: EntityRuntime
    let attribute: String
    /// The value in its quick form.
    let value: Value
    private let position: Int

    /// Looks for `key == constant` among the conditions that must all hold; nil if there is none.
    init?(_ predicate: PredicateTree?, _ runtime: EntityRuntime) {
        guard let predicate else { return nil }
        let members = if case .and(let members) = predicate { members } else { [predicate] }
        for member in members {
            guard case .comparison(let comparison) = member, comparison.operator == .equalTo,
                comparison.modifier == .direct, comparison.options.isEmpty,
                case .keyPath(let keys) = comparison.left, keys.count == 1,
                case .field(let position)? = runtime.references[keys[0]],
                runtime.fields[position].isStored,
                case .value(let constant)? = comparison.right.constantOperand,
                constant.hasOneForm(in: runtime.fields[position].type),
                let value = constant.quickForm
            else { continue }
            entity = runtime
            attribute = keys[0]
            self.value = value
            self.position = position
            return
        }
        return nil
    }

    /// - Parameters:
    ///   - position: The attribute's place among the stored fields.
    ///   - value: In its quick form.
    init(_ runtime: EntityRuntime, _ attribute: String, at position: Int, _ value: Value) {
        entity = runtime
        self.attribute = attribute
        self.position = position
        self.value = value
    }

    /// Whether an object cannot match.
    ///
    /// Not for a class that answers for its keys itself.
    func rejects(_ object: NSManagedObject) -> Bool {
        guard let position = position(in: object) else { return true }
        guard object.isCodedPlainly else { return false }
        // Texts that differ as Swift compares them differ in their bytes, too.
        return object.knownValue(position).quickForm != value
    }

    /// An entity that inherits may have the attribute at another position.
    private func position(in object: NSManagedObject) -> Int? {
        if object.runtimeOrdinal == entity.ordinal { return position }
        return object.runtime.position(of: attribute, inKindOf: entity)
    }
}

extension EntityRuntime {
    /// The position of an attribute that another entity has; nil if this one is not of its kind.
    func position(of attribute: String, inKindOf entity: EntityRuntime) -> Int? {
        guard isKind(of: entity), case .field(let field)? = references[attribute] else {
            return nil
        }
        return field
    }
}

extension Value {
    /// What a text, an integer or a UUID is looked for by; nil for other types, whose values can
    /// be equal in several forms.
    var quickForm: Value? {
        switch self {
        case .string, .integer64, .uuid: self
        case .integer16(let number): .integer64(Int64(number))
        case .integer32(let number): .integer64(Int64(number))
        default: nil
        }
    }
}
