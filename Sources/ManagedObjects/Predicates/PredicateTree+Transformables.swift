// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// The transformable attributes that a predicate on objects of an entity may ask.
struct TransformableKeys {
    let runtime: EntityRuntime
    /// The names of all such attributes of the model, for keys whose entity is not known.
    let names: Set<String>
    /// The entities of the members of subqueries, by their variables.
    private var members: [String: EntityRuntime] = [:]

    /// Nil for a model without transformable attributes.
    init?(_ runtime: EntityRuntime, _ model: CompiledModel) {
        guard !model.transformables.isEmpty else { return nil }
        self.runtime = runtime
        names = model.transformables
    }

    /// Whether keys of what an expression gives lead to a transformable attribute.
    func isMet(by keys: [String], of base: ExpressionTree = .evaluatedObject) -> Bool {
        guard var runtime = entity(of: base) else { return keys.contains(where: names.contains) }
        for key in keys {
            if let relationship = runtime.relationship(named: key) {
                runtime = relationship.destination
                continue
            }
            if key.hasPrefix("@") { continue }
            // An attribute of a subentity may be asked for as well.
            guard case .field(let position)? = runtime.references[key] else {
                return names.contains(key)
            }
            return runtime.fieldTypes[position] == .transformable
        }
        return false
    }

    /// The same in the predicate of a subquery.
    func inside(_ collection: ExpressionTree, variable: String) -> TransformableKeys {
        var inner = self
        inner.members[variable] = entity(of: collection)
        return inner
    }

    /// The entity of the object or objects that an expression gives; nil where that is not known.
    private func entity(of expression: ExpressionTree) -> EntityRuntime? {
        switch expression {
        case .evaluatedObject: runtime
        case .keyPath(let keys): destination(of: keys, from: runtime)
        case .variable(let name): members[name]
        case .member(let base, let keys):
            entity(of: base).flatMap { destination(of: keys, from: $0) }
        case .subquery(let collection, _, _): entity(of: collection)
        case .function(let name, let arguments) where FunctionName.ofOneMember.contains(name):
            // A text as an index is a key of the object itself.
            name == FunctionName.index && arguments.last?.isInteger != true
                ? nil : arguments.first.flatMap { entity(of: $0) }
        default: nil
        }
    }

    private func destination(of keys: [String], from first: EntityRuntime) -> EntityRuntime? {
        keys.reduce(first) { $0?.relationship(named: $1)?.destination }
    }
}

extension FunctionName {
    /// The functions that give one member of a collection.
    fileprivate static let ofOneMember: Set<String> = [first, last, index]
}

extension TransformableKeys {
    /// Who can answer what a predicate asks of transformable attributes.
    enum Answerer {
        /// Any store.
        case store
        /// The objects of any store: whole values are compared, which need not have the same data
        /// each time.
        case objects
        /// The objects of stores in memory.
        case objectsInMemory
    }

    func answerer(of content: BoundTree<PredicateTree>) -> Answerer {
        // Most predicates name none of them, and are asked for each fetch.
        guard content.tree.looksInto(self) else { return .store }
        let tree = content.tree.replacing { expression in
            guard let index = StandIn.index(expression),
                case .constant(let constant) = content.values[index], let known = constant.known
            else { return nil }
            return .constant(known)
        }
        guard tree.looksInto(self) else { return .store }
        return tree.looksIntoParts(self) ? .objectsInMemory : .objects
    }
}

extension PredicateTree {
    /// Whether it asks for what a transformable attribute holds, where stores have its data only.
    ///
    /// Whether there is a value, and which data it has, stores know.
    func looksInto(_ keys: TransformableKeys) -> Bool {
        asks(keys) { !$0.comparesData && !$0.comparesNil }
    }

    /// Whether it asks for parts of what a transformable attribute holds.
    func looksIntoParts(_ keys: TransformableKeys) -> Bool {
        asks(keys) { !$0.comparesData && !$0.comparesNil && !$0.comparesWholeValues }
    }

