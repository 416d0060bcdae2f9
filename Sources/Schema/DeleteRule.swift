// SPDX-License-Identifier: Apache-2.0

/// What happens to the destinations of a relationship when its owner is deleted.
///
/// Raw values are those of Core Data's `NSDeleteRule`.
public enum DeleteRule: UInt8, Sendable, Hashable {
    /// Nothing; the destinations keep a dangling reference.
    case noAction = 0
    /// The destinations forget the owner.
    case nullify = 1
    /// The destinations are deleted too.
    case cascade = 2
    /// The save fails while a destination remains.
    case deny = 3
}
