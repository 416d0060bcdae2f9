// SPDX-License-Identifier: Apache-2.0

/// What an import did.
///
/// ```swift
/// let report = try importer.load()
/// for entity in report.entities { print(entity.name, entity.inserted, entity.rejected) }
/// for row in report.rejections { print(row.file, row.line, row.reason) }
/// ```
public struct ImportReport: Sendable, Hashable {
    /// What happened to the rows of one entity.
    public struct EntityCounts: Sendable, Hashable {
        /// The entity's name in the model.
        public var name: String
        /// The rows read.
        public var read = 0
        /// The objects made.
        public var inserted = 0
        /// The objects that existed and were changed.
        public var updated = 0
        /// The objects that existed and were the same.
        public var unchanged = 0
        /// The rows rejected: inserted, updated, unchanged and rejected ones make up those read.
        public var rejected = 0
        /// The rows among the others whose objects lack a reference, as it has no destination.
        public var incomplete = 0

        /// Makes zero counts.
        public init(name: String) {
            self.name = name
        }
    }

    /// What happened to the links of one many-to-many relationship.
    public struct LinkCounts: Sendable, Hashable {
        /// The relationship as `Playlist.tracks`, or the name of its table.
        public var name: String
        /// The rows or array elements read.
        public var read = 0
        /// The links made.
        public var inserted = 0
        /// The links that existed.
        public var unchanged = 0
        /// The links that existed and are not in the array of their object's row.
        public var removed = 0
        /// The rows rejected.
        public var rejected = 0

        /// Makes zero counts.
        public init(name: String) {
            self.name = name
        }
    }

    /// The entities in the order of the model.
    public var entities: [EntityCounts]
    /// The many-to-many relationships in the order of the model.
    public var links: [LinkCounts]
    /// The time that the import took.
    public var seconds: Double = 0
    /// The first rejections; how many are kept is up to ``rejectionLimit``.
    public private(set) var rejections: [RejectedRow] = []
    /// All reported rows, kept or not: rejected ones, and incomplete ones.
    public private(set) var rejectionCount = 0
    /// The most rejections that are kept.
    public let rejectionLimit: Int

    /// Makes an empty report.
    public init(
        entities: [EntityCounts] = [], links: [LinkCounts] = [], rejectionLimit: Int = 100
    ) {
        self.entities = entities
        self.links = links
        self.rejectionLimit = rejectionLimit
    }

    /// Makes an empty report with a line for each entity and relationship of a model.
    public init(model: InferredModel, rejectionLimit: Int = 100) {
        self.init(
            entities: model.entities.map { EntityCounts(name: $0.name) },
            links: model.manyToMany.map { LinkCounts(name: $0.name) },
            rejectionLimit: rejectionLimit)
    }

    /// Counts a rejection and keeps it while there is room.
    public mutating func reject(_ row: RejectedRow) {
        rejectionCount += 1
        if rejections.count < rejectionLimit { rejections.append(row) }
    }

    /// The rows that were imported without a reference, as it has no destination.
    public var incompleteCount: Int { entities.reduce(0) { $0 + $1.incomplete } }

    /// The rows and links read.
    public var readCount: Int {
        entities.reduce(0) { $0 + $1.read } + links.reduce(0) { $0 + $1.read }
    }
}

extension InferredManyToMany {
    /// The name of the table, or `Film.starships` for a column.
    public var name: String {
        switch origin {
        case .table(let name, _, _): name
        case .column: "\(first.entity).\(first.property)"
        }
    }
}
