// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Compares what descriptions hold.
enum StructuralEquality {
    /// Whether two values of any kind are equal; numbers are by value.
    static func equal(_ left: Any?, _ right: Any?) -> Bool {
        switch (ValueConversion.boxed(left), ValueConversion.boxed(right)) {
        case (nil, nil): return true
        case (let left?, let right?):
            if let first = left as? [AnyHashable: Any], let second = right as? [AnyHashable: Any] {
                return first.count == second.count
                    && first.allSatisfy { key, value in
                        second[key].map { equal(value, $0) } ?? false
                    }
            }
            if let first = left as? [Any], let second = right as? [Any] {
                return first.count == second.count
                    && zip(first, second).allSatisfy { equal($0, $1) }
            }
            if let first = left as? NSPredicate, let second = right as? NSPredicate {
                return samePredicate(first, second)
            }
            guard let first = left as? AnyHashable, let second = right as? AnyHashable else {
                return false
            }
            return first == second
        default: return false
        }
    }

    /// Whether two predicates say the same.
    ///
    /// Compounds are compared member by member, whether of a format or built.
    ///
    /// A subclass of a program's may decide otherwise than what it was made with says: it equals
    /// none of other classes.
    static func samePredicate(_ left: NSPredicate?, _ right: NSPredicate?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        if left === right { return true }
        guard left.isOfProgram == right.isOfProgram else { return false }
        switch (left as? NSCompoundPredicate, right as? NSCompoundPredicate) {
        case (nil, nil): return left.isEqual(right)
        case (let left?, let right?):
            return (!left.isOfProgram || type(of: left) == type(of: right))
                && left.compoundPredicateType == right.compoundPredicateType
                && samePredicates(left.subpredicates, right.subpredicates)
        default: return false
        }
    }

    /// The hash of a compound: equal for those that say the same in the same form.
    static func hash(of compound: NSCompoundPredicate) -> Int {
        var hasher = Hasher()
        hasher.combine(compound.compoundPredicateType)
        for member in compound.subpredicates { hasher.combine(member.hash) }
        return hasher.finalize()
    }

    /// The text of a compound, in the format language but for members that have none in it.
    static func text(of compound: NSCompoundPredicate) -> String {
        let type = compound.compoundPredicateType
        if type != .not, compound.subpredicates.count == 1 {
            return compound.subpredicates[0].description
        }
        let members = compound.subpredicates.map { member in
            isJoined(member) ? "(\(member.description))" : member.description
        }
        return switch type {
        case .not: "NOT " + (members.first ?? "TRUEPREDICATE")
        case .and: members.isEmpty ? "TRUEPREDICATE" : members.joined(separator: " AND ")
        case .or: members.isEmpty ? "FALSEPREDICATE" : members.joined(separator: " OR ")
        }
    }

    /// Whether the text of a predicate has `AND` or `OR` outside of parentheses.
    private static func isJoined(_ predicate: NSPredicate) -> Bool {
        guard let compound = predicate as? NSCompoundPredicate,
            compound.compoundPredicateType != .not
        else { return false }
        let members = compound.subpredicates
        return members.count == 1 ? isJoined(members[0]) : members.count > 1
    }

    /// Whether two lists of predicates say the same, in the same order.
    static func samePredicates(_ left: [NSPredicate], _ right: [NSPredicate]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { samePredicate($0, $1) }
    }

    /// Whether two requests look for the same.
    static func sameSearch(
        _ left: NSFetchRequest<any NSFetchRequestResult>?,
        _ right: NSFetchRequest<any NSFetchRequestResult>?
    ) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left === right
            || left.entityName == right.entityName
                && samePredicate(left.predicate, right.predicate)
                && left.sortDescriptors ?? [] == right.sortDescriptors ?? []
                && left.fetchLimit == right.fetchLimit && left.fetchOffset == right.fetchOffset
                && left.resultType == right.resultType
                && left.includesSubentities == right.includesSubentities
                && samePredicate(left.havingPredicate, right.havingPredicate)
                && left.returnsDistinctResults == right.returnsDistinctResults
                && equal(left.propertiesToFetch, right.propertiesToFetch)
                && equal(left.propertiesToGroupBy, right.propertiesToGroupBy)
    }
}

extension NSEntityDescription {
    func hasStructure(of other: NSEntityDescription) -> Bool {
        name == other.name && managedObjectClassName == other.managedObjectClassName
            && isAbstract == other.isAbstract && renamingIdentifier == other.renamingIdentifier
            && superentity?.name == other.superentity?.name
            && Set(subentities.map(\.name)) == Set(other.subentities.map(\.name))
            && declaredProperties.count == other.declaredProperties.count
            && propertiesByName == other.propertiesByName && indexes == other.indexes
            && StructuralEquality.equal(uniquenessConstraints, other.uniquenessConstraints)
            && StructuralEquality.equal(userInfo, other.userInfo)
    }
}

extension NSManagedObjectModel {
    func hasStructure(of other: NSManagedObjectModel) -> Bool {
        entities.count == other.entities.count && entitiesByName == other.entitiesByName
            && versionIdentifiers == other.versionIdentifiers
            && configurationNames == other.configurationNames
            && templates.count == other.templates.count
            && templates.allSatisfy { name, request in
                StructuralEquality.sameSearch(request, other.templates[name])
            }
    }

    private var configurationNames: [String: Set<String?>] {
        entitiesByConfiguration.mapValues { Set($0.map(\.name)) }
    }
}
