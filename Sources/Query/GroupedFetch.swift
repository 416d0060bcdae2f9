// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// A fetch of groups with running sums, read from records without making anything for a row.
///
/// It covers the usual questions: one entity without subentities, groups by its attributes and
/// to-one relationships, and sums, means, extremes and counts of its numbers. Its answers are those
/// of evaluating the expressions on the members of each group.
public struct GroupedFetch {
    private let plan: FetchPlan
    private let groups: [FieldPlace]
    private let columns: [GroupColumn]

    /// Prepares the columns of each group.
    ///
    /// - Parameters:
    ///   - groups: What the groups have in common; empty for one group of all.
    ///   - columns: Members of `groups`, or aggregates.
    /// - Returns: nil for a question of another kind.
    public init?(_ plan: FetchPlan, groups: [Expression], columns: [Expression]) {
        guard plan.entities.ordinals.count == 1, let ordinal = plan.entities.ordinals.first else {
            return nil
        }
        let table = plan.store.tables[ordinal]
        var places: [FieldPlace] = []
        for group in groups {
            guard let place = FieldPlace(group, table), place.isGroupable else { return nil }
            places.append(place)
        }
        var parts: [GroupColumn] = []
        for column in columns {
            guard let part = GroupColumn(column, groups, table) else { return nil }
            parts.append(part)
        }
        self.plan = plan
        self.groups = places
        self.columns = parts
    }

    /// The properties that columns and groups read of each object; `nil` where only the records
    /// tell.
    public static func readProperties(
        groups: [Expression], columns: [Expression]
    ) -> Set<String>? {
        var names: Set<String> = []
        for expression in groups + columns {
            var inner = expression
            if case .function(_, let arguments) = inner, arguments.count == 1 {
                inner = arguments[0]
                if inner == .evaluatedObject { continue }
            }
            switch inner {
            case .keyPath(let keys) where keys.count == 1: names.insert(keys[0])
            default: return nil
            }
        }
        return names
    }

    /// The values of each group, column by column, in the order in which groups are met.
    ///
    /// - Throws: As ``FetchPlan/forEach(in:_:)``.
    /// - Complexity: O(matches); memory for the groups only.
    public func rows(in snapshot: StoreSnapshot) throws -> [[Value]] {
        let layout = plan.store.tables[plan.entities.ordinals[0]].layout
        var sums = GroupSums(groups: groups, columns: columns, layout: layout)
        // Two closures rather than one function passed twice, which is not compiled into the loops.
        if columns.allSatisfy(\.isSameInAnyOrder) {
            try plan.forEachReading(in: snapshot) { _, record in
                sums.add(record)
                return true
            }
        } else {
            try plan.forEach(in: snapshot) { _, record in
                sums.add(record)
                return true
            }
        }
        return sums.rows
    }
}

/// The running state of all groups.
///
/// Arrays are read by index: a loop over one would count a reference to it for each row.
private struct GroupSums {
    private let groups: [FieldPlace]
    private let columns: [GroupColumn]
    private let layout: RecordLayout
    private var table = GroupTable()
    private var cells: ContiguousArray<GroupCell> = []
    private var members: [[Value]] = []

    init(groups: [FieldPlace], columns: [GroupColumn], layout: RecordLayout) {
        self.groups = groups
        self.columns = columns
        self.layout = layout
        // The one group of all is there even if nothing is in it.
        if groups.isEmpty { begin([]) }
    }

    @inline(__always)
    mutating func add(_ record: RecordView) {
        let first = groups.isEmpty ? 0 : number(of: record) * columns.count
        for index in columns.indices { columns[index].add(record, to: &cells[first + index]) }
    }

    @inline(__always)
    private mutating func number(of record: RecordView) -> Int {
        table.startKey()
        for index in groups.indices { table.appendKey(groups[index], record) }
        let (number, isNew) = table.number()
        if isNew { begin(groups.map { record.value($0.position, in: layout) ?? .null }) }
        return number
    }

    private mutating func begin(_ values: [Value]) {
        members.append(values)
        cells.append(contentsOf: repeatElement(GroupCell(), count: columns.count))
    }

    var rows: [[Value]] {
        members.indices.map { number in
            columns.indices.map { column in
                columns[column].value(cells[number * columns.count + column], members[number])
            }
        }
    }
}

extension FieldPlace {
    /// The place of a plain key path; nil for anything else.
    fileprivate init?(_ expression: Expression, _ table: EntityTable) {
        guard case .keyPath(let keys) = expression, keys.count == 1,
            let position = table.field(named: keys[0])
        else { return nil }
        self.init(position, table)
    }

    /// Whether equal values have equal bytes.
    fileprivate var isGroupable: Bool {
        switch type {
        case .integer16, .integer32, .integer64, .boolean, .objectID, .string: true
        // Zero has two forms, decimals have many, and binary data may lie outside of the record.
        case .double, .float, .date, .decimal, .uuid, .uri, .binaryData, .transformable: false
        }
    }

