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

    /// What `key == constant`, or `constant == key`, asks of one value; nil for other conditions.
    ///
    /// - Parameter keyHere: The key under which the context knows an object; nil where it may
    ///   change, so that relationships are not looked for.
    init?(
        _ comparison: Comparison, _ runtime: EntityRuntime, _ keyHere: ((ObjectKey) -> ObjectKey)?
    ) {
        guard comparison.operator == .equalTo else { return nil }
        if let constant = comparison.right.constantOperand {
            self.init(comparison, comparison.left, constant, runtime, keyHere)
        } else if let constant = comparison.left.constantOperand {
            self.init(comparison, comparison.right, constant, runtime, keyHere)
        } else {
            return nil
        }
    }

    /// - Parameter subject: The side of the comparison that is no constant.
    init?(
        _ comparison: Comparison, _ subject: ExpressionTree, _ operand: Operand,
        _ runtime: EntityRuntime, _ keyHere: ((ObjectKey) -> ObjectKey)?
    ) {
        guard comparison.modifier == .direct, comparison.options.isEmpty,
            case .keyPath(let keys) = subject, keys.count == 1,
            case .field(let position)? = runtime.references[keys[0]],
            runtime.fields[position].isStored, case .value(let constant) = operand
        else { return nil }
        let field = runtime.fields[position]
        if field.isRelationship {
            guard case .objectID(let key) = constant, let keyHere else { return nil }
            self.init(runtime, keys[0], at: position, .objectID(keyHere(key)))
            return
        }
        guard constant.hasQuickForm(in: field.type), let value = constant.quickForm else {
            return nil
        }
        self.init(runtime, keys[0], at: position, value)
    }

    var isOfUniqueAttribute: Bool { entity.hasUniqueAttribute(attribute) }

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

    /// Whether an object matches for certain; one of which this is not said may match, too.
    func isSurelyEqual(_ object: NSManagedObject) -> Bool {
        guard let position = position(in: object), object.isCodedPlainly else { return false }
        switch (object.knownValue(position).quickForm, value) {
        // Texts of the same characters may differ in their bytes, and then are not equal.
        case (.string(let text)?, .string(let wanted)):
            return text.utf8.elementsEqual(wanted.utf8)
        case (.integer64(let number)?, .integer64(let wanted)): return number == wanted
        case (.uuid(let id)?, .uuid(let wanted)): return id == wanted
        default: return false
        }
    }

    /// An entity that inherits may have the attribute at another position.
    private func position(in object: NSManagedObject) -> Int? {
        if object.runtimeOrdinal == entity.ordinal { return position }
        return object.runtime.position(of: attribute, inKindOf: entity)
    }
}

extension EntityRuntime {
    /// Whether a uniqueness constraint is of this attribute alone.
    func hasUniqueAttribute(_ name: String) -> Bool {
        entity.indexes.contains { $0.isUnique && $0.properties == [name] }
    }

    /// The position of an attribute that another entity has; nil if this one is not of its kind.
    func position(of attribute: String, inKindOf entity: EntityRuntime) -> Int? {
        guard isKind(of: entity), case .field(let field)? = references[attribute] else {
            return nil
        }
        return field
    }
}

extension Value {
    /// What a value is looked for by: the form that is the same for all values that equal it.
    ///
    /// Nil for types whose values are equal in ways of their own, and for what equals nothing.
    var quickForm: Value? {
        switch self {
        case .string, .integer64, .uuid, .decimal, .uri, .objectID: self
        case .integer16(let number): .integer64(Int64(number))
        case .integer32(let number): .integer64(Int64(number))
        case .double(let number): number.isNaN ? nil : .double(number == 0 ? 0 : number)
        case .date(let time): time.isNaN ? nil : .date(time == 0 ? 0 : time)
        default: nil
        }
    }

    /// Whether what equals a constant in an attribute of a type is what has its quick form.
    func hasQuickForm(in type: AttributeType) -> Bool {
        switch self {
        case .decimal: type == .decimal
        case .double: type == .double
        case .date: type == .date
        case .uri: type == .uri
        default: hasOneForm(in: type)
        }
    }
}
