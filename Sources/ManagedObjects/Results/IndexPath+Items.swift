// SPDX-License-Identifier: Apache-2.0

import Foundation

// UIKit and AppKit add these; Foundation has none of them on Linux.
extension IndexPath {
    /// The path of an item in a section.
    public init(item: Int, section: Int) { self = [section, item] }

    /// The path of a row in a section, which is the same as an item.
    public init(row: Int, section: Int) { self = [section, row] }

    /// The section: the first index of a path of two.
    public var section: Int {
        get { self[startIndex] }
        set { self[startIndex] = newValue }
    }

    /// The item in its section: the second index of a path of two.
    public var item: Int {
        get { self[startIndex + 1] }
        set { self[startIndex + 1] = newValue }
    }

    /// The row in its section, which is the same as ``item``.
    public var row: Int {
        get { item }
        set { item = newValue }
    }
}
