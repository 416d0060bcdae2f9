// SPDX-License-Identifier: Apache-2.0

import Foundation

extension NSFetchRequest: NSCopying {
    /// A request of its own with the same settings, as an `NSFetchRequest` of the same results.
    public func copy(with zone: NSZone? = nil) -> Any { duplicate() }
}
