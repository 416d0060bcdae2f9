// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Traps

/// A set of entities: the schema of a store.
///
/// ```swift
/// let model = NSManagedObjectModel(entities: [team, player])
/// let kept = try NSManagedObjectModel.stored(at: url)  // the one that a file has
/// print(model.entityVersionHashesByName == kept.entityVersionHashesByName)
/// ```
///
/// Built in code by one thread. The first coordinator that uses it freezes it.
// SAFETY: the program builds a model on one thread. Once a coordinator uses it, setters trap, but
// for `versionIdentifiers`, which the program then leaves alone. The lock guards `compiled`.
open class NSManagedObjectModel: NSObject, @unchecked Sendable {
    /// The entities of the model.
    open var entities: [NSEntityDescription] {
        get { statedEntities }
        set {
            require(compiled == nil, "the model is in use; make a new one to change entities")
            for entity in statedEntities { entity.model = nil }
            statedEntities = newValue
            for entity in newValue { entity.model = self }
        }
    }
    // Apart: Swift calls no observers for what a convenience initialiser of an extension assigns.
    private var statedEntities: [NSEntityDescription] = []
    /// Hints for developers; never used to match a store.
    open var versionIdentifiers: Set<AnyHashable> = []
    // Guards `compiled`: several coordinators may begin to use one model at a time.
    private let lock = NSLock()
    private var compiled: CompiledModel?

    /// The fetch requests by name, see ``setFetchRequestTemplate(_:forName:)``.
    var templates: [String: NSFetchRequest<any NSFetchRequestResult>] = [:] {
        willSet {
            require(compiled == nil, "the model is in use; set templates before that")
        }
    }

    /// The entities of the configurations by name.
    final var entitiesByConfiguration: [String: [NSEntityDescription]] = [:] {
        willSet {
            require(
                compiled == nil, "the model is in use; set configurations before that")
        }
    }

    /// Makes an empty model.
    public override init() {
        super.init()
    }

    deinit {
        for entity in statedEntities {
            entity.releaseRuntime()
            entity.model = nil
        }
    }

    /// The entities by name.
    open var entitiesByName: [String: NSEntityDescription] {
        Dictionary(entities.map { ($0.name ?? "", $0) }) { first, _ in first }
    }

    /// Whether both have equal entities, configurations, templates and version identifiers.
    public final override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectModel else { return false }
        return other === self || hasStructure(of: other)
    }

    /// The hash of the number of entities; their names may change in a model that is being built.
    public final override var hash: Int { entities.count }

    /// Whether another model is this one or has the same entities.
    func isCompatible(_ other: NSManagedObjectModel?) -> Bool {
        self === other
    }

    /// Compiles the model and freezes it; the same result each time.
    func compile() throws(ModelError) -> CompiledModel {
        lock.lock()
        defer { lock.unlock() }
        if let compiled { return compiled }
        let result = try CompiledModel(self)
        compiled = result
        return result
    }
}
