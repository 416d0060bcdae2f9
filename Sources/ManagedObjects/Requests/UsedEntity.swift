// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The entity that a request's name has led to, for programs that ask for it afterwards.
///
/// Several threads may run a request that none of them changes, such as a template of a model.
struct UsedEntity: ~Copyable {
    // A lock, as it replaces a reference that another thread may be about to retain.
    private let known = Mutex<NSEntityDescription?>(nil)
    /// The address of the entity: who runs a request again takes no lock.
    private let address = Atomic<UInt>(0)

    var entity: NSEntityDescription? {
        get { known.withLock { $0 } }
        nonmutating set {
            known.withLock { known in
                known = newValue
                address.store(Self.address(of: newValue), ordering: .relaxed)
            }
        }
    }

    /// Notes what the name means in the context that runs the request.
    @inline(__always)
    borrowing func note(_ description: NSEntityDescription) {
        // What is noted is kept, so no other entity has its address.
        if address.load(ordering: .relaxed) != Self.address(of: description) {
            entity = description
        }
    }

    // SAFETY: an address to compare.
    private static func address(of entity: NSEntityDescription?) -> UInt {
        entity.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
    }
}
