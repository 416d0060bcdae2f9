// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

/// A tree of predicates or of expressions.
protocol PredicateSyntax: Hashable, Sendable {
    init(format: String, arguments: [Argument]) throws(PredicateSyntaxError)
    init(archived text: String) throws(PredicateSyntaxError)
    func replacing(
        _ replacement: (ExpressionTree) throws -> ExpressionTree?
    ) rethrows -> Self
    func substituting(_ constants: [String: ExpressionTree]) -> Self
    func forEachExpression(_ body: (ExpressionTree) -> Void)
    /// The tree with the values of a dictionary in its place where `IN` looks for a member.
    func withMembersOfDictionaries(_ values: [BoundValue], in store: String?) -> Self
}

extension PredicateTree: PredicateSyntax {
    func withMembersOfDictionaries(_ values: [BoundValue], in store: String?) -> PredicateTree {
        guard values.contains(where: { $0.ownValue != nil }) else { return self }
        return mappingComparisons { comparison in
            guard comparison.operator == .in, let index = StandIn.index(comparison.right),
                let members = values[index].membersOfDictionary(in: store)
            else { return comparison }
            var among = comparison
            among.right = .constant(members)
            return among
        }
    }
}

extension ExpressionTree: PredicateSyntax {
    func withMembersOfDictionaries(_ values: [BoundValue], in store: String?) -> ExpressionTree {
        self
    }
}

/// A tree with the values of the program that its stand-ins name.
///
/// What Foundation's classes show of predicates and expressions is derived from it, and so is
/// what stores run, see ``resolved(for:)``. Parts of a tree share the list of values.
struct BoundTree<Tree: PredicateSyntax> {
    let tree: Tree
    let values: [BoundValue]

    init(_ tree: Tree, _ values: [BoundValue] = []) {
        self.tree = tree
        self.values = values
    }

    /// The tree with constants in the place of stand-ins.
    ///
    /// - Throws: 134070 for a value that predicates do not compare, and for a block where none can
    ///   be called.
    func resolved(for purpose: TreePurpose) throws -> Tree {
        if values.isEmpty { return tree }
        if purpose.evaluation == nil { try refuseBlocks() }
        return try tree.withMembersOfDictionaries(values, in: purpose.store).replacing {
            expression in
            guard let index = StandIn.index(expression) else { return nil }
            // Of objects in memory it is asked as a variable, see `ownValues`.
            if purpose.evaluation != nil, values[index].ownValue != nil { return nil }
            if case .function(_, let arguments) = expression {
                return .constant(try called(values[index], arguments, purpose))
            }
            return .constant(try operand(values[index], purpose))
        }
    }

    /// Refuses what no store can be asked before a fetch runs for it.
    private func refuseBlocks() throws {
        guard values.contains(where: \.isFetch) else { return }
        for case .block in used { throw PredicateConversion.blockError }
    }

    /// The tree with what its fetches find now, so that they run once for many objects.
    var withFetchesRun: BoundTree {
        guard values.contains(where: \.isFetch) else { return self }
        return BoundTree(
            tree,
            values.map { value in
                guard case .fetch(let fetch) = value else { return value }
                let found = fetch.expressionValue(with: nil, context: nil)
                return .constant(
                    BoundConstant(found, as: PredicateConversion.operand(found) ?? .list([])))
            })
    }

    /// What has no constant in the tree of an evaluation, by the names of the stand-ins.
    var ownValues: [String: SubjectOperand] {
        var result: [String: SubjectOperand] = [:]
        for (index, value) in values.enumerated() {
            guard let own = value.ownValue else { continue }
            result[StandIn.name(index)] = PredicateConversion.subject(own)
        }
        return result
    }

    private func operand(_ value: BoundValue, _ purpose: TreePurpose) throws -> Operand {
        switch value {
        case .constant(let constant):
            if let operand = constant.operand(in: purpose.store) { return operand }
            throw PredicateConversion.unusableError(constant.stated)
        case .fetch(let fetch):
            guard purpose.runsFetches else { return .list([]) }
            let found = fetch.expressionValue(with: nil, context: nil)
            return PredicateConversion.operand(found, in: purpose.store) ?? .list([])
        case .block: throw PredicateConversion.blockError
        case .deep: throw PredicateConversion.depthError
        }
    }

    /// What a block returns, as an operand.
    private func called(
        _ value: BoundValue, _ arguments: [ExpressionTree], _ purpose: TreePurpose
    ) throws -> Operand {
        guard case .block(let block) = value, let evaluation = purpose.evaluation else {
            throw PredicateConversion.blockError
        }
        let result = try self.result(of: block, arguments, evaluation)
        guard let operand = PredicateConversion.operand(result, in: purpose.store) else {
            throw PredicateConversion.unusableError(result)
        }
        return operand
    }

    /// What a block returns.
    func result(
        of block: ExpressionBlock, _ arguments: [ExpressionTree],
        _ evaluation: TreePurpose.Evaluation
    ) throws -> Any {
        let parts = try arguments.map { argument in
            try BoundTree<ExpressionTree>(argument, values).value(evaluation) ?? NSNull()
        }
        return block.body(evaluation.object, parts, evaluation.bindings)
    }

