// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// The running state of a ``PlainAggregate`` in one group.
struct GroupCell {
    var count = 0
    var integer: Int64 = 0
    var double = 0.0
    /// Whether the sum is a double: it began as one, or left the range of integers.
    var isDouble = false
}

/// An aggregate of numbers in fixed slots, whose state is a few words.
enum PlainAggregate {
    /// Members that have a value there; all of them without a place.
    case count(FieldPlace?)
    case sum(FieldPlace)
    case average(FieldPlace)
    case least(FieldPlace)
    case greatest(FieldPlace)
    /// One of another kind, by its place among those.
    case other(Int)

    /// - Returns: nil for a function or a type of another kind.
    init?(_ function: String, _ place: FieldPlace) {
        if function == "count:" {
            self = .count(place)
            return
        }
        guard place.isNumeric || place.type == .date else { return nil }
        switch function {
        case "sum:" where place.isNumeric: self = .sum(place)
        case "average:" where place.isNumeric: self = .average(place)
        case "min:": self = .least(place)
        case "max:": self = .greatest(place)
        default: return nil
        }
    }

    @inline(__always)
    func add(_ record: RecordView, to cell: inout GroupCell) {
        switch self {
        case .count(let place):
            if place.map({ record.isNull($0.position) }) != true { cell.count += 1 }
        case .sum(let place), .average(let place): PlainAggregate.sum(place, record, &cell)
        case .least(let place): PlainAggregate.extreme(place, record, &cell, wantsLess: true)
        case .greatest(let place): PlainAggregate.extreme(place, record, &cell, wantsLess: false)
        case .other: break
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

    /// The first one of equal values stays; NaN, which has no order, only where nothing else is.
    @inline(__always)
    private static func extreme(
        _ place: FieldPlace, _ record: RecordView, _ cell: inout GroupCell, wantsLess: Bool
    ) {
        guard !record.isNull(place.position) else { return }
        defer { cell.count += 1 }
        if place.isFloating {
            let value = place.double(record)
            if cell.count == 0 || cell.double.isNaN
                || (wantsLess ? value < cell.double : value > cell.double)
            {
                cell.double = value
            }
            return
        }
        let value = place.integer(record)
        if cell.count == 0 || (wantsLess ? value < cell.integer : value > cell.integer) {
            cell.integer = value
        }
    }

    /// What a cell shows.
    func value(_ cell: GroupCell) -> Value {
        switch self {
        case .count: .integer64(Int64(cell.count))
        case .sum: cell.isDouble ? .double(cell.double) : .integer64(cell.integer)
        case .average:
            .double(
                cell.count == 0
                    ? 0 : (cell.isDouble ? cell.double : Double(cell.integer)) / Double(cell.count))
        case .least(let place), .greatest(let place):
            cell.count == 0 ? .null : PlainAggregate.value(cell, place.type)
        case .other: .null
        }
    }

    private static func value(_ cell: GroupCell, _ type: AttributeType) -> Value {
        switch type {
        case .integer16: .integer16(Int16(truncatingIfNeeded: cell.integer))
        case .integer32: .integer32(Int32(truncatingIfNeeded: cell.integer))
        case .boolean: .boolean(cell.integer != 0)
        case .double: .double(cell.double)
        case .float: .float(Float(cell.double))
        case .date: .date(cell.double)
        default: .integer64(cell.integer)
        }
    }
}

extension FieldPlace {
    /// Whether the value is a double when it is loaded.
    var isFloating: Bool { type.isFloating }

    fileprivate var isNumeric: Bool {
        switch type {
        case .integer16, .integer32, .integer64, .boolean, .double, .float: true
        default: false
        }
    }
}

extension AttributeType {
    /// Whether values are doubles: equal ones may differ, and NaN has no order.
    var isFloating: Bool { self == .double || self == .float || self == .date }
}
