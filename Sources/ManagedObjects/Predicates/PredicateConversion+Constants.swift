// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

/// Values of programs as constants of predicates.
extension PredicateConversion {
    /// The value of a text, number, date or UUID of Swift's own types; nil for all else.
    ///
    /// The usual arguments, told by their type alone: casts of `Any` would look for a bridge to
    /// each class that they ask for.
    @inline(__always)
    static func plain(_ value: Any?) -> Value? {
        guard let value else { return nil }
        return opened(value)
    }

    /// The same of what is not nil: without the copies that an optional of it takes.
    @inline(__always)
    static func plainValue(_ value: Any) -> Value? { opened(value) }

    // Generic, so that what `Any` holds is cast from its own type: from `Any`, each cast takes
    // four times as long.
    private static func opened<Content>(_ value: Content) -> Value? {
        let type = Content.self
        if type == String.self { return (value as? String).map { .string($0) } }
        if type == Int.self { return (value as? Int).map { .integer64(Int64($0)) } }
        if type == Double.self { return (value as? Double).map { .double($0.anyNaNAsOne) } }
        if type == Int32.self { return (value as? Int32).map { .integer64(Int64($0)) } }
        if type == Int64.self { return (value as? Int64).map { .integer64($0) } }
        if type == Bool.self { return (value as? Bool).map { .boolean($0) } }
        if type == UUID.self { return (value as? UUID).map { .uuid(UUIDValue($0)) } }
        if type == Date.self {
            return (value as? Date).map { .date($0.timeIntervalSinceReferenceDate.anyNaNAsOne) }
        }
        return nil
    }

    /// Whether a value is none that predicates compare, not even in memory: a predicate, a type, or
    /// a part of `FETCH`.
    static func isNeverCompared(_ value: Any?) -> Bool {
        switch ValueConversion.unwrapped(value) {
        case is NSPredicate, is any Any.Type, is NSManagedObjectContext, is any ExpressionFetch:
            true
        default: false
        }
    }

    /// What a value is that predicates do not compare, for errors.
    static func unusable(_ value: Any?) -> String {
        switch ValueConversion.unwrapped(value) {
        case is NSCompoundPredicate, is NSPredicate:
            "a predicate, which NSCompoundPredicate joins with others"
        case is NSDictionary, is [AnyHashable: Any]: "a dictionary"
        case let type as Any.Type: "the type \(type)"
        case let value?: "a value of type \(type(of: value))"
        case nil: "nil"
        }
    }

    /// The constant of a value, object, ID or collection; `nil` for anything else.
    ///
    /// - Parameter store: The identifier of the store that is asked, where objects of others
    ///   must not be taken for its own.
    static func operand(_ value: Any?, in store: String? = nil) -> Operand? {
        guard let value else { return .value(.null) }
        // The usual ones first: a list may have many.
        if let plain = plainValue(value) { return .value(plain) }
        if let named = NamedObject(plain: value) { return operand(named, in: store) }
        guard let value = ValueConversion.unwrapped(value) else { return .value(.null) }
        if let members = swiftMembers(of: value) { return list(members, in: store) }
        if let named = NamedObject(value) { return operand(named, in: store) }
        if let fetch = value as? NSFetchRequestExpression {
            return operand(fetch.expressionValue(with: nil, context: nil), in: store)
        }
        if let token = value as? NSPersistentHistoryToken {
            return .value(.integer64(Int64(clamping: token.number(in: store))))
        }
        if let scalar = scalar(value) { return .value(scalar) }
        guard !isDictionary(value), let members = KeyPathValue.members(of: value)?.elements else {
            return nil
        }
        return list(members, in: store)
    }

    private static func operand(_ named: NamedObject, in store: String?) -> Operand {
        if let store, let own = named.store, own.identity != store {
            return .value(.objectID(nobody))
        }
        return .value(.objectID(named.key))
    }

    /// Whether a value is a collection of Swift, in an optional or not.
    ///
    /// Asked before any cast to a class: such a cast makes Foundation's collection of all members,
    /// each time anew, and Foundation's hash of some decimal numbers never ends.
    static func isSwiftCollection(_ value: Any) -> Bool {
        !(type(of: value) is AnyClass) && value is any Collection
    }

