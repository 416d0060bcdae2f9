// SPDX-License-Identifier: Apache-2.0

import Schema

/// What a save does to the destinations of a deleted object, with Core Data's raw values.
public enum NSDeleteRule: UInt, Sendable {
    /// The destinations keep a reference to nothing.
    case noActionDeleteRule = 0
    /// The destinations forget the deleted object.
    case nullifyDeleteRule = 1
    /// The destinations are deleted as well.
    case cascadeDeleteRule = 2
    /// The save fails while there are destinations that are not deleted themselves.
    case denyDeleteRule = 3

    var schemaRule: DeleteRule { DeleteRule(rawValue: UInt8(rawValue)) ?? .nullify }
}
