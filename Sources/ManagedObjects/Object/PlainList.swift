// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A property list of plain values as a tree, for the values of transformable attributes.
///
/// On Linux Foundation makes an object of each value before it writes it: a list of two texts took
/// 45 µs to write and 10 to read. The bytes are the same, see ``PlainListWriter``.
enum PlainList {
    case text(String)
    case integer(Int64)
    case real(Double)
    case single(Float)
    case flag(Bool)
    case data(Data)
    case list([PlainList])
    case table([(key: String, value: PlainList)])
    /// A number or a date that Foundation has read: such a list is decoded, and not written.
    case other(Any)

    /// What a table may stand for.
    enum Kind: String {
        case decimal = "Decimal"
        case date = "Date"
        case uuid = "UUID"
        case url = "URL"
        case null = "Null"
        case set = "Set"
        case dictionary = "Dictionary"
        case object = "Object"
    }

    /// What says what a table stands for, and the key of what it holds.
    static let kind = "$class"
    static let content = "$value"

    static func tagged(_ kind: Kind, _ content: PlainList) -> PlainList {
        .table([(PlainList.kind, .text(kind.rawValue)), (PlainList.content, content)])
    }

    /// The form of a property list that Foundation has read.
    init(foundation tree: Any) {
        switch tree {
        case let members as [Any]: self = .list(members.map(PlainList.init(foundation:)))
        case let table as [String: Any]:
            self = .table(table.map { ($0.key, PlainList(foundation: $0.value)) })
        case let text as String: self = .text(text)
        case let data as Data: self = .data(data)
        default: self = .other(tree)
        }
    }

    /// The form of a value of a usual type; nil for any other, or where one is within it.
    ///
    /// Types are compared first: a cast of a value to another type than it has takes longer than
    /// all else.
    init?(_ value: Any) {
        let type = type(of: value)
        if type == String.self, let text = value as? String {
            self = .text(text)
        } else if let number = PlainList.number(value, type) {
            self = number
        } else if type == [String].self, let list = value as? [String] {
            self = .list(list.map { .text($0) })
        } else if type == Data.self, let data = value as? Data {
            self = .data(data)
        } else if type == Date.self, let date = value as? Date {
            self = .tagged(.date, .real(date.timeIntervalSinceReferenceDate))
        } else if type == UUID.self, let uuid = value as? UUID {
            self = .tagged(.uuid, .text(uuid.uuidString))
        } else if type == URL.self, let url = value as? URL {
            self = .tagged(.url, .text(url.absoluteString))
        } else if type == NSNull.self {
            self = .tagged(.null, .text(""))
        } else {
            self.init(collection: value)
        }
    }

    private static func number(_ value: Any, _ type: Any.Type) -> PlainList? {
        if type == Int.self { return (value as? Int).map { .integer(Int64($0)) } }
        if type == Double.self { return (value as? Double).map { .real($0) } }
        if type == Bool.self { return (value as? Bool).map { .flag($0) } }
        if type == Int64.self { return (value as? Int64).map { .integer($0) } }
        if type == Int32.self { return (value as? Int32).map { .integer(Int64($0)) } }
        if type == Int16.self { return (value as? Int16).map { .integer(Int64($0)) } }
        if type == Float.self { return (value as? Float).map { .single($0) } }
        return nil
    }

    /// The form of a collection of Swift.
    private init?(collection value: Any) {
        guard PredicateConversion.isSwiftCollection(value) else { return nil }
        if let table = value as? [String: Any] {
            var entries: [(key: String, value: PlainList)] = []
            entries.reserveCapacity(table.count)
            for (key, member) in table {
                guard let form = PlainList(member) else { return nil }
                entries.append((key, form))
            }
            let isTagged = table[PlainList.kind] != nil
            self = isTagged ? .tagged(.dictionary, .table(entries)) : .table(entries)
            return
        }
        guard let (elements, kind) = KeyPathValue.members(of: value), kind != .orderedSet else {
            return nil
        }
        var members: [PlainList] = []
        members.reserveCapacity(elements.count)
        for element in elements {
            guard let form = PlainList(element) else { return nil }
            members.append(form)
        }
        self = kind == .set ? .tagged(.set, .list(members)) : .list(members)
    }

    /// What a table has for a key.
    subscript(key: String) -> PlainList? {
        guard case .table(let entries) = self else { return nil }
        return entries.first { $0.key == key }?.value
    }

    /// The text, of a text.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The value as Foundation reads it from a property list, what tables stand for left aside.
    var number: NSNumber? {
        switch self {
        // Foundation gives the small ones this type.
        case .integer(let number) where -1...12 ~= number: NSNumber(value: Int32(number))
        case .integer(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .single(let number): NSNumber(value: number)
        case .other(let value): value as? NSNumber
        default: nil
        }
    }
}
