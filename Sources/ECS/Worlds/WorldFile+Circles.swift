// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import ManagedObjects
import RecordFormat
import Store
import Worlds

/// Circles that two programs close together in an acyclic relationship: each of them has related
/// what did not lead back by the links that it knew.
///
/// The links of a file lead in no circle. So an unsaved link is in conflict with those that others
/// have saved since it was made, as another target of an exclusive source is.
extension WorldFile {
    /// Notes that links of others came beside unsaved ones.
    func noteMeeting(in column: Column) {
        if column.isAcyclic, column.isDirty { meetings.insert(column.type.name) }
    }

    /// - Throws: 133020 if an unsaved link is a part of a circle.
    func refuseCircles(_ types: [StoredColumnType], _ snapshot: StoreSnapshot) throws {
        let columns = world.columns.filter { $0.isAcyclic && $0.isDirty }
        guard !columns.isEmpty else { return }
        var met: [ComingLinks] = []
        for column in columns {
            var links = ComingLinks(column)
            var hasMet = meetings.contains(column.type.name)
            if let type = types.first(where: { $0.name == column.type.name }) {
                try forEachNewer(type, snapshot) { bytes, _, chunk, _ in
                    hasMet = true
                    links.take(bytes, ofChunk: chunk)
                }
            }
            if hasMet { met.append(links) }
        }
        guard !met.isEmpty else { return }
        let gone = try Set(pendingDepartures.objects.map(\.row)).union(despawnedRows)
            .union(despawnedElsewhere(types, snapshot))
        for links in met {
            guard let (source, target) = links.closing(without: gone) else { continue }
            throw CoreDataError.make(
                .managedObjectMerge,
                "\(links.column.type.name) is acyclic, and \(world.id(ofRow: target)), to which "
                    + "\(world.id(ofRow: source)) was related here, leads back to it by what "
                    + "another context or program has saved; end one of the links, roll back, or "
                    + "set a merge policy")
        }
    }

    /// Takes unsaved links back that would close circles, once links of game objects that are gone
    /// have been ended.
    func settleCircles() {
        guard !meetings.isEmpty else { return }
        let gone = Set(pendingDepartures.objects.map(\.row))
        for column in world.columns where meetings.contains(column.type.name) {
            column.takeBackCircles(world.tick, world, without: gone)
        }
        meetings = []
    }

    /// The rows of the game objects that others have despawned since the last look.
    private func despawnedElsewhere(
        _ types: [StoredColumnType], _ snapshot: StoreSnapshot
    ) throws -> Set<Int> {
        guard let type = types.first(where: { $0.name == ChunkFormat.aliveName }) else { return [] }
        var rows: Set<Int> = []
        try forEachNewer(type, snapshot) { bytes, _, chunk, column in
            rows.formUnion(column.rows(of: chunk, missingIn: bytes))
        }
        return rows
    }
}
