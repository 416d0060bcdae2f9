// SPDX-License-Identifier: Apache-2.0

/// What a context has found out about the stores of its coordinator.
struct KnownStores {
    /// How many main stores the coordinator had lost when the context looked last; -1 before.
    var lostMainCount = -1
    /// The store of the ID that was checked last, so that looking up many checks the store once.
    var lastChecked: NSPersistentStore?
    /// The ways to the coordinator's further stores, by tag less one.
    var rowsByTag: [(any FurtherRows)?] = []
}
