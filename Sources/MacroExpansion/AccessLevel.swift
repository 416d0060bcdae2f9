// SPDX-License-Identifier: Apache-2.0

/// A written access modifier.
enum AccessLevel: String {
    case open, `public`, package, `internal`, `fileprivate`, `private`

    /// The modifier of a declaration generated beside one of this level.
    ///
    /// It is never `open`: nothing generated is meant to be overridden.
    var modifier: String { self == .open ? "public " : rawValue + " " }
}
