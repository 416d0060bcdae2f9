// SPDX-License-Identifier: Apache-2.0

import Schema

/// An object that a predicate can be evaluated with.
public protocol PredicateSubject {
    /// The value of a key.
    ///
    /// - Throws: An error for an unknown key; evaluation passes it on.
    func predicateOperand(forKey key: String) throws -> SubjectOperand

    /// What the object is compared by; `nil` for one that equals no other.
    var predicateIdentity: ObjectKey? { get }

    /// The value that stands for the object in comparisons; its identity unless it has another.
    var predicateValue: Value? { get }

    /// Whether the object equals another one where neither has a value to compare by.
    func isSame(as other: any PredicateSubject) -> Bool

    /// The members of an object that is a collection as well, such as a dictionary's values.
    var predicateMembers: [SubjectOperand]? { get }

    /// Whether the object stands for its members, so that `sum:(a * b)` is a sum of their products.
    var isGroup: Bool { get }

    /// What the members of a group have at a key path, for an aggregate of it or `ANY`, where the
    /// group's own value is one; `nil` for keys of the group alone, and for what is no group.
    func operandOfMembers(at keys: [String]) throws -> SubjectOperand?
}

extension PredicateSubject {
    /// The identity, as a value.
    public var predicateValue: Value? { predicateIdentity.map { .objectID($0) } }

    /// False: an object without a value equals no other.
    public func isSame(as other: any PredicateSubject) -> Bool { false }

    /// None: an object is no collection.
    public var predicateMembers: [SubjectOperand]? { nil }

    /// False: an object stands for itself.
    public var isGroup: Bool { false }

    /// None: an object stands for itself.
    public func operandOfMembers(at keys: [String]) throws -> SubjectOperand? { nil }
}

/// What a key of a subject, or an expression, yields.
public enum SubjectOperand {
    /// A value; `null` for nil, an empty to-one relationship too.
    case value(Value)
    /// An object.
    case subject(any PredicateSubject)
    /// Several operands, of a to-many relationship or a list.
    case collection([SubjectOperand])
}

extension SubjectOperand {
    /// Makes an operand of a constant.
    public init(_ operand: Operand) {
        switch operand {
        case .value(let value): self = .value(value)
        case .list(let members): self = .collection(members.map { SubjectOperand($0) })
        }
    }

    /// The value, or an object's identity as a value; `nil` for a collection and for an object
    /// without identity.
    public var scalar: Value? {
        switch self {
        case .value(let value): value
        case .subject(let subject): subject.predicateValue
        case .collection: nil
        }
    }

    /// Whether this is nil.
    public var isNull: Bool {
        if case .value(.null) = self { true } else { false }
    }

    /// A collection's members; any other operand as one member, nil as none.
    var members: [SubjectOperand] {
        switch self {
        case .collection(let members): members
        case .value(.null): []
        case .subject(let subject): subject.predicateMembers ?? [self]
        case .value: [self]
        }
    }

    /// Whether this is one value or one object; a transformable value may be a collection's.
    var isSingle: Bool {
        switch self {
        case .collection, .value(.null), .value(.transformable): false
        case .subject(let subject): subject.predicateMembers == nil
        case .value: true
        }
    }

    /// What the operand is, for messages.
    public var kind: String {
        switch self {
        case .value(let value): value.type.map { "a value of type \($0)" } ?? "nil"
        case .subject: "an object"
        case .collection: "a collection"
        }
    }
}
