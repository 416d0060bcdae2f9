// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

/// A value of the program that a tree does not hold: a variable of the tree stands for it.
enum BoundValue {
    case constant(BoundConstant)
    /// Runs whenever the tree is used.
    case fetch(NSFetchRequestExpression)
    case block(ExpressionBlock)
    /// An expression, or a predicate in one, that is too deep for a tree: it can be looked at, but
    /// not used.
    case deep(NSObject)

    /// An `NSNull`, which is equal to nil, but has a text of its own.
    static var null: BoundValue { .constant(BoundConstant(NSNull(), as: .value(.null))) }

    /// Why no predicate can compare it; nil if it can be.
    var complaint: String? {
        guard case .constant(let constant) = self, constant.known == nil,
            PredicateConversion.isNeverCompared(constant.stated)
        else { return nil }
        return PredicateConversion.unusable(constant.stated)
    }

    /// A value that only objects in memory are compared with: a dictionary, or one of a type of the
    /// program's own.
    var ownValue: Any? {
        guard case .constant(let constant) = self, constant.known == nil, complaint == nil else {
            return nil
        }
        return constant.stated
    }

    var isFetch: Bool { if case .fetch = self { true } else { false } }

    /// The values of a dictionary as a list; nil for all else, and for values of which one has no
    /// operand.
    func membersOfDictionary(in store: String?) -> Operand? {
        ownValue.flatMap { DictionarySubject($0) }
            .flatMap { PredicateConversion.operand($0.values, in: store) }
    }

    /// The stores of the objects that it names.
    var stores: Set<String> {
        if case .constant(let constant) = self { constant.stores } else { [] }
    }

    /// Whether it was an object without a permanent key when it was bound.
    var isUnsaved: Bool {
        if case .constant(let constant) = self { constant.isUnsaved } else { false }
    }

    /// Whether both are the same value; constants are equal if what they hold is.
    func isSame(as other: BoundValue) -> Bool {
        switch (self, other) {
        case (.constant(let one), .constant(let two)): one.isSame(as: two)
        case (.fetch(let one), .fetch(let two)): one == two
        case (.block(let one), .block(let two)): one === two
        case (.deep(let one), .deep(let two)): one === two
        default: false
        }
    }
}

/// A constant that the program may ask for as it was given, or whose keys may change.
struct BoundConstant {
    let stated: Any?
    /// The operand that it was when it was bound; nil for what predicates do not compare.
    let known: Operand?
    /// The stores of the objects that it names.
    let stores: Set<String>
    /// Whether it was unsaved when it was bound.
    let isUnsaved: Bool

    init(_ value: Any?, as operand: Operand?) {
        stated = value
        known = operand
        // Among the values of a dictionary `IN` looks for members.
        let members = operand == nil ? value.flatMap { DictionarySubject($0) }?.values : nil
        let named = members.map { PredicateConversion.operand($0) } ?? operand
        isUnsaved = named?.namesUnsaved == true
        stores = NamedStores(of: members ?? value).identities
    }

    /// The operand with the keys that objects have now.
    ///
    /// - Parameter store: The identifier of the store that is asked; objects of others are none
    ///   of its own, whatever their rows.
    func operand(in store: String?) -> Operand? {
        let hasForeign = store.map { own in stores.contains { $0 != own } } ?? false
        return isUnsaved || hasForeign ? PredicateConversion.operand(stated, in: store) : known
    }

    func isSame(as other: BoundConstant) -> Bool {
        switch (operand(in: nil), other.operand(in: nil)) {
        case (let one?, let two?): one == two && stores == other.stores
        case (nil, nil): StructuralEquality.equal(stated, other.stated)
        default: false
        }
    }
}

/// The block of a block expression, which is equal to itself only.
final class ExpressionBlock {
    let body: (Any?, [Any], NSMutableDictionary?) -> Any

    init(_ body: @escaping (Any?, [Any], NSMutableDictionary?) -> Any) { self.body = body }
}

/// The names of the variables, and of the functions, that stand for bound values in a tree.
///
/// No format can name them.
enum StandIn {
    static func name(_ index: Int) -> String { "%\(index)" }

    static func index(_ name: String) -> Int? {
        name.utf8.first == UInt8(ascii: "%") ? Int(name.dropFirst()) : nil
    }

    /// The index that an expression names.
    static func index(_ expression: ExpressionTree) -> Int? {
        switch expression {
        case .variable(let name), .function(let name, _): index(name)
        default: nil
        }
    }
}
