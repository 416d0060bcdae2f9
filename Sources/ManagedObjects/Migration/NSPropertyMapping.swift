// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where a migration gets the value of one property from.
open class NSPropertyMapping: NSObject {
    /// The property's name in the destination.
    open var name: String?
    /// The value, by the object of the source: a key path with the property's former name; `nil`
    /// for a new property, which gets its default.
    open var valueExpression: NSExpression?
    /// Whatever the program keeps here.
    open var userInfo: [AnyHashable: Any]?
}
