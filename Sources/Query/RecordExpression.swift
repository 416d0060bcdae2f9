// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// An expression that is computed from records, without making objects.
///
/// An expression is immutable and may be used from several threads, each with its own snapshot.
public struct RecordExpression: Sendable {
    private let expression: Expression

    /// Makes an expression ready.
    public init(_ expression: Expression) {
        self.expression = expression
    }

    /// The value for one object.
    ///
    /// - Throws: ``Store/StoreError`` for a damaged file, ``QueryError`` for an unknown key,
    ///   `PredicateEvaluationError` for a function that does not apply to its arguments.
    public func value(
        _ key: ObjectKey, _ record: RecordView, _ snapshot: StoreSnapshot
    ) throws -> SubjectOperand {
        try expression.value(with: RecordSubject(key, record, snapshot))
    }

    /// The object as evaluation sees it; valid until the snapshot moves.
    public static func operand(
        _ key: ObjectKey, _ record: RecordView, _ snapshot: StoreSnapshot
    ) -> SubjectOperand {
        .subject(RecordSubject(key, record, snapshot))
    }

    /// An object whose record is read when a key of it is asked for.
    public static func operand(_ key: ObjectKey, _ snapshot: StoreSnapshot) -> SubjectOperand {
        .subject(RecordSubject(key, snapshot))
    }
}
