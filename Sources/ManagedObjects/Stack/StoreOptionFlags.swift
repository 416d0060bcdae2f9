// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The options that a store is added with.
extension [AnyHashable: Any] {
    /// Whether an option is a number or a truth value other than 0.
    func isSet(_ option: String) -> Bool {
        (self[option] as? NSNumber)?.boolValue ?? (self[option] as? Bool) ?? false
    }
}
