// SPDX-License-Identifier: Apache-2.0

/// A predicate whose constant patterns and lists were made ready, to evaluate many times.
public struct PreparedPredicate: Sendable {
    indirect enum Node: Sendable {
        case constant(Bool)
        case not(Node)
        case and([Node])
        case or([Node])
        case comparison(Comparison, Matcher)
    }

    private let root: Node
    private var allowance: SearchAllowance?

    /// Makes a predicate ready.
    ///
    /// - Throws: ``PredicateEvaluationError`` with code `invalidPattern` for a constant regular
    ///   expression that cannot be read.
    public init(_ predicate: Predicate) throws(PredicateEvaluationError) {
        root = try Node(predicate)
    }

    /// The predicate for the objects of one fetch, with a bound on the steps that its regular
    /// expressions take on all of them.
    ///
    /// The bound grows with each text, so that a pattern which reads texts a few times never meets
    /// it. Beyond it evaluation throws ``PredicateEvaluationError`` with code `tooManySteps`.
    public func limited() -> PreparedPredicate {
        var copy = self
        copy.allowance = SearchAllowance()
        return copy
    }

    /// Whether an object satisfies the predicate, see
    /// ``Predicate/evaluate(with:variables:)-(PredicateSubject,_)``.
    public func evaluate(
        with subject: any PredicateSubject, variables: [String: SubjectOperand] = [:]
    ) throws -> Bool {
        try Scope(root: .subject(subject), variables: variables, allowance: allowance).holds(root)
    }

    /// Whether a value, an object or a collection satisfies the predicate; `SELF` is the operand.
    public func evaluate(
        with operand: SubjectOperand, variables: [String: SubjectOperand] = [:]
    ) throws -> Bool {
        try Scope(root: operand, variables: variables, allowance: allowance).holds(root)
    }
}

extension PreparedPredicate.Node {
    init(_ predicate: Predicate) throws(PredicateEvaluationError) {
        switch predicate {
        case .constant(let value): self = .constant(value)
        case .not(let operand): self = .not(try Self(operand))
        case .and(let members): self = .and(try Self.nodes(members))
        case .or(let members): self = .or(try Self.nodes(members))
        case .comparison(let comparison):
            self = .comparison(comparison, try Matcher(comparison))
        }
    }

    private static func nodes(
        _ members: [Predicate]
    ) throws(PredicateEvaluationError) -> [Self] {
        var nodes: [Self] = []
        for member in members { nodes.append(try Self(member)) }
        return nodes
    }
}

extension Predicate {
    /// Whether an object satisfies the predicate.
    ///
    /// An ordering with nil, a text operator on nil and values of types that cannot be compared
    /// are false. `x != "a"` is true for nil, as `x == "a"` is false. `ANY` is false and `ALL`
    /// true for an empty collection. To evaluate many objects, prepare the predicate once, see
    /// ``PreparedPredicate``.
    ///
    /// - Parameters:
    ///   - subject: The object that keys are read of.
    ///   - variables: Values for `$name` variables.
    /// - Throws: ``PredicateEvaluationError``, and what the subject throws for its keys.
    public func evaluate(
        with subject: any PredicateSubject, variables: [String: SubjectOperand] = [:]
    ) throws -> Bool {
        try PreparedPredicate(self).evaluate(with: subject, variables: variables)
    }

    /// Whether a value, an object or a collection satisfies the predicate; `SELF` is the operand.
    ///
    /// - Throws: As ``evaluate(with:variables:)-(PredicateSubject,_)``.
    public func evaluate(
        with operand: SubjectOperand, variables: [String: SubjectOperand] = [:]
    ) throws -> Bool {
        try PreparedPredicate(self).evaluate(with: operand, variables: variables)
    }
}

extension Expression {
    /// The expression's value for an object.
    ///
    /// - Throws: ``PredicateEvaluationError``, and what the subject throws for its keys.
    public func value(
        with subject: any PredicateSubject, variables: [String: SubjectOperand] = [:]
    ) throws -> SubjectOperand {
        try Scope(root: .subject(subject), variables: variables).value(of: self)
    }

    /// The expression's value; `SELF` is the operand.
    ///
    /// - Throws: As ``value(with:variables:)-(PredicateSubject,_)``.
    public func value(
        with operand: SubjectOperand, variables: [String: SubjectOperand] = [:]
    ) throws -> SubjectOperand {
        try Scope(root: operand, variables: variables).value(of: self)
    }
}
