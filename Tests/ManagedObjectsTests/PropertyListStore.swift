// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Synchronization

/// An atomic store in a property list: one dictionary an object, references by name.
// Sendable because one thread at a time calls it.
final class PropertyListStore: NSAtomicStore, @unchecked Sendable {
    /// Set to make the next saves fail.
    static let isBroken = Mutex<Set<String>>([])

    private struct Failure: Error {}

    override var type: String { "PropertyList" }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try contents(of: url)["metadata"] as? [String: Any] ?? [:]
    }

    private static func contents(of url: URL) throws -> [String: Any] {
        let list = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: url), format: nil)
        guard let contents = list as? [String: Any] else { throw CocoaError(.fileReadCorruptFile) }
        return contents
    }

    override func load() throws {
        guard let url, FileManager.default.fileExists(atPath: url.path) else { return }
        let objects = try Self.contents(of: url)["objects"] as? [[String: Any]] ?? []
        guard let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName else {
            return
        }
        for object in objects {
            guard let entity = entities[object["entity"] as? String ?? ""] else { continue }
            let id = objectID(for: entity, withReferenceObject: object["name"] as? String ?? "")
            addCacheNodes([NSAtomicStoreCacheNode(objectID: id)])
        }
        for object in objects {
            guard let entity = entities[object["entity"] as? String ?? ""] else { continue }
            let id = objectID(for: entity, withReferenceObject: object["name"] as? String ?? "")
            guard let node = cacheNode(for: id) else { continue }
            let values = object["values"] as? [String: Any] ?? [:]
            for (name, attribute) in entity.attributesByName {
                node.setValue(values[name], forKey: attribute.name)
            }
            for (name, relationship) in entity.relationshipsByName {
                guard let destination = relationship.destinationEntity,
                    let names = values[name] as? [String]
                else { continue }
                let members = names.compactMap {
                    cacheNode(for: objectID(for: destination, withReferenceObject: $0))
                }
                let isOne = relationship.maxCount == 1
                node.setValue(
                    isOne
                        ? members.first as Any
                        : relationship.isOrdered ? members as Any : Set(members) as Any,
                    forKey: name)
            }
        }
    }

    override func save() throws {
        guard let url else { return }
        if Self.isBroken.withLock({ $0.contains(url.path) }) { throw Failure() }
        let objects = cacheNodes().map { node -> [String: Any] in
            var values: [String: Any] = [:]
            for case let name as String in node.propertyCache?.allKeys ?? [] {
                let value = node.value(forKey: name)
                switch value {
                case let node as NSAtomicStoreCacheNode: values[name] = [self.name(of: node)]
                case let nodes as [NSAtomicStoreCacheNode]: values[name] = nodes.map(self.name)
                case let nodes as Set<NSAtomicStoreCacheNode>:
                    values[name] = nodes.map(self.name).sorted()
                default: values[name] = value
                }
            }
            return [
                "entity": node.objectID.entity.name ?? "", "name": name(of: node),
                "values": values,
            ]
        }
        let contents: [String: Any] = ["metadata": metadata ?? [:], "objects": objects]
        let data = try PropertyListSerialization.data(
            fromPropertyList: contents, format: .xml, options: 0)
        try data.write(to: url, options: .atomic)
    }

    private func name(of node: NSAtomicStoreCacheNode) -> String {
        referenceObject(for: node.objectID) as? String ?? ""
    }

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        let names = managedObject.entity.attributesByName
        let key = ["title", "name", "text"].first { names[$0] != nil } ?? ""
        return "\(managedObject.entity.name ?? "") \(managedObject.text(key))"
    }

    static func register() {
        NSPersistentStoreCoordinator.registerStoreClass(
            PropertyListStore.self, forStoreType: "PropertyList")
    }
}
