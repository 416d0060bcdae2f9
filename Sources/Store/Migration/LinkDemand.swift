// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// What the new model demands of the number of destinations that the objects of an entity have,
/// where objects that were valid by the stored model may fail it.
struct LinkDemand {
    /// Where the stored model has the destinations.
    enum Place: Equatable {
        /// The relationship is new.
        case nowhere
        /// In a slot of the record, by its position.
        case slot(Int)
        /// In the database of a to-many relationship.
        case links(PropertyNumber)
    }

    /// The relationship in the new model.
    let relationship: Relationship
    /// Where its destinations are.
    let place: Place
    private let former: Relationship?

    /// - Returns: Nil if no object can fail.
    init?(
        _ relationship: Relationship, from source: String?, of entity: Entity, _ catalog: Catalog,
        removed: [String]
    ) {
        guard !relationship.isTransient else { return nil }
        self.relationship = relationship
        former = source.flatMap { entity.relationship($0) }
        guard let former else {
            guard relationship.needsDestination else { return nil }
            place = .nowhere
            return
        }
        if former.isToMany {
            place = .links(catalog.number(of: former.name, in: entity.name))
        } else {
            let position = entity.storedFields.firstIndex { $0.name == former.name }
            guard let position else { return nil }
            place = .slot(position)
        }
        let mayLose = catalog.mayLead(former, toAny: removed)
        let needsSome = relationship.needsDestination || relationship.minCount > 0
        guard needsMore || raisesMinimum || lowersMaximum || mayLose && needsSome else {
            return nil
        }
    }

    private var needsMore: Bool {
        relationship.needsDestination && former?.needsDestination != true
    }

    private var raisesMinimum: Bool { relationship.minCount > (former?.minCount ?? 0) }

    private var lowersMaximum: Bool {
        let before = former?.maxCount ?? 0
        return relationship.maxCount > 0 && (before == 0 || relationship.maxCount < before)
    }

    /// What is wrong with an object, and what to do.
    ///
    /// As at a save, a count is only checked where there is a destination, and an object that has
    /// failed the same demand of the stored model is left alone.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - before: How many destinations it has.
    ///   - count: How many of them stay.
    /// - Returns: Nil for an object that is valid.
    func complaint(about object: ObjectKey, having before: Int, keeping count: Int) -> String? {
        let isLess = count < before
        let lost = isLess ? " once those of entities that go are gone" : ""
        if count == 0 {
            guard relationship.needsDestination, needsMore || isLess else { return nil }
            return "must have a destination in the new model, and object \(object) has none"
                + "\(lost); give it one with the former model, or make the relationship optional"
        }
        if count < relationship.minCount, raisesMinimum || isLess {
            return "must have at least \(relationship.minCount) destinations in the new model, and "
                + "object \(object) has \(count)\(lost); give it more with the former model, or "
                + "lower the minimum"
        }
        if relationship.maxCount > 0, count > relationship.maxCount, lowersMaximum {
            return "must have at most \(relationship.maxCount) destinations in the new model, and "
                + "object \(object) has \(count); take some away with the former model, or raise "
                + "the maximum"
        }
        return nil
    }
}
