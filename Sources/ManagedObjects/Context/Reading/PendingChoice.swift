// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// The values one of which an unsaved object must have to match, as a predicate says.
///
/// What has none of them is left out without an evaluation, and what has one is found by an index.
enum PendingChoice {
    /// One value.
    case equal(QuickEquality)
    /// One of several, as lists and alternatives say.
    case any([PendingChoice])
    /// All of several: to look for one of them is enough.
    case all([PendingChoice])

    /// So many conditions of a conjunction are looked at.
    private static var mostConditions: Int { 4 }
    /// So few objects are evaluated before another condition is asked.
    private static var fewObjects: Int { 16 }

    /// - Parameters:
    ///   - predicate: The predicate; nil for none, which chooses nothing.
    ///   - keyHere: As in ``QuickEquality``.
    init?(
        _ predicate: PredicateTree?, _ runtime: EntityRuntime,
        _ keyHere: ((ObjectKey) -> ObjectKey)?
    ) {
        guard let predicate, let choice = PendingChoice(part: predicate, runtime, keyHere) else {
            return nil
        }
        self = choice
        if case .equal = choice { return }
        // The index would forget an attribute to learn the next one.
        var attributes: Set<String> = []
        choice.forEachEquality { attributes.insert($0.attribute) }
        if attributes.count > PendingIndex.greatestCount { return nil }
    }

    private init?(
        part: PredicateTree, _ runtime: EntityRuntime, _ keyHere: ((ObjectKey) -> ObjectKey)?
    ) {
        switch part {
        case .comparison(let comparison):
            if let equality = QuickEquality(comparison, runtime, keyHere) {
                self = .equal(equality)
            } else if let list = PendingChoice.list(comparison, runtime, keyHere) {
                self = .any(list)
            } else {
                return nil
            }
        case .or(let members):
            let found = members.compactMap { PendingChoice(part: $0, runtime, keyHere) }
            if found.count < members.count || found.isEmpty { return nil }
            self = .any(found)
        case .and(let members):
            var found = members.compactMap { PendingChoice(part: $0, runtime, keyHere) }
            if let unique = found.firstIndex(where: \.isOfUniqueAttribute) {
                self = found[unique]
                return
            }
            found.removeLast(max(0, found.count - PendingChoice.mostConditions))
            guard let first = found.first else { return nil }
            self = found.count == 1 ? first : .all(found)
        case .constant, .not: return nil
        }
    }

    /// What `key IN constants` looks for; nil for other conditions, and if not all of its constants
    /// have a quick form.
    private static func list(
        _ comparison: Comparison, _ runtime: EntityRuntime, _ keyHere: ((ObjectKey) -> ObjectKey)?
    ) -> [PendingChoice]? {
        // All of no members are in any list, also in an empty one.
        guard comparison.operator == .in, comparison.modifier == .direct,
            case .list(let constants)? = comparison.right.constantOperand
        else { return nil }
        var found: [PendingChoice] = []
        for constant in constants {
            guard
                let equality = QuickEquality(
                    comparison, comparison.left, constant, runtime, keyHere)
            else { return nil }
            found.append(.equal(equality))
        }
        return found
    }

    private var isOfUniqueAttribute: Bool {
        if case .equal(let equality) = self { equality.isOfUniqueAttribute } else { false }
    }

    private func forEachEquality(_ body: (QuickEquality) -> Void) {
        switch self {
        case .equal(let equality): body(equality)
        case .any(let members), .all(let members): members.forEach { $0.forEachEquality(body) }
        }
    }

    /// How many values there are to look for.
    var valueCount: Int {
        var count = 0
        forEachEquality { _ in count += 1 }
        return count
    }

    /// Whether an object cannot match.
    func rejects(_ object: NSManagedObject) -> Bool {
        switch self {
        case .equal(let equality): equality.rejects(object)
        case .any(let members): members.allSatisfy { $0.rejects(object) }
        case .all(let members): members.contains { $0.rejects(object) }
        }
    }

    /// The inserted and updated objects that may match; some come twice, and some have no changes
    /// any more.
    ///
    /// - Returns: `nil` if all of them have to be looked at.
    func candidates(among unsaved: UnsavedLists, _ index: PendingIndex) -> [NSManagedObject]? {
        candidates(among: unsaved, index, atMost: .max)
    }

    private func candidates(
        among unsaved: UnsavedLists, _ index: PendingIndex, atMost bound: Int
    ) -> [NSManagedObject]? {
        switch self {
        case .equal(let equality):
            var found: [NSManagedObject] = []
            let isFound = index.forEach(equality, unsaved) {
                found.append($0)
                return found.count <= bound
            }
            return isFound && found.count <= bound ? found : nil
        case .any(let members):
            var found: [NSManagedObject] = []
            for member in members {
                let more = member.candidates(among: unsaved, index, atMost: bound - found.count)
                guard let more else { return nil }
                found += more
            }
            return found
        case .all(let members):
            var few = PendingChoice.fewObjects
            while true {
                for member in members {
                    let most = min(bound, few)
                    let found = member.candidates(among: unsaved, index, atMost: most)
                    if let found { return found }
                }
                // None of them has an index, or all have more objects than may be.
                if few >= min(bound, unsaved.count) { return nil }
                few *= 4
            }
        }
    }
}
