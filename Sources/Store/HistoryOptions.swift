// SPDX-License-Identifier: Apache-2.0

/// What a store needs to know about the program to keep a history.
public struct HistoryOptions: Sendable, Hashable {
    /// The process, as entries name it.
    public var processID: String
    /// The program, as entries name it.
    public var bundleID: String
    /// The names of the attributes, by entity, whose values outlive a deleted object.
    public var preservedAttributes: [String: Set<String>] = [:]

    /// Makes options.
    public init(processID: String, bundleID: String) {
        self.processID = processID
        self.bundleID = bundleID
    }
}

/// Who made a transaction.
public struct HistoryOrigin: Sendable {
    /// The author that the context names.
    public var author: String?
    /// The name of the context.
    public var contextName: String?
    /// When the transaction happens, in seconds since 2001; `nil` for the system's clock.
    public var timestamp: Double?

    /// Makes an origin.
    public init(author: String? = nil, contextName: String? = nil, timestamp: Double? = nil) {
        self.author = author
        self.contextName = contextName
        self.timestamp = timestamp
    }
}
