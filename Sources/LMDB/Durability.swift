// SPDX-License-Identifier: Apache-2.0

/// How much of a commit has reached the disk when `write` returns.
public enum Durability: Sendable, Hashable {
    /// Everything: the commit survives a power cut.
    case full
    /// The data but not the header: a power cut may undo the last commit, and
    /// never damages the file.
    case relaxed
    /// Nothing: a power cut may damage the file.
    ///
    /// Only for a file that is built aside, made durable by
    /// ``Environment/sync()`` or by closing it, and then renamed into place.
    case none
}

extension Durability {
    /// How little is promised, to find the weakest of several.
    var weakness: Int {
        switch self {
        case .full: 0
        case .relaxed: 1
        case .none: 2
        }
    }

    /// The name in a ``WriteMark``.
    var name: String {
        switch self {
        case .full: "full"
        case .relaxed: "relaxed"
        case .none: "none"
        }
    }
}