    fileprivate var isFloating: Bool { type == .double || type == .float }

    fileprivate var isNumeric: Bool {
        switch type {
        case .integer16, .integer32, .integer64, .boolean, .double, .float: true
        default: false
        }
    }
}

/// The running state of one column in one group.
private struct GroupCell {
    var count = 0
    var integer: Int64 = 0
    var double = 0.0
    /// Whether the sum is a double: it began as one, or left the range of integers.
    var isDouble = false
}

/// What one column of a group shows.
private enum GroupColumn {
    /// The value that the members have in common, by the place among the groups.
    case group(Int)
    /// Members that have a value there; all of them without a place.
    case count(FieldPlace?)
    case sum(FieldPlace)
    case average(FieldPlace)
    case least(FieldPlace)
    case greatest(FieldPlace)

    init?(_ expression: Expression, _ groups: [Expression], _ table: EntityTable) {
        if let index = groups.firstIndex(of: expression) {
            self = .group(index)
            return
        }
        guard case .function(let name, let arguments) = expression, arguments.count == 1 else {
            return nil
        }
        let place = FieldPlace(arguments[0], table)
        if name == "count:", place != nil || arguments[0] == .evaluatedObject {
            self = .count(place)
            return
        }
        guard let place, place.isNumeric else { return nil }
        switch name {
        case "sum:": self = .sum(place)
        case "average:": self = .average(place)
        case "min:": self = .least(place)
        case "max:": self = .greatest(place)
        default: return nil
        }
    }

    /// Whether members may come in the order of an index: sums that round or overflow, and
    /// extremes among NaN, depend on the order.
    var isSameInAnyOrder: Bool {
        switch self {
        case .group, .count: true
        case .sum(let place), .average(let place):
            place.type == .integer16 || place.type == .integer32 || place.type == .boolean
        case .least(let place), .greatest(let place): !place.isFloating
        }
    }

    @inline(__always)
    func add(_ record: RecordView, to cell: inout GroupCell) {
        switch self {
        case .group: break
        case .count(let place):
            if place.map({ record.isNull($0.position) }) != true { cell.count += 1 }
        case .sum(let place), .average(let place): GroupColumn.sum(place, record, &cell)
        case .least(let place): GroupColumn.extreme(place, record, &cell, wantsLess: true)
        case .greatest(let place): GroupColumn.extreme(place, record, &cell, wantsLess: false)
        }
    }

    @inline(__always)
    private static func sum(_ place: FieldPlace, _ record: RecordView, _ cell: inout GroupCell) {
        guard !record.isNull(place.position) else { return }
        cell.count += 1
        if place.isFloating {
            cell.isDouble = true
            cell.double += place.double(record)
            return
        }
        let value = place.integer(record)
        if !cell.isDouble {
            let (sum, overflows) = cell.integer.addingReportingOverflow(value)
            guard overflows else {
                cell.integer = sum
                return
            }
            cell.isDouble = true
            cell.double = Double(cell.integer)
        }
        cell.double += Double(value)
    }

    /// The first one of equal values stays; NaN has no order, so only a first one stays.
    @inline(__always)
    private static func extreme(
        _ place: FieldPlace, _ record: RecordView, _ cell: inout GroupCell, wantsLess: Bool
    ) {
        guard !record.isNull(place.position) else { return }
        defer { cell.count += 1 }
        if place.isFloating {
            let value = place.double(record)
            if cell.count == 0 || (wantsLess ? value < cell.double : value > cell.double) {
                cell.double = value
            }
            return
        }
        let value = place.integer(record)
        if cell.count == 0 || (wantsLess ? value < cell.integer : value > cell.integer) {
            cell.integer = value
        }
    }

    func value(_ cell: GroupCell, _ members: [Value]) -> Value {
        switch self {
        case .group(let index): members[index]
        case .count: .integer64(Int64(cell.count))
        case .sum: cell.isDouble ? .double(cell.double) : .integer64(cell.integer)
        case .average:
            .double(
                cell.count == 0
                    ? 0 : (cell.isDouble ? cell.double : Double(cell.integer)) / Double(cell.count))
        case .least(let place), .greatest(let place):
            cell.count == 0 ? .null : GroupColumn.value(cell, place.type)
        }
    }

    private static func value(_ cell: GroupCell, _ type: AttributeType) -> Value {
        switch type {
        case .integer16: .integer16(Int16(truncatingIfNeeded: cell.integer))
        case .integer32: .integer32(Int32(truncatingIfNeeded: cell.integer))
        case .boolean: .boolean(cell.integer != 0)
        case .double: .double(cell.double)
        case .float: .float(Float(cell.double))
        default: .integer64(cell.integer)
        }
    }
}
