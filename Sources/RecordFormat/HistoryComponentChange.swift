// SPDX-License-Identifier: Apache-2.0

import Schema

/// What a transaction did to one component of a game object, one link or one resource.
public struct HistoryComponentChange: Sendable, Hashable {
    /// What happened.
    public enum Kind: UInt8, Sendable {
        /// It is new.
        case added = 0
        /// It has another value.
        case changed = 1
        /// It is gone.
        case removed = 2
    }

    /// The name of the component type, as the file lists it.
    public var name: String
    /// What happened.
    public var kind: Kind
    /// The game object, or that which a link leads from; `nil` for a resource.
    public var object: ObjectKey?
    /// The game object that a link leads to; of a changed link, since the change.
    public var target: ObjectKey?

    /// Makes a change.
    public init(name: String, kind: Kind, object: ObjectKey?, target: ObjectKey? = nil) {
        self.name = name
        self.kind = kind
        self.object = object
        self.target = target
    }
}

/// How a group of changes of components begins in a change set; `FileFormat.md` describes them.
///
/// The numbers follow those of ``HistoryGroup``.
public struct HistoryComponentGroup: Sendable, Hashable {
    /// What the changes are about.
    public enum Column: UInt8, Sendable {
        /// Components of game objects.
        case components = 0
        /// Links of a relationship.
        case links = 1
        /// A resource.
        case resource = 2
    }

    /// What the changes are about.
    public let column: Column
    /// What happened to each of them.
    public let kind: HistoryComponentChange.Kind

    private static let first: UInt8 = 5

    /// Makes a group.
    public init(_ column: Column, _ kind: HistoryComponentChange.Kind) {
        self.column = column
        self.kind = kind
    }

    /// The group of a number; `nil` for one of another kind.
    public init?(rawValue: UInt8) {
        guard rawValue >= Self.first else { return nil }
        let (column, kind) = (rawValue - Self.first).quotientAndRemainder(dividingBy: 3)
        guard let column = Column(rawValue: column),
            let kind = HistoryComponentChange.Kind(rawValue: kind)
        else { return nil }
        self.init(column, kind)
    }

    /// The number in files.
    public var rawValue: UInt8 { Self.first + 3 * column.rawValue + kind.rawValue }
}
