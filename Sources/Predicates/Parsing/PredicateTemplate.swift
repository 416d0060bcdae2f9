// SPDX-License-Identifier: Apache-2.0

/// A predicate format that was read once, to be used with other arguments again.
///
/// Only where arguments stand alone, as one side of a comparison or a member of a list there, does
/// the tree of a format not depend on what they are; other formats have no template.
package final class PredicateTemplate: Sendable {
    private let root: Node
    private let conversions: [Conversion]
    /// The key paths that the format was read with, and which arguments they are.
    private let keyPaths: [(place: Int, text: String)]

    private indirect enum Node: Sendable {
        case fixed(Predicate)
        case not(Node)
        case and([Node])
        case or([Node])
        case comparison(Comparison, left: Side, right: Side)
    }

    private indirect enum Side: Sendable {
        case fixed(Expression)
        case argument(Int)
        case list([Side])
    }

    /// Reads a format.
    ///
    /// - Parameter arguments: Those of the first use; their key paths become part of the template.
    /// - Returns: `nil` for a format that has to be read with its arguments each time.
    package init?(format: String, arguments: [Argument]) {
        guard !DeepFormat.needsStack(format),
            let conversions = try? PredicateTemplate.conversions(of: format),
            conversions.count == arguments.count,
            var parser = try? Parser(format: format, arguments: arguments)
        else { return nil }
        parser.leavesArgumentsOpen = true
        guard let item = try? parser.item(), let tree = try? parser.predicate(item),
            (try? parser.finish(expecting: "the end")) != nil
        else { return nil }
        var builder = Builder()
        guard let root = builder.node(tree) else { return nil }
        self.root = root
        self.conversions = conversions
        var keyPaths: [(Int, String)] = []
        for place in conversions.indices where conversions[place] == .keyPath {
            guard let text = arguments[place].keyPathText else { return nil }
            keyPaths.append((place, text))
        }
        self.keyPaths = keyPaths
        // Each argument has to have its place, and in their order.
        let open = conversions.indices.filter { conversions[$0] != .keyPath }
        if builder.places != open { return nil }
    }

    private static func conversions(
        of format: String
    ) throws(PredicateSyntaxError) -> [Conversion] {
        var lexer = Lexer(format)
        var found: [Conversion] = []
        while true {
            lexer.skipWhitespace()
            switch try lexer.next() {
            case .end: return found
            case .conversion(let conversion): found.append(conversion)
            default: break
            }
        }
    }

    /// What the format gives with arguments; `nil` where they are not what it wants, or where its
    /// key paths are others than the template's.
    package func predicate(_ arguments: [Argument]) -> Predicate? {
        guard arguments.count == conversions.count,
            keyPaths.allSatisfy({ place, text in
                // By their bytes: texts that Swift takes for equal may name two properties.
                arguments[place].keyPathText?.utf8.elementsEqual(text.utf8) == true
            })
        else { return nil }
        return fill(root, arguments)
    }

    private func fill(_ node: Node, _ arguments: [Argument]) -> Predicate? {
        switch node {
        case .fixed(let predicate): return predicate
        case .not(let operand): return fill(operand, arguments).map { .not($0) }
        case .and(let members): return fill(members, arguments).map { .and($0) }
        case .or(let members): return fill(members, arguments).map { .or($0) }
        case .comparison(var comparison, let left, let right):
            guard let left = fill(left, arguments), let right = fill(right, arguments) else {
                return nil
            }
            (comparison.left, comparison.right) = (left, right)
            // Where it is none, reading the format says why.
            return comparison.fault == nil ? .comparison(comparison) : nil
        }
    }

    private func fill(_ members: [Node], _ arguments: [Argument]) -> [Predicate]? {
        var filled: [Predicate] = []
        filled.reserveCapacity(members.count)
        for member in members {
            guard let predicate = fill(member, arguments) else { return nil }
            filled.append(predicate)
        }
        return filled
    }

    private func fill(_ side: Side, _ arguments: [Argument]) -> Expression? {
        switch side {
        case .fixed(let expression): return expression
        case .argument(let place): return conversions[place].expression(of: arguments[place])
        case .list(let members):
            var filled: [Expression] = []
            for member in members {
                guard let expression = fill(member, arguments) else { return nil }
                filled.append(expression)
            }
            let aggregate = Expression.aggregate(filled)
            return aggregate.constantOperand.map { .constant($0) } ?? aggregate
        }
    }

    /// Looks for the places of arguments in a tree.
    private struct Builder {
        /// The arguments that have a place, in the order of the tree.
        var places: [Int] = []

        mutating func node(_ tree: Predicate) -> Node? {
            switch tree {
            case .constant: return .fixed(tree)
            case .not(let operand): return node(operand).map { .not($0) }
            case .and(let members): return nodes(members).map { .and($0) }
            case .or(let members): return nodes(members).map { .or($0) }
            case .comparison(let comparison):
                let count = places.count
                guard let left = side(comparison.left), let right = side(comparison.right) else {
                    return nil
                }
                if places.count == count { return .fixed(tree) }
                return .comparison(comparison, left: left, right: right)
            }
        }

        private mutating func nodes(_ members: [Predicate]) -> [Node]? {
            var nodes: [Node] = []
            for member in members {
                guard let node = node(member) else { return nil }
                nodes.append(node)
            }
            return nodes
        }

        private mutating func side(_ expression: Expression) -> Side? {
            switch expression {
            case .variable(let name):
                guard let place = OpenArgument.place(name) else { return .fixed(expression) }
                places.append(place)
                return .argument(place)
            case .aggregate(let members):
                var sides: [Side] = []
                for member in members {
                    guard let side = side(member) else { return nil }
                    sides.append(side)
                }
                return .list(sides)
            default:
                let isOpen = expression.variables.contains { OpenArgument.place($0) != nil }
                return isOpen ? nil : .fixed(expression)
            }
        }
    }
}

extension Argument {
    /// The text of a key path that may stand for `%K`.
    fileprivate var keyPathText: String? {
        switch self {
        case .keyPath(let text), .operand(.value(.string(let text))): text
        default: nil
        }
    }
}

/// The variables that a parser leaves in the places of arguments; no format can name them.
enum OpenArgument {
    static func name(_ place: Int) -> String { "%open \(place)" }

    static func place(_ name: String) -> Int? {
        name.hasPrefix("%open ") ? Int(name.dropFirst(6)) : nil
    }
}