    /// An instance of a class, in an optional or not; nil for all else, collections of Swift too.
    static func instance<Class: NSObject>(_ value: Any?, of type: Class.Type) -> Class? {
        guard let value, !isSwiftCollection(value) else { return nil }
        return value as? Class
    }

    /// The members of a collection of Swift; nil for texts, data, ranges, dictionaries and what is
    /// no collection.
    static func swiftMembers(of value: Any) -> [Any]? {
        guard isSwiftCollection(value), let collection = value as? any Collection,
            !(value is any StringProtocol), !(value is Data), !(value is Range<Int>),
            !(value is ClosedRange<Int>), !(value is any AnyDictionary)
        else { return nil }
        // Of these the closure below would make an `Any` in an `Any`, which is slower to look at.
        if type(of: value) == [Any].self, let list = value as? [Any] { return list }
        return collection.map { $0 as Any }
    }

    private static func list(_ members: [Any], in store: String?) -> Operand? {
        var operands: [Operand] = []
        operands.reserveCapacity(members.count)
        for member in members {
            guard let operand = operand(member, in: store) else { return nil }
            operands.append(operand)
        }
        return .list(operands)
    }

    static func isDictionary(_ value: Any) -> Bool {
        isSwiftCollection(value) ? value is any AnyDictionary : value is NSDictionary
    }

    /// The value that an object or a plain value is compared by; `nil` for what has none.
    static func scalar(_ value: Any) -> Value? {
        switch value {
        case let text as String: .string(text)
        // Before the plain types: a boxed number casts to all of them.
        case let number as NSDecimalNumber: ofDecimal(number.decimalValue)
        case let number as NSNumber: ofNumber(number)
        case let flag as Bool: .boolean(flag)
        case let number as Int: .integer64(Int64(number))
        case let number as Double: .double(number.anyNaNAsOne)
        case let number as Float: .float(number.anyNaNAsOne)
        case let number as Decimal: ofDecimal(number)
        case let number as any BinaryInteger: ofInteger(number)
        case let number as any BinaryFloatingPoint: .double(Double(number).anyNaNAsOne)
        case let date as Date: .date(date.timeIntervalSinceReferenceDate.anyNaNAsOne)
        case let uuid as UUID: .uuid(UUIDValue(uuid))
        case let url as URL: .uri(url.absoluteString)
        case let data as Data: .binaryData(Array(data))
        case let text as NSString: .string(String(describing: text))
        case let text as any StringProtocol: .string(String(text))
        case let character as Character: .string(String(character))
        case let id as NSManagedObjectID: .objectID(id.currentKey)
        case let object as NSManagedObject: .objectID(object.storedKey)
        case let entity as NSEntityDescription: .string(entity.name ?? "")
        case let wrapped as any RawRepresentable: scalar(wrapped.rawValue)
        default: nil
        }
    }

    /// Only what is no number is none as a decimal: as a double it compares in the same way.
    private static func ofDecimal(_ number: Decimal) -> Value {
        DecimalValue(number).map { .decimal($0) } ?? .double(.nan)
    }

    private static func ofInteger(_ number: some BinaryInteger) -> Value? {
        if let small = Int64(exactly: number) { return .integer64(small) }
        return DecimalValue(String(describing: number)).map { .decimal($0) }
    }

    /// The class of the numbers that are booleans: their type is "c", as that of many an `Int8`.
    private static let booleanClass = ObjectIdentifier(type(of: NSNumber(value: true)))

    private static func ofNumber(_ number: NSNumber) -> Value? {
        if ObjectIdentifier(type(of: number)) == booleanClass {
            return .boolean(number.boolValue)
        }
        return switch String(cString: number.objCType) {
        case "d", "f": .double(number.doubleValue.anyNaNAsOne)
        case "Q": ofInteger(number.uint64Value)
        default:
            number.doubleValue == number.doubleValue.rounded()
                ? .integer64(number.int64Value) : .double(number.doubleValue)
        }
    }
}

extension FloatingPoint {
    /// The number, and one NaN in place of all that there are.
    ///
    /// What is computed has other bits than `nan`, which no text tells; all compare alike.
    fileprivate var anyNaNAsOne: Self { isNaN ? .nan : self }
}

/// A dictionary of Swift, whatever it is of.
protocol AnyDictionary {}

extension Dictionary: AnyDictionary {}
