// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

// UIKit and AppKit add these; Foundation has none of them on Linux.
extension IndexPath {
    /// The path of an item in a section.
    public init(item: Int, section: Int) { self = [section, item] }

    /// The path of a row in a section, which is the same as an item.
    public init(row: Int, section: Int) { self = [section, row] }

    /// The section: the first index of a path of two.
    public var section: Int {
        get { self[checked(0, "section")] }
        set { self[checked(0, "section")] = newValue }
    }

    /// The item in its section: the second index of a path of two.
    public var item: Int {
        get { self[checked(1, "item")] }
        set { self[checked(1, "item")] = newValue }
    }

    /// The row in its section, which is the same as ``item``.
    public var row: Int {
        get { item }
        set { item = newValue }
    }

    private func checked(_ place: Int, _ name: String) -> Int {
        require(count > place, "the index path \(map { $0 }) of \(count) indexes has no \(name)")
        return place
    }
}
