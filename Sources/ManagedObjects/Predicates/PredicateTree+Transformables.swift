// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// The transformable attributes that a predicate on objects of an entity may ask.
struct TransformableKeys {
    let runtime: EntityRuntime
    /// The names of all such attributes of the model, for keys whose entity is not looked for:
    /// those of members in subqueries.
    let names: Set<String>

    /// Nil for a model without transformable attributes.
    init?(_ runtime: EntityRuntime, _ model: CompiledModel) {
        guard !model.transformables.isEmpty else { return nil }
        self.runtime = runtime
        names = model.transformables
    }

    /// Whether keys of an object lead to a transformable attribute.
    func isMet(by keys: [String]) -> Bool {
        var runtime = runtime
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

    private func asks(_ keys: TransformableKeys, _ isWanted: (Comparison) -> Bool) -> Bool {
        switch self {
        case .constant: false
        case .not(let operand): operand.asks(keys, isWanted)
        case .and(let members), .or(let members): members.contains { $0.asks(keys, isWanted) }
        case .comparison(let comparison):
            isWanted(comparison) && (comparison.left.names(keys) || comparison.right.names(keys))
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
        switch (`operator`, left, right) {
        case (.equalTo, .keyPath(let keys), let value),
            (.notEqualTo, .keyPath(let keys), let value), (.in, .keyPath(let keys), let value),
            (.equalTo, let value, .keyPath(let keys)),
            (.notEqualTo, let value, .keyPath(let keys)):
            return value.isValue && !keys.contains { $0.hasPrefix("@") }
        default: return false
        }
    }

    /// Whether it compares one key path with nil.
    fileprivate var comparesNil: Bool { keyPathAndConstant == .value(.null) }

    /// What a key path is compared with.
    private var keyPathAndConstant: Operand? {
        switch (modifier, left, right) {
        case (.direct, .keyPath, .constant(let operand)),
            (.direct, .constant(let operand), .keyPath):
            operand
        default: nil
        }
    }
}

extension ExpressionTree {
    /// Whether this is a constant, of a format or of the program.
    fileprivate var isValue: Bool { constantOperand != nil || StandIn.index(self) != nil }

    fileprivate func names(_ keys: TransformableKeys) -> Bool {
        var found = false
        _ = replacing { part in
            switch part {
            case .keyPath(let path): found = found || keys.isMet(by: path)
            case .member(_, let path): found = found || path.contains(where: keys.names.contains)
            default: break
            }
            return nil
        }
        return found
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
