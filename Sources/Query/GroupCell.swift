// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema

/// The running state of a ``PlainAggregate`` in one group.
struct GroupCell {
    var count = 0
    /// The extreme of integers, or their sum.
    var integer: Int128 = 0
    /// The extreme of doubles.
    var double = 0.0
    var sum = ExactSum()
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

    /// Adds members that are alike in all that is read of them.
    func add(_ record: RecordView, times: Int, to cell: inout GroupCell) {
        switch self {
        case .count(let place):
            if place.map({ record.isNull($0.position) }) != true { cell.count &+= times }
        case .sum(let place), .average(let place):
            guard !record.isNull(place.position) else { return }
            cell.count &+= times
            if place.isFloating {
                cell.sum.add(place.double(record), times: times)
            } else {
                cell.integer &+= Int128(place.integer(record)) * Int128(times)
            }
        case .least, .greatest, .other: add(record, to: &cell)
        }
    }

    @inline(__always)
    private static func sum(_ place: FieldPlace, _ record: RecordView, _ cell: inout GroupCell) {
        guard !record.isNull(place.position) else { return }
        cell.count += 1
        if place.isFloating {
            cell.sum.add(place.double(record))
        } else {
            // Never as many as could overflow.
            cell.integer &+= Int128(place.integer(record))
        }
    }

    /// Both zeros are the positive one; NaN, which has no order, stays only where nothing else is.
    @inline(__always)
    private static func extreme(
        _ place: FieldPlace, _ record: RecordView, _ cell: inout GroupCell, wantsLess: Bool
    ) {
        guard !record.isNull(place.position) else { return }
        defer { cell.count += 1 }
        if place.isFloating {
            // The sum of a negative zero and zero is zero.
            let value = place.double(record) + 0
            if cell.count == 0 || cell.double.isNaN
                || (wantsLess ? value < cell.double : value > cell.double)
            {
                cell.double = value
            }
            return
        }
        let value = Int128(place.integer(record))
        if cell.count == 0 || (wantsLess ? value < cell.integer : value > cell.integer) {
            cell.integer = value
        }
    }

    /// What a cell shows.
    func value(_ cell: GroupCell) -> Value {
        switch self {
        case .count: .integer64(Int64(cell.count))
        case .sum(let place): PlainAggregate.total(cell, place)
        case .average(let place):
            .double(
                cell.count == 0
                    ? 0 : PlainAggregate.doubleTotal(cell, place) / Double(cell.count))
        case .least(let place), .greatest(let place):
            cell.count == 0 ? .null : PlainAggregate.value(cell, place.type)
        case .other: .null
        }
    }

    /// A sum of integers is one as long as it fits.
    private static func total(_ cell: GroupCell, _ place: FieldPlace) -> Value {
        if !place.isFloating, let sum = Int64(exactly: cell.integer) { return .integer64(sum) }
        // Where there are no members, there is no double either.
        return cell.count == 0 ? .integer64(0) : .double(doubleTotal(cell, place))
    }

    private static func doubleTotal(_ cell: GroupCell, _ place: FieldPlace) -> Double {
        place.isFloating ? cell.sum.value : Double(cell.integer)
    }

    private static func value(_ cell: GroupCell, _ type: AttributeType) -> Value {
        switch type {
        case .integer16: .integer16(Int16(truncatingIfNeeded: cell.integer))
        case .integer32: .integer32(Int32(truncatingIfNeeded: cell.integer))
        case .boolean: .boolean(cell.integer != 0)
        case .double: .double(cell.double)
        case .float: .float(Float(cell.double))
        case .date: .date(cell.double)
        default: .integer64(Int64(truncatingIfNeeded: cell.integer))
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
