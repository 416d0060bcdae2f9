// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What a program keeps with a description, whether its model is in use or not.
final class UserInfo: Sendable {
    // SAFETY: the mutex guards the dictionary. The program answers for what it puts in.
    private let values: Mutex<UncheckedTransfer<[AnyHashable: Any]?>>

    init(_ values: [AnyHashable: Any]? = [:]) { self.values = Mutex(UncheckedTransfer(values)) }

    var content: [AnyHashable: Any]? {
        get { values.withLock { $0 }.value }
        set {
            // SAFETY: as above.
            let new = UncheckedTransfer(newValue)
            // Let go of outside the mutex: what goes with it may ask for the user info.
            let former = values.withLock { values in
                defer { values = new }
                return values
            }
            withExtendedLifetime(former) {}
        }
    }
}
