// SPDX-License-Identifier: Apache-2.0

import Traps

/// The name and the flags of a database to open.
///
/// ```swift
/// let links = DatabaseSpec(name: "links", flags: [.integerKey, .integerDup])
/// ```
public struct DatabaseSpec: Sendable, Hashable {
    /// The name, unique in its environment.
    public let name: String
    /// The order of its keys and values, fixed when it is created.
    public let flags: DatabaseFlags

    /// Describes a database.
    ///
    /// - Parameters:
    ///   - name: Its name: not empty, without a NUL character.
    ///   - flags: Its flags. `integerDup` implies `dupFixed`, which implies `dupSort`.
    public init(name: String, flags: DatabaseFlags = []) {
        require(
            !name.isEmpty && !name.utf8.contains(0), "\"\(name)\" cannot name a database")
        self.name = name
        self.flags = flags.normalized
    }
}
