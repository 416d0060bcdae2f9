// SPDX-License-Identifier: Apache-2.0

import Store

extension StoreOptions.Verification {
    /// What ``LodeVerifyOption`` asks for.
    init(_ options: [AnyHashable: Any]?) {
        switch options?[LodeVerifyOption] as? String {
        case "none": self = .none
        case "pages": self = .pages
        case "records": self = .records
        default: self = .afterCrash
        }
    }
}
