// SPDX-License-Identifier: Apache-2.0

import Schema

/// The versions of the file format; `FileFormat.md` describes it.
public enum FormatVersion {
    /// The newest version that can be read.
    public static let current: UInt16 = componentHistory + narrowStep + migratedStep
    /// The version of new files, unless their model needs a newer one.
    public static let ofNewFiles = narrow
    /// The oldest version that can still be read.
    public static let oldestReadable: UInt16 = 1
    /// The version since which ordered relationships keep their order.
    public static let ordered: UInt16 = 2
    /// The version since which a file can have a history, which every writer has to continue.
    public static let history: UInt16 = 3
    /// The version since which the catalog of a file can change, which every writer has to
    /// announce.
    public static let epoch: UInt16 = 4
    /// The version since which values have checksums that tie them to their keys.
    ///
    /// Older files are not converted; see ``EntrySeal``.
    public static let sealed: UInt16 = 5
    /// The version since which the elements of an index may descend, and indexes may be partial.
    ///
    /// Files that began before version 5 have plain indexes in their place.
    public static let indexForms: UInt16 = 6
    /// The version since which a file can have value components, which every writer has to keep in
    /// step with the game objects.
    public static let columns: UInt16 = 7
    /// The version since which columns can have other rows than those of game objects: the links of
    /// relationships and the world's own values.
    public static let columnKinds: UInt16 = 8
    /// The version since which values of columns can be keys of contents.
    public static let contents: UInt16 = 9
    /// The version since which a history can have changes of components.
    public static let componentHistory: UInt16 = 10
    /// The first version whose values of any length have slots of 4 bytes instead of 8.
    ///
    /// From here on versions are those from ``sealed`` on once more, with narrow slots: a file goes
    /// on within its range, and code asks for the version without the step. Older files are not
    /// converted: the number of a layout says which slots its records have, see
    /// ``RecordLayout/isNarrow``.
    public static let narrow: UInt16 = 11
    /// What a version with narrow slots has more than the one with wide slots.
    public static let narrowStep = narrow - sealed
    /// The first version of files that were migrated from one model to another.
    ///
    /// From here on versions are those from ``narrow`` on once more, as those are the ones from
    /// ``sealed`` on: a file goes on within its range. Files with wide slots are not migrated.
    public static let migrated: UInt16 = 17
    /// What a version of migrated files has more than the one with narrow slots.
    public static let migratedStep = migrated - narrow
    /// The first bytes of the `lode` entry of the `meta` database.
    public static let magic: [UInt8] = Array("LODE".utf8)

    /// The least version that can express a model.
    ///
    /// Files with wide slots state this version, so that older libraries read all files that they
    /// understand; those with narrow slots state as much more as ``narrowStep`` says.
    public static func needed(for schema: Schema) -> UInt16 {
        if schema.hasIndexForms { return indexForms }
        let isOrdered = schema.entities.contains { entity in
            entity.relationships.contains(where: \.isRanked)
        }
        return isOrdered ? ordered : oldestReadable
    }
}

extension Relationship {
    /// Whether a file keeps the order of the destinations.
    public var isRanked: Bool { isOrdered && isToMany && !isTransient }
}
