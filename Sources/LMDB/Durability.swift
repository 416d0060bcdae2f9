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
    /// ``Environment/sync()``, and then renamed into place.
    case none
}
