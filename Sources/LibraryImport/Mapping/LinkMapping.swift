// SPDX-License-Identifier: Apache-2.0

/// Whether a mapping makes an entity a table of links.
public enum LinkMapping: Sendable, Hashable {
    /// It is one when it has two foreign keys and nothing else.
    case automatic
    /// It stays an entity.
    case never
    /// It links the destinations of two columns.
    case ends(LinkEndMapping, LinkEndMapping)
}

/// One end of a table of links.
public struct LinkEndMapping: Sendable, Hashable {
    /// The column with the destination's key.
    public var column: String
    /// The destination's name in the data; `nil` if the column's name implies it.
    public var destination: String?
    /// The destination's property that leads to the other end.
    public var property: String?

    /// Makes an end.
    public init(column: String, destination: String? = nil, property: String? = nil) {
        self.column = column
        self.destination = destination
        self.property = property
    }
}
