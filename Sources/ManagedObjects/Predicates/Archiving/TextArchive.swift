// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates

/// Writes predicates, expressions and sort descriptors into archives, and reads them.
///
/// Predicates and expressions are texts of the format language, so reading one is as safe as
/// parsing a format. What formats refuse because it can be evaluated with no object is read all the
/// same: a program can build it, and earlier versions took it in formats.
enum TextArchive {
    private static let format = "Lode.format"
    private static let kind = "Lode.compound"
    private static let members = "Lode.members"
    private static let key = "Lode.key"
    private static let selector = "Lode.selector"
    private static let ascending = "Lode.ascending"

    /// Why something has no text.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    static func corrupt(_ found: String) -> CocoaError {
        CocoaError(
            .coderReadCorrupt,
            userInfo: [
                NSDebugDescriptionErrorKey: "an archive of predicates or sort descriptors has "
                    + found + "; only archives that Lode has written can be read"
            ])
    }

    static func encode(_ object: some TextArchived, _ coder: NSCoder) throws {
        switch object {
        case let predicate as NSPredicate: try encode(predicate, coder)
        case let expression as NSExpression:
            let content = expression.content
            let text = try text(of: content.tree.simplified, content.values)
            coder.encode(text as NSString, forKey: format)
        case let descriptor as NSSortDescriptor: try encode(descriptor, coder)
        default: throw Refusal(description: "it is no predicate, expression or sort descriptor")
        }
    }

    /// - Throws: `CocoaError` with `coderReadCorrupt`.
    static func decode(_ type: (some TextArchived).Type, _ coder: NSCoder) throws -> Any {
        if type is NSSortDescriptor.Type { return try sortDescriptor(coder) }
        if type is NSExpression.Type {
            return ManagedExpression.make(BoundTree(try tree(string(format, coder))))
        }
        return PredicateMaking.predicate(try predicateTree(coder))
    }

    private static func string(_ key: String, _ coder: NSCoder) throws -> String {
        guard let text = coder.decodeObject(of: NSString.self, forKey: key) else {
            throw corrupt("no text for the key \(key)")
        }
        return String(describing: text)
    }

    private static func tree<Tree: PredicateSyntax>(_ text: String) throws -> Tree {
        do {
            return try Tree(archived: text)
        } catch {
            throw corrupt("a text that cannot be read: \(error)")
        }
    }
}

extension TextArchive {
    // Compounds member by member: a text has no form for those of fewer than two members.
    private static func encode(_ predicate: NSPredicate, _ coder: NSCoder) throws {
        let content = try PredicateConversion.content(of: predicate)
        guard let (type, list) = content.tree.compound else {
            let text = try text(of: content.tree.simplified, content.values)
            return coder.encode(text as NSString, forKey: format)
        }
        let texts = try list.map { try text(of: $0.simplified, content.values) as NSString }
        coder.encode(Int64(type.rawValue), forKey: kind)
        coder.encode(NSArray(array: texts), forKey: members)
    }

    private static func predicateTree(_ coder: NSCoder) throws -> PredicateTree {
        guard coder.containsValue(forKey: members) else { return try tree(string(format, coder)) }
        guard
            let texts = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: members)
                as? [String]
        else { throw corrupt("no list of members") }
        let list: [PredicateTree] = try texts.map { try tree($0) }
        let type = UInt(exactly: coder.decodeInt64(forKey: kind))
            .flatMap { NSCompoundPredicate.LogicalType(rawValue: $0) }
        switch type {
        case .and?: return .and(list)
        case .or?: return .or(list)
        case .not? where list.count == 1: return .not(list[0])
        default: throw corrupt("a compound of an unknown kind")
        }
    }

    private static func encode(_ descriptor: NSSortDescriptor, _ coder: NSCoder) throws {
        guard let descriptor = descriptor as? KeySortDescriptor, let name = descriptor.selector
        else { throw Refusal(description: "only one of a key and a selector can be") }
        if let path = descriptor.keyName { coder.encode(path as NSString, forKey: key) }
        coder.encode(name as NSString, forKey: selector)
        coder.encode(descriptor.ascending, forKey: ascending)
    }

    private static func sortDescriptor(_ coder: NSCoder) throws -> NSSortDescriptor {
        let name = try string(selector, coder)
        let keys = try coder.containsValue(forKey: key) ? string(key, coder).pathKeys : []
        guard let collation = SortKey.Collation.allCases.first(where: { $0.selector == name })
        else { throw corrupt("the selector \(name)") }
        return KeySortDescriptor(
            SortKey(
                keyPath: keys, isAscending: coder.decodeBool(forKey: ascending),
                collation: collation))
    }
}

