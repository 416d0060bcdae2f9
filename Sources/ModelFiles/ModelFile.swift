// SPDX-License-Identifier: Apache-2.0

/// The content of one version of a model, as Xcode's model editor writes it.
///
/// ```swift
/// let bundle = try ModelBundle(at: "Office.xcdatamodeld")
/// for entity in try bundle.currentModel().entities { print(entity.name) }
/// ```
///
/// All names lead to something: parents, destinations, inverses, constraints, indexed properties,
/// members of configurations and the entities of requests are in the file.
public struct ModelFile: Sendable, Hashable {
    /// A named part of the model, for stores of their own.
    public struct Configuration: Sendable, Hashable {
        /// The configuration's name.
        public let name: String
        /// The names of its entities.
        public let entities: [String]
    }

    /// Something that is left out.
    public struct Omission: Sendable, Hashable {
        /// The line in the file, from 1.
        public let line: Int
        /// What it is, and what to do about it.
        public let reason: String
    }

    /// The entities in the order of the file.
    public let entities: [Entity]
    /// The configurations in the order of the file.
    public let configurations: [Configuration]
    /// The templates of fetch requests in the order of the file.
    public let fetchRequests: [FetchRequest]
    /// A hint for developers, which no one compares.
    public let versionIdentifier: String?
    /// What of the file is left out and may be missed: transient attributes without a type, which
    /// hold objects of any class.
    public let omissions: [Omission]

    /// The places of the entities by their names.
    private let places: [String: Int]

    init(
        entities: [Entity], configurations: [Configuration], fetchRequests: [FetchRequest],
        versionIdentifier: String?, omissions: [Omission]
    ) {
        self.entities = entities
        self.configurations = configurations
        self.fetchRequests = fetchRequests
        self.versionIdentifier = versionIdentifier
        self.omissions = omissions
        places = Dictionary(
            entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The entity of a name.
    public func entity(_ name: String) -> Entity? { places[name].map { entities[$0] } }

    /// An entity with those that it inherits from, itself first.
    public func lineage(of entity: Entity) -> [Entity] {
        var result = [entity]
        while let parent = result.last?.parent.flatMap(self.entity) { result.append(parent) }
        return result
    }
}