    /// Whether it compares the data of a transformable attribute, which only stores know.
    func comparesData(_ keys: TransformableKeys) -> Bool { asks(keys) { $0.comparesData } }

    fileprivate func asks(
        _ keys: TransformableKeys, _ isWanted: (Comparison) -> Bool
    ) -> Bool {
        switch self {
        case .constant: false
        case .not(let operand): operand.asks(keys, isWanted)
        case .and(let members), .or(let members): members.contains { $0.asks(keys, isWanted) }
        case .comparison(let comparison):
            comparison.left.asks(keys, isWanted(comparison), isWanted)
                || comparison.right.asks(keys, isWanted(comparison), isWanted)
        }
    }
}

extension Comparison {
    /// Whether it compares one key path with data.
    fileprivate var comparesData: Bool {
        switch keyPathAndConstant {
        case .value(.binaryData)?, .value(.transformable)?: true
        case .list(let members)?:
            members.isEmpty ? self.operator == .in : members.allSatisfy(\.isData)
        default: false
        }
    }

    /// Whether it compares all that a key path leads to with a value, or looks for it among some.
    fileprivate var comparesWholeValues: Bool {
        guard modifier == .direct, options.isEmpty else { return false }
        switch `operator` {
        case .equalTo, .notEqualTo:
            return (left.leadsToValue && right.isValue) || (left.isValue && right.leadsToValue)
        case .in: return left.leadsToValue && right.isValue
        default: return false
        }
    }

    /// Whether it compares one key path with nil.
    fileprivate var comparesNil: Bool { keyPathAndConstant == .value(.null) }

    /// What a key path is compared with.
    private var keyPathAndConstant: Operand? {
        guard modifier == .direct else { return nil }
        switch (left, right) {
        case (let path, .constant(let operand)) where path.leadsToValue: return operand
        case (.constant(let operand), let path) where path.leadsToValue: return operand
        default: return nil
        }
    }
}

extension ExpressionTree {
    /// Whether this is a constant, of a format or of the program.
    fileprivate var isValue: Bool { constantOperand != nil || StandIn.index(self) != nil }

    /// Whether this is a whole number that the predicate states.
    fileprivate var isInteger: Bool {
        if case .value(.integer64)? = constantOperand { true } else { false }
    }

    /// Whether this is keys of one object, without what collections have.
    fileprivate var leadsToValue: Bool {
        switch self {
        case .keyPath(let keys), .member(.variable, let keys):
            !keys.contains { $0.hasPrefix("@") }
        case .member(.function(let name, _), let keys):
            FunctionName.ofOneMember.contains(name) && !keys.contains { $0.hasPrefix("@") }
        default: false
        }
    }

    /// Whether it asks for transformable attributes.
    ///
    /// - Parameters:
    ///   - counts: Whether keys of the expression count; those of predicates in it are looked at
    ///     by themselves.
    ///   - isWanted: Which comparisons of these predicates count.
    fileprivate func asks(
        _ keys: TransformableKeys, _ counts: Bool, _ isWanted: (Comparison) -> Bool
    ) -> Bool {
        func asks(_ part: ExpressionTree) -> Bool { part.asks(keys, counts, isWanted) }
        switch self {
        case .constant, .evaluatedObject, .variable: return false
        case .keyPath(let path): return counts && keys.isMet(by: path)
        case .member(let base, let path):
            return (counts && keys.isMet(by: path, of: base)) || asks(base)
        case .aggregate(let parts), .function(_, let parts): return parts.contains { asks($0) }
        case .subquery(let collection, let variable, let predicate):
            let inner = keys.inside(collection, variable: variable)
            return asks(collection) || predicate.asks(inner, isWanted)
        case .conditional(let predicate, let first, let second):
            return predicate.asks(keys, isWanted) || asks(first) || asks(second)
        }
    }
}

extension Operand {
    /// Whether it is nil, data or a list of such.
    fileprivate var isData: Bool {
        switch self {
        case .value(.null), .value(.binaryData), .value(.transformable): true
        case .value: false
        case .list(let members): members.allSatisfy(\.isData)
        }
    }
}
