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
    /// For an attribute, the position of its field by entity ordinal; nil where an entity has none.
    private let positions: [Int?]

    /// Makes an expression ready.
    ///
    /// - Parameter store: The store of all objects that it is computed for, where attributes are
    ///   to be read at once; nil to look them up by name.
    public init(_ expression: Expression, in store: Store? = nil) {
        self.expression = expression
        guard let store, case .keyPath(let keys) = expression, keys.count == 1 else {
            positions = []
            return
        }
        positions = store.tables.map { table in
            table.field(named: keys[0]).flatMap { table.fields[$0].isRelationship ? nil : $0 }
        }
    }

    /// The value for one object.
    ///
    /// - Throws: ``Store/StoreError`` for a damaged file, ``QueryError`` for an unknown key,
    ///   `PredicateEvaluationError` for a function that does not apply to its arguments.
    public func value(
        _ key: ObjectKey, _ record: RecordView, _ snapshot: StoreSnapshot
    ) throws -> SubjectOperand {
        if !positions.isEmpty, let ordinal = snapshot.store.ordinal(of: key.entity),
            let position = positions[ordinal]
        {
            let table = snapshot.store.tables[ordinal]
            return .value(try record.fullValue(position, of: key, table, snapshot))
        }
        return try expression.value(with: RecordSubject(key, record, snapshot))
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