    /// The tree with operands for what predicates compare; what else there is has no name in it.
    var described: Tree { described(null: .constant(.value(.null))) }

    /// The text of the format language, with `<null>` for an `NSNull`, as Foundation writes it.
    var text: String { "\(described(null: .variable("<null>"), isText: true))" }

    private func described(null: ExpressionTree, isText: Bool = false) -> Tree {
        if values.isEmpty { return tree }
        return tree.replacing { expression in
            guard let index = StandIn.index(expression) else { return nil }
            switch (values[index], expression) {
            case (.constant(let constant), _) where constant.stated is NSNull: return null
            case (.constant(let constant), _):
                if let operand = constant.operand(in: nil) { return .constant(operand) }
                guard isText, let stated = constant.stated else {
                    return .constant(.value(.null))
                }
                let text = "\(stated)"
                return .variable(text.hasPrefix("<") ? text : "<\(text)>")
            case (.fetch, _): return .constant(.list([]))
            case (.deep, _): return .variable("<more than \(PredicateConversion.mostLevels) deep>")
            case (.block, .function(_, let arguments)):
                return .function(
                    "BLOCK",
                    arguments.map {
                        BoundTree<ExpressionTree>($0, values)
                            .described(null: null, isText: isText)
                    })
            case (.block, _): return nil
            }
        }
    }

    /// The values that the tree names, in their order.
    var used: [BoundValue] {
        if values.isEmpty { return [] }
        var result: [BoundValue] = []
        tree.forEachExpression { expression in
            if let index = StandIn.index(expression) { result.append(values[index]) }
        }
        return result
    }

    /// Whether the tree is the same whenever and for whichever store it is resolved.
    func isSettled(in store: String?) -> Bool {
        values.allSatisfy { value in
            guard case .constant(let constant) = value, !constant.isUnsaved else { return false }
            return store.map { own in constant.stores.allSatisfy { $0 == own } } ?? true
        }
    }

    /// Whether both say the same, with equal values of the program.
    func isSame(as other: BoundTree) -> Bool {
        if values.isEmpty, other.values.isEmpty {
            return tree == other.tree || treeOfForm == other.treeOfForm
        }
        guard BoundTree(described).treeOfForm == BoundTree(other.described).treeOfForm else {
            return false
        }
        // Constants that predicates compare are in the tree; what they do not is compared here.
        let (own, others) = (telling, other.telling)
        return stores == other.stores && own.count == others.count
            && zip(own, others).allSatisfy { $0.isSame(as: $1) }
    }

    private var telling: [BoundValue] {
        used.filter { value in
            if case .constant(let constant) = value { constant.known == nil } else { true }
        }
    }

    private var stores: Set<String> { used.reduce(into: []) { $0.formUnion($1.stores) } }

    /// The tree with numbers as a format has them, in which true is 1.
    private var treeOfForm: Tree {
        tree.replacing { expression in
            guard case .constant(let operand) = expression else { return nil }
            return .constant(operand.ofForm)
        }
    }

    /// Equal for what says the same, also after objects were saved, whose keys change then.
    var hashOfForm: Int {
        let formed: Tree = tree.replacing { expression in
            if let index = StandIn.index(expression) {
                // Equal to the same constant in a format, where it is part of the tree.
                guard case .constant(let constant) = values[index], let known = constant.known
                else { return .constant(.value(.null)) }
                return .constant(known.ofForm)
            }
            guard case .constant(let operand) = expression else { return nil }
            return .constant(operand.ofForm)
        }
        // Now that a collection of constants is the list that it is in a format.
        return formed.replacing { expression in
            guard case .constant(let operand) = expression else { return nil }
            return .constant(operand.withoutObjects)
        }.hashValue
    }
}

extension Operand {
    /// The constant as it comes back from its text: numbers are integers of 64 bits or doubles, as
    /// `NSNumber`s of one value are equal, too.
    fileprivate var ofForm: Operand {
        switch self {
        case .value(.boolean(let flag)): .value(.integer64(flag ? 1 : 0))
        case .value(.integer16(let number)): .value(.integer64(Int64(number)))
        case .value(.integer32(let number)): .value(.integer64(Int64(number)))
        case .value(.float(let number)): .value(.double(Double(number)))
        case .value: self
        case .list(let members): .list(members.map(\.ofForm))
        }
    }

    /// Whether this is, or holds, an object that has no permanent identity yet.
    var namesUnsaved: Bool {
        switch self {
        case .value(.objectID(let key)): key.isTemporary
        case .value: false
        case .list(let members): members.contains(where: \.namesUnsaved)
        }
    }

    /// Whether this is an object or a list that may be of such.
    var namesObjects: Bool {
        switch self {
        case .value(.objectID): true
        case .value: false
        case .list(let members): members.isEmpty || members.contains(where: \.namesObjects)
        }
    }

    /// The constant without objects; null for one, and for a list that has nothing else.
    ///
    /// An empty list may be one of objects that have no permanent identity yet.
    fileprivate var withoutObjects: Operand {
        switch self {
        case .value(.objectID): return .value(.null)
        case .value: return self
        case .list(let members):
            let others = members.map(\.withoutObjects).filter { $0 != .value(.null) }
            return others.isEmpty ? .value(.null) : .list(others)
        }
    }
}
