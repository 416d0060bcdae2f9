// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// The entities that the destinations of a relationship may have.
///
/// A key of another entity, as only a damaged file has it, would pass for an object of the
/// destination's class.
struct DestinationEntities: Sendable {
    /// Mostly one.
    private let numbers: [UInt16]

    /// The entity of a name and those that inherit from it.
    init(_ name: String, _ heirs: [String: [String]], _ catalog: Catalog) {
        var names = [name]
        var next = 0
        while next < names.count {
            names += heirs[names[next]] ?? []
            next += 1
        }
        numbers = names.compactMap { catalog.entityNumbers[$0]?.rawValue }
    }

    /// Throws unless all of some keys can be destinations.
    ///
    /// - Parameter isAscending: Whether they ascend: if the first and the last are of one entity,
    ///   all are.
    func check(
        _ keys: ContiguousArray<ObjectKey>, isAscending: Bool, owner: ObjectKey
    ) throws(RecordFormatError) {
        guard let first = keys.first, let last = keys.last else { return }
        if isAscending, first.entity == last.entity {
            return try check(first, owner)
        }
        var former = EntityNumber(rawValue: 0)
        for key in keys where key.entity != former {
            former = key.entity
            try check(key, owner)
        }
    }

    private func check(_ key: ObjectKey, _ owner: ObjectKey) throws(RecordFormatError) {
        guard !numbers.contains(key.entity.rawValue) else { return }
        throw RecordFormatError(
            .unknownNumber, "object \(owner) has a destination \(key), which is of another entity")
    }
}
