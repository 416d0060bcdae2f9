// SPDX-License-Identifier: Apache-2.0

import Foundation
import Store

extension StoreOptions.Verification {
    /// What ``LodeVerifyOption`` asks for.
    ///
    /// - Throws: 134080 for another value: a misspelt one must not pass for a check.
    init(_ options: [AnyHashable: Any]?) throws(CocoaError) {
        guard let value = options?[LodeVerifyOption] else {
            self = .afterCrash
            return
        }
        switch value as? String {
        case "none": self = .none
        case "afterCrash": self = .afterCrash
        case "pages": self = .pages
        case "records": self = .records
        default:
            let text = (value as? String).map { "\"\($0)\"" } ?? "\(value)"
            throw CoreDataError.make(
                .persistentStoreOpen,
                "LodeVerifyOption is \(text); use \"none\", \"afterCrash\", \"pages\" or "
                    + "\"records\"")
        }
    }
}
