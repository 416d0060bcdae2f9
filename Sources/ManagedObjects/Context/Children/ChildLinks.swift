// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What a context has for those that read and save through it.
struct ChildLinks: ~Copyable {
    // Children join on their own queues.
    /// What a root tells its descendants, once it has any.
    let lineage = Mutex<Lineage?>(nil)
    /// The children that merge the context's saves, once there is one.
    let listeners = Mutex<MergeListeners?>(nil)
}