extension TextArchive {
    /// A text that gives an equal tree.
    private static func text<Tree: PredicateSyntax>(
        of tree: Tree, _ values: [BoundValue]
    ) throws -> String {
        let content = BoundTree(tree, values)
        for value in content.used {
            switch value {
            case .block: throw Refusal(description: "a block has no text")
            case .fetch: throw Refusal(description: "a fetch has no text")
            case .deep: throw Refusal(description: "\(PredicateConversion.depthError)")
            case .constant(let constant):
                if constant.known == nil {
                    throw Refusal(
                        description: PredicateConversion.unusable(constant.stated) + " has no text")
                }
            }
        }
        let tree = content.described
        let text = "\(try tree.replacing { try $0.spelledOut() })"
        guard let back = try? Tree(archived: text), back == tree else {
            throw Refusal(description: "its text \(text) has another meaning")
        }
        return text
    }
}

extension PredicateTree {
    fileprivate var compound: (NSCompoundPredicate.LogicalType, [PredicateTree])? {
        switch self {
        case .and(let members): (.and, members)
        case .or(let members): (.or, members)
        case .not(let operand): (.not, [operand])
        case .constant, .comparison: nil
        }
    }

    /// The predicate with what compounds of fewer than two members say in their place.
    fileprivate var simplified: PredicateTree {
        switch self {
        case .constant: return self
        case .comparison(var comparison):
            comparison.left = comparison.left.simplified
            comparison.right = comparison.right.simplified
            return .comparison(comparison)
        case .not(let operand): return .not(operand.simplified)
        case .and(let members):
            if members.count == 1 { return members[0].simplified }
            return members.isEmpty ? .constant(true) : .and(members.map(\.simplified))
        case .or(let members):
            if members.count == 1 { return members[0].simplified }
            return members.isEmpty ? .constant(false) : .or(members.map(\.simplified))
        }
    }
}

extension ExpressionTree {
    /// The expression with its predicates simplified.
    fileprivate var simplified: ExpressionTree {
        replacing { part in
            switch part {
            case .subquery(let collection, let variable, let predicate):
                .subquery(collection.simplified, variable: variable, predicate.simplified)
            case .conditional(let predicate, let first, let second):
                .conditional(predicate.simplified, first.simplified, second.simplified)
            default: nil
            }
        }
    }

    /// A constant in a form that is read as one of the same type; nil for what is already.
    ///
    /// - Throws: For an object, whose key is another one in each file.
    fileprivate func spelledOut() throws -> ExpressionTree? {
        guard case .constant(let operand) = self else { return nil }
        switch operand {
        case .value(.boolean(let flag)): return .cast(flag ? "1" : "0", "boolean")
        case .value(.float(let number)): return .cast("\(number)", "float")
        case .value(.objectID):
            throw TextArchive.Refusal(
                description: "an object has no text; compare with a variable instead")
        case .value: return nil
        case .list(let members):
            let expressions = members.map { ExpressionTree.constant($0) }
            let spelled = try expressions.map { try $0.spelledOut() }
            guard spelled.contains(where: { $0 != nil }) else { return nil }
            return .aggregate(zip(spelled, expressions).map { $0 ?? $1 })
        }
    }

    private static func cast(_ text: String, _ type: String) -> ExpressionTree {
        .function(
            FunctionName.cast, [.constant(.value(.string(text))), .constant(.value(.string(type)))])
    }
}
