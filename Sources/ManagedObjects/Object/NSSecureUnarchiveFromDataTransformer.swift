// SPDX-License-Identifier: Apache-2.0

import Foundation

extension NSValueTransformerName {
    /// The transformer that is there without registration, for lists, dictionaries and sets of
    /// texts, numbers, dates, data, UUIDs and URLs, and for these themselves.
    public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName(
        "NSSecureUnarchiveFromData")
}

/// Stores lists, dictionaries, sets and plain values, and objects of the classes that a subclass
/// allows.
///
/// ```swift
/// words.type = .transformable
/// words.valueTransformerName = "NSSecureUnarchiveFromData"
/// ```
///
/// It is registered under that name already. A dictionary has texts as keys. For classes of one's
/// own that adopt `NSSecureCoding` and are not private, register a subclass with
/// ``allowedTopLevelClasses``. Data with an object of another class reads as no value, but where
/// that object is within one that is allowed: there Foundation on Linux ends the program. The data
/// is a property list of this library's own form, not that of Apple's transformer.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The classes of values that are stored and read; a subclass adds its own.
    open class var allowedTopLevelClasses: [AnyClass] {
        [
            NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self,
            NSData.self, NSURL.self, NSUUID.self, NSNull.self,
        ]
    }

    /// `NSData`.
    open override class func transformedValueClass() -> AnyClass { NSData.self }

    /// The value as data; nil for a value that is not allowed.
    open override func transformedValue(_ value: Any?) -> Any? {
        guard let value else { return nil }
        if let plain = PlainList(value) {
            return Data(PlainListWriter.bytes(of: .table([("value", plain)])))
        }
        guard let list = SecureArchive(Self.allowedTopLevelClasses).encoded(value) else {
            return nil
        }
        return try? PropertyListSerialization.data(
            fromPropertyList: ["value": list], format: .binary, options: 0)
    }

    /// The value of data; nil for data of another form, and for classes that are not allowed.
    open override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data else { return nil }
        guard let list = PlainListReader.list(of: Array(data)) ?? Self.listOfFoundation(data),
            let content = list["value"]
        else { return nil }
        return SecureArchive(Self.allowedTopLevelClasses).decoded(content)
    }

    /// The list of data in a form that only Foundation reads.
    private static func listOfFoundation(_ data: Data) -> PlainList? {
        let tree = try? PropertyListSerialization.propertyList(
            from: data, options: [], format: nil)
        return tree.map(PlainList.init(foundation:))
    }
}

/// Values as property lists.
private struct SecureArchive {
    private let allowed: [AnyClass]

    init(_ allowed: [AnyClass]) { self.allowed = allowed }

    private func tagged(_ kind: PlainList.Kind, _ content: Any) -> [String: Any] {
        [PlainList.kind: kind.rawValue, PlainList.content: content]
    }

    /// The form of a value; nil where it, or a value in it, is not allowed.
    func encoded(_ value: Any) -> Any? {
        switch value {
        case let text as String: return text
        case let text as NSString: return String(describing: text)
        case let number as NSDecimalNumber: return tagged(.decimal, "\(number.decimalValue)")
        case let number as Decimal: return tagged(.decimal, "\(number)")
        case is NSNumber, is Bool, is any FixedWidthInteger, is Double, is Float: return value
        case let date as Date: return tagged(.date, date.timeIntervalSinceReferenceDate)
        case let data as Data: return data
        case let uuid as UUID: return tagged(.uuid, uuid.uuidString)
        case let url as URL: return tagged(.url, url.absoluteString)
        case is NSNull: return tagged(.null, "")
        default: return encodedCollection(value)
        }
    }

    private func encodedCollection(_ value: Any) -> Any? {
        if let table = (value as? [String: Any]) ?? (value as? NSDictionary) as? [String: Any] {
            var result: [String: Any] = [:]
            for (key, member) in table {
                guard let form = encoded(member) else { return nil }
                result[key] = form
            }
            return result[PlainList.kind] == nil ? result : tagged(.dictionary, result)
        }
        if let (elements, kind) = KeyPathValue.members(of: value), kind != .orderedSet {
            var members: [Any] = []
            for element in elements {
                guard let form = encoded(element) else { return nil }
                members.append(form)
            }
            return kind == .set ? tagged(.set, members) : members
        }
        return archived(value)
    }

    /// An object of a class of the program's own.
    private func archived(_ value: Any) -> Any? {
        guard let object = value as? any NSObject & NSSecureCoding,
            allowed.contains(where: { type(of: object) == $0 }),
            let data = try? NSKeyedArchiver.archivedData(
                withRootObject: object, requiringSecureCoding: true)
        else { return nil }
        var result = tagged(.object, data)
        result["name"] = NSStringFromClass(type(of: object))
        return result
    }

    /// The value of a form, the same as of what Foundation makes of its bytes.
    func decoded(_ form: PlainList) -> Any? {
        switch form {
        case .text(let text): return text
        case .integer, .real, .single: return form.number
        case .flag(let flag): return flag
        case .data(let data): return data
        case .other(let value): return value
        case .list(let list): return decoded(members: list)
        case .table(let entries):
            guard let name = form[PlainList.kind]?.text, let content = form[PlainList.content]
            else { return decodedTable(entries) }
            return PlainList.Kind(rawValue: name).flatMap {
                decoded($0, content, form["name"]?.text)
            }
        }
    }

    private func decoded(members list: [PlainList]) -> [Any]? {
        var members: [Any] = []
        members.reserveCapacity(list.count)
        for form in list {
            guard let value = decoded(form) else { return nil }
            members.append(value)
        }
        return members
    }

    private func decoded(_ kind: PlainList.Kind, _ content: PlainList, _ name: String?) -> Any? {
        switch (kind, content) {
        case (.decimal, .text(let text)): return NSDecimalNumber(string: text)
        case (.date, _):
            return content.number.map { Date(timeIntervalSinceReferenceDate: $0.doubleValue) }
        case (.uuid, .text(let text)): return UUID(uuidString: text)
        case (.url, .text(let text)): return URL(string: text)
        case (.null, _): return NSNull()
        case (.set, .list(let list)):
            return decoded(members: list).map { KeyPathValue.set(of: $0) }
        case (.dictionary, .table(let entries)): return decodedTable(entries)
        case (.object, .data(let data)): return unarchived(data, name)
        default: return nil
        }
    }

    private func decodedTable(_ entries: [(key: String, value: PlainList)]) -> [String: Any]? {
        var result = [String: Any](minimumCapacity: entries.count)
        for (key, form) in entries {
            guard let value = decoded(form) else { return nil }
            result[key] = value
        }
        return result
    }

    private func unarchived(_ content: Any, _ name: String?) -> Any? {
        // Foundation ends the program for a class that is not allowed.
        guard let data = content as? Data,
            allowed.contains(where: { NSStringFromClass($0) == name })
        else { return nil }
        let classes = allowed.compactMap { $0 as? any (NSObject & NSCoding).Type }
        return try? NSKeyedUnarchiver.unarchivedObject(
            ofClasses: classes.map { $0 as AnyClass }, from: data)
    }
}
