// SPDX-License-Identifier: Apache-2.0

/// What the rows of a column stand for, as `FileFormat.md` numbers it.
public struct ColumnKindCode: Sendable, Hashable {
    /// The number.
    public let rawValue: UInt16

    /// Makes a kind of a number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Values of game objects.
    public static let component = ColumnKindCode(rawValue: 0)

    /// Whether the rows are links of a relationship.
    public var isRelationship: Bool { rawValue & 3 == 1 }
    /// Whether the sources of links go with their targets.
    var cascades: Bool { isRelationship && rawValue >> 4 == 1 }
    /// Whether the only row has a value of the whole file.
    public var isResource: Bool { rawValue & 3 == 2 }
    /// Whether values are keys of contents.
    public var isCoded: Bool { rawValue == 4 || rawValue == 6 }
    /// Whether each row with a value is one of a game object.
    var hasRowsOfObjects: Bool {
        rawValue & 3 == 0 || isRelationship && rawValue & 4 != 0
    }

    /// Whether the number is one that this version of the format has.
    var isKnown: Bool {
        let rule = rawValue >> 4
        return rawValue == 0 || rawValue == 2 || isCoded || isRelationship && rule <= 2
    }
}
