// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import RecordFormat
import Schema

/// Makes the dictionaries of a fetch from the values of its rows.
///
/// They are plain `NSDictionary`: one of a subclass would be empty as a dictionary of Swift, as
/// Foundation on Linux converts its own classes alone. All share their keys, and the objects are
/// made here, as `NSMutableDictionary` makes a key anew for each value that it is given and looks
/// for the class that each value becomes: three times as long.
struct DictionaryMaker {
    private let columns: [ResultColumn]
    private let keys: [NSObject]
    private let context: NSManagedObjectContext
    /// The objects of the row at hand, and their keys where some are nil.
    private var rowObjects: [AnyObject] = []
    private var rowKeys: [NSObject] = []

    init(_ columns: [ResultColumn], _ context: NSManagedObjectContext) {
        self.columns = columns
        self.context = context
        keys = columns.map { NSString(string: $0.name) }
    }

    /// The dictionary of a row, without what is nil.
    ///
    /// - Parameter row: A value for each column, in their order.
    mutating func dictionary(_ row: ArraySlice<SubjectOperand>) -> NSDictionary {
        rowObjects.removeAll(keepingCapacity: true)
        var isFull = true
        for (position, operand) in zip(keys.indices, row) {
            guard !operand.isNull else {
                if isFull { rowKeys = Array(keys[..<position]) }
                isFull = false
                continue
            }
            guard let object = plainObject(operand, position) else { return mixed(row) }
            rowObjects.append(object)
            if !isFull { rowKeys.append(keys[position]) }
        }
        // SAFETY: both arrays have `count` elements, which outlive the call; the dictionary keeps
        // references of its own.
        return (isFull ? keys : rowKeys).withUnsafeBufferPointer { keys in
            rowObjects.withUnsafeBufferPointer { objects in
                NSDictionary(
                    objects: objects.baseAddress, forKeys: keys.baseAddress, count: keys.count)
            }
        }
    }

    /// The object of a value whose class is known; nil for all others.
    private func plainObject(_ operand: SubjectOperand, _ position: Int) -> NSObject? {
        guard let value = operand.scalar, columns[position].keeps(value) else { return nil }
        return switch value {
        case .string(let text): NSString(string: text)
        case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
        case .objectID(let key): context.objectID(for: key)
        default: ValueConversion.number(value)
        }
    }

    /// The dictionary of a row with values whose classes Foundation has to find.
    private func mixed(_ row: ArraySlice<SubjectOperand>) -> NSDictionary {
        let result = NSMutableDictionary()
        for (column, operand) in zip(columns, row) {
            if let value = column.object(operand, context) { result[column.name] = value }
        }
        // As the others, it cannot be changed.
        return result.copy() as? NSDictionary ?? result
    }
}
