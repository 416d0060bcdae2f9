// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

extension Catalog {
    /// Checks a catalog that was read from a file.
    ///
    /// Every name of the stored model must have a number of its own and the next numbers must be
    /// free, or later look-ups would trap; the layout must be that of the model, or typed loads
    /// would leave their records.
    func validate() throws(RecordFormatError) {
        try validateUniqueness(entityNumbers.values.map { UInt32($0.rawValue) }, UInt32(nextEntity))
        try validateUniqueness(propertyNumbers.values.map(\.rawValue), nextProperty)
        try validateUniqueness(indexNumbers.values.map(\.rawValue), nextIndex)
        try validateUniqueness(layouts.numbers, UInt32(nextLayout))
        // New indexes get numbers behind it; a file that has had as many is damaged.
        guard nextIndex < 1 << 31 else {
            throw RecordFormatError(
                .unknownNumber, "the next index of the catalog has the number \(nextIndex)")
        }
        for entity in schema.entities where !isComplete(entity) {
            throw RecordFormatError(
                .unknownNumber, "the catalog lacks numbers for entity \(entity.name)")
        }
    }

    private func validateUniqueness(
        _ numbers: [UInt32], _ next: UInt32
    ) throws(RecordFormatError) {
        let sorted = numbers.sorted()
        let isUnique = zip(sorted, sorted.dropFirst()).allSatisfy { $0 < $1 }
        guard sorted.first != 0 else {
            throw RecordFormatError(.unknownNumber, "the catalog gives the number 0")
        }
        guard isUnique, sorted.last.map({ $0 < next }) ?? true else {
            throw RecordFormatError(
                .unknownNumber, "the catalog gives a number twice, or one above \(next)")
        }
    }

    private func isComplete(_ entity: Entity) -> Bool {
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        guard entityNumbers[entity.name] != nil,
            names.allSatisfy({ hasNumber(of: $0, in: entity.name) }),
            entity.indexes.allSatisfy({ hasNumber(of: $0, in: entity.name) }),
            let layout = currentLayouts[entity.name].flatMap({ layouts[UInt32($0)] })
        else { return false }
        let fields = entity.storedFields
        return fields.count == layout.fields.count
            && zip(fields, layout.fields).allSatisfy { field, slot in
                field.type == slot.type && number(of: field.name, in: entity.name) == slot.number
            }
    }
}
