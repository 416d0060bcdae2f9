// SPDX-License-Identifier: Apache-2.0

import Schema

/// A link of a relationship with an inverse that leads to an object which is gone.
public struct DanglingLink: Sendable, Hashable {
    /// The object that the link starts from, which is there.
    public let owner: ObjectKey
    /// The name of the relationship.
    public let relationship: String
    /// The object that the link leads to, which is not.
    public let destination: ObjectKey
}

extension Store {
    /// The links of relationships with an inverse that lead to objects which are gone.
    ///
    /// They are no damage: the rule "no action" leaves such links, and they are left out where the
    /// destination's side has this rule. Other ones come from programs that delete records without
    /// a rule.
    ///
    /// - Throws: ``StoreError`` with `damaged` for a record or link that cannot be read.
    /// - Complexity: O(n log n) in the number of links.
    public func danglingLinks() throws(StoreError) -> [DanglingLink] {
        do {
            return try ContentCheck(store: self, snapshot: try makeSnapshot()).danglingLinks()
        } catch {
            throw StoreError(wrapping: error, path: path)
        }
    }
}

extension ContentCheck {
    fileprivate func danglingLinks() throws -> [DanglingLink] {
        var found: [DanglingLink] = []
        var checked: Set<UInt32> = []
        for table in store.tables {
            for relationship in table.relationships
            where checked.insert(relationship.number.rawValue).inserted {
                guard let inverse = inverse(of: relationship),
                    inverse.relationship.deleteRule != .noAction
                else { continue }
                for link in try pairs(of: relationship) {
                    let destination = ObjectKey(rawValue: link.destination)
                    guard try snapshot.record(for: destination) == nil else { continue }
                    found.append(
                        DanglingLink(
                            owner: ObjectKey(rawValue: link.owner),
                            relationship: relationship.relationship.name,
                            destination: destination))
                }
            }
        }
        return found
    }
}
