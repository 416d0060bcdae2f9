// SPDX-License-Identifier: Apache-2.0

import Store

/// What all objects of one entity are written with.
struct WritePlace {
    let ordinal: Int
    let table: EntityTable
    let derived: (any DerivedEntries.Type)?

    init(of object: NSManagedObject, _ writer: SaveWriter) {
        ordinal = object.runtimeOrdinal
        table = writer.target.table(ordinal)
        derived = writer.derivedEntries(of: object)
    }
}

extension SaveWriter {
    /// Calls a body with objects in the order of the keys, so that each page is found and copied
    /// once.
    @inline(__always)
    func forEach(
        _ list: WriteList, _ body: (NSManagedObject, WritePlace) throws -> Void
    ) rethrows {
        let (objects, order) = (list.objects, list.keyOrder)
        guard let first = objects.first else { return }
        var place = WritePlace(of: first, self)
        var lookAhead = LookAhead()
        for index in order.indices {
            lookAhead.update(index, order, objects)
            // SAFETY: the local list holds its objects throughout.
            try Unmanaged.passUnretained(objects[order[index]])._withUnsafeGuaranteedRef { object in
                if object.runtimeOrdinal != place.ordinal { place = WritePlace(of: object, self) }
                try body(object, place)
            }
        }
    }
}
