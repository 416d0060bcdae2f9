// SPDX-License-Identifier: Apache-2.0

/// What a context has at hand for the next object that it makes.
struct ObjectMaking {
    /// The fault that the next initialiser of an object makes.
    var faultRequest = FaultRequest()
    /// The runtime that an entity led to last.
    // SAFETY: the context or its ancestor keeps the coordinator, whose model keeps it.
    var knownRuntime: Unmanaged<EntityRuntime>?
    /// Runtimes of the context's model that entities have led to, by ordinal.
    // SAFETY: as for `knownRuntime`.
    var knownRuntimes: ContiguousArray<Unmanaged<EntityRuntime>?> = []
    /// The entities that typed code has inserted objects of; few, so a list.
    var entitiesByClass: [(NSManagedObject.Type, NSEntityDescription)] = []
    /// The class that a fetch stated last, and the ordinal of its entity, which knows it since.
    var lastFetched: (NSManagedObject.Type, Int)?
    var temporaryKeys = TemporaryKeys()
}
