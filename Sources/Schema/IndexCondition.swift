// SPDX-License-Identifier: Apache-2.0

/// Which objects have entries in a partial index, told by their own stored attributes.
///
/// The answer is always yes or no: a null satisfies no comparison, NaN none of numbers, and `not`
/// turns the answer around. Constants have the forms that index keys have: all integers are
/// `integer64`, `float` is `double`, a URI is a `string`.
public indirect enum IndexCondition: Sendable, Hashable {
    /// How a value is compared with a constant, as index keys order both.
    public enum Relation: UInt8, Sendable, Hashable, CaseIterable {
        /// The same key.
        case equal = 1
        /// A lesser one.
        case less = 2
        /// The same or a lesser one.
        case lessOrEqual = 3
        /// A greater one.
        case greater = 4
        /// The same or a greater one.
        case greaterOrEqual = 5
        /// A text that begins with the constant.
        case begins = 6
    }

    /// All hold; an empty list is always true.
    case all([IndexCondition])
    /// One of them holds; an empty list is never true.
    case any([IndexCondition])
    /// The condition does not hold.
    case not(IndexCondition)
    /// The attribute has no value.
    case isNull(String)
    /// The attribute has a value in a relation to a constant.
    case compares(String, Relation, Value)
}

extension IndexCondition {
    /// The deepest nesting of a condition that is accepted.
    public static let deepestNesting = 64

    /// The attributes that the condition reads, each once.
    public var attributes: Set<String> {
        switch self {
        case .all(let members), .any(let members):
            members.reduce(into: []) { $0.formUnion($1.attributes) }
        case .not(let operand): operand.attributes
        case .isNull(let name), .compares(let name, _, _): [name]
        }
    }

    /// How many conditions lie inside each other.
    public var nesting: Int {
        switch self {
        case .all(let members), .any(let members): 1 + (members.map(\.nesting).max() ?? 0)
        case .not(let operand): 1 + operand.nesting
        case .isNull, .compares: 1
        }
    }

    /// Conditions that must all hold, or one of them, in the shortest form.
    public static func joined(_ members: [IndexCondition], isAll: Bool) -> IndexCondition {
        var flat: [IndexCondition] = []
        for member in members {
            switch member {
            case .all(let inner) where isAll: flat += inner
            case .any(let inner) where !isAll: flat += inner
            case .any(let inner) where inner.isEmpty: return .any([])
            case .all(let inner) where inner.isEmpty: return .all([])
            default: flat.append(member)
            }
        }
        if flat.count == 1 { return flat[0] }
        return isAll ? .all(flat) : .any(flat)
    }

    /// The opposite in the shortest form.
    public var negated: IndexCondition {
        switch self {
        case .not(let operand): operand
        case .all(let members) where members.isEmpty: .any([])
        case .any(let members) where members.isEmpty: .all([])
        default: .not(self)
        }
    }

    /// What an entity's index cannot have for a condition; nil when all is well.
    func objection(in entity: Entity) -> String? {
        switch self {
        case .all(let members), .any(let members):
            return members.lazy.compactMap { $0.objection(in: entity) }.first
        case .not(let operand): return operand.objection(in: entity)
        case .isNull(let name):
            return entity.stores(name) == nil ? "\(name) is no stored attribute" : nil
        case .compares(let name, let relation, let value):
            guard let type = entity.stores(name) else { return "\(name) is no stored attribute" }
            guard let form = type.keyForm, form == value.type,
                relation != .begins || form == .string
            else { return "\(name) of the type \(type) cannot be compared with \(value)" }
            switch value {
            case .double(let number), .date(let number):
                return number.isNaN ? "\(name) cannot be compared with NaN" : nil
            default: return nil
            }
        }
    }
}

extension Entity {
    fileprivate func stores(_ name: String) -> AttributeType? {
        attribute(name).flatMap { $0.isTransient ? nil : $0.type }
    }
}

extension AttributeType {
    /// The type of the constants that conditions of indexes compare with; nil for none.
    fileprivate var keyForm: AttributeType? {
        switch self {
        case .integer16, .integer32, .integer64: .integer64
        case .double, .float: .double
        case .string, .uri: .string
        case .boolean, .date, .uuid: self
        case .decimal, .binaryData, .transformable, .objectID: nil
        }
    }
}
