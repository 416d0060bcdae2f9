// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Synchronization
import Traps

/// The identity of a managed object: safe to hand to other contexts, queues and, as a URI, to
/// files.
///
/// ```swift
/// let id = player.objectID
/// try await other.perform {
///     let same = try other.existingObject(with: id) as? Player
///     same?.score += 1
///     try other.save()
/// }
/// ```
///
/// A new object has a temporary ID. Its first save gives it a permanent one, which is another,
/// unequal value; a permanent ID never changes and is never used again after a deletion.
public final class NSManagedObjectID: NSObject, NSFetchRequestResult, NSCopying, Sendable {
    let key: ObjectKey
    let runtime: EntityRuntime
    let store: NSPersistentStore?
    /// The permanent key that the object of a temporary ID got, 0 before.
    private let successor = Atomic<UInt64>(0)
    /// The number of that key's store, see ``FormerStores``.
    private let successorStore = Atomic<UInt32>(0)

    init(key: ObjectKey, runtime: EntityRuntime, store: NSPersistentStore?) {
        self.key = key
        self.runtime = runtime
        self.store = key.isTemporary ? nil : store
        super.init()
    }

    /// Makes a temporary ID that no object has, where a value is needed and none is there yet.
    ///
    /// Contexts do not know it, and its entity is part of no other model.
    public override convenience init() {
        self.init(key: DetachedKeys.make(), runtime: Unused.runtime, store: nil)
    }

    /// The entity of IDs that no object has.
    private enum Unused {
        static let model = NSManagedObjectModel(entities: [NSEntityDescription(name: "Unused")])
        static let runtime = entity.requireRuntime()
        private static var entity: NSEntityDescription { model.entities[0] }
    }

    /// Whether the object was never saved.
    public var isTemporaryID: Bool { key.isTemporary }

    /// The object's entity.
    public var entity: NSEntityDescription { runtime.description }

    /// The store that holds the object; `nil` for a temporary ID.
    public var persistentStore: NSPersistentStore? { store }

    /// The ID as a URI: `x-coredata://<store>/<Entity>/p<row>`, or with `t` and no store while
    /// temporary.
    public func uriRepresentation() -> URL {
        let text = uriText
        guard let url = URL(string: text) else { trap("no URI for \(text)") }
        return url
    }

    /// The text of the URI.
    package var uriText: String {
        let text =
            isTemporaryID
            ? "x-coredata:///\(runtime.entity.name)/t\(NSManagedObjectID.processID)"
                + "\(key.row & ~ObjectKey.temporaryBit)"
            : "x-coredata://\(store?.identity ?? "")/\(runtime.entity.name)/p\(name)"
        // The usual names need no look at sets of characters.
        if text.utf8.allSatisfy(ObjectURI.isPlain) { return text }
        return text.addingPercentEncoding(withAllowedCharacters: .urlURIAllowed) ?? text
    }

    /// What the store calls the object: its row, unless the store has names of its own.
    private var name: String {
        let reference = (store as? any ReferencingStore)?.references.reference(of: key)
        return reference?.uriText ?? "\(key.plainRow)"
    }

    /// Temporary IDs of two processes never meet, but their URIs should differ in logs.
    private static let processID = UUID().uuidString

    /// The key under which the object is known now.
    var currentKey: ObjectKey {
        let value = successor.load(ordering: .relaxed)
        return value == 0 ? key : ObjectKey(rawValue: value)
    }

    /// The store of the object of ``currentKey``; `nil` while that is temporary.
    ///
    /// A temporary ID that is kept beyond the save names the same object in another container, and
    /// none of another file.
    var currentStore: NSPersistentStore? {
        if let store { return store }
        guard successor.load(ordering: .acquiring) != 0 else { return nil }
        return FormerStores.store(successorStore.load(ordering: .relaxed))
    }

    /// The object of a temporary ID got a permanent key.
    ///
    /// - Parameter store: The number of its store, see ``FormerStores``.
    func becomePermanent(_ key: ObjectKey, _ store: UInt32) {
        successorStore.store(store, ordering: .relaxed)
        successor.store(key.rawValue, ordering: .releasing)
    }

    /// Whether both name the same object of the same store.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectID else { return false }
        return key == other.key
            && (store === other.store || store?.identity == other.store?.identity)
    }

    /// Equal for equal IDs.
    public override var hash: Int { key.hashValue }

    /// The URI.
    public override var description: String { uriRepresentation().absoluteString }

    /// The ID itself, as it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

extension CharacterSet {
    /// What a URI keeps as it is.
    fileprivate static let urlURIAllowed = CharacterSet.urlPathAllowed.union(.urlHostAllowed)
}
