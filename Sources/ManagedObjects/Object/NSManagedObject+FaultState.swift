// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

extension NSManagedObject {
    /// 0 for an object with its values, 1 for a fault.
    public final var faultingState: Int { isFault ? 1 : 0 }
}
