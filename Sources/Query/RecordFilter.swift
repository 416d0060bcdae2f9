// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// A predicate compiled to run on the records of one entity, without making objects.
///
/// A filter is immutable and may be used from several threads, each with its own snapshot.
public struct RecordFilter: Sendable {
    let root: any FilterNode

    /// Compiles a predicate.
    ///
    /// - Parameters:
    ///   - predicate: The condition, without variables.
    ///   - table: The table of exactly the entity whose records are filtered.
    ///   - store: The store of the table.
    /// - Throws: ``QueryError`` with `unknownKeyPath`, `unsupported` or `typeMismatch`.
    public init(
        _ predicate: Predicate, _ table: EntityTable, _ store: Store
    ) throws(QueryError) {
        let resolver = KeyPathResolver(schema: store.schema)
        try PredicateChecker(resolver, entity: table.entity.name).check(predicate)
        let coerced = try ConstantCoercion(
            store.schema, entity: table.entity.name, isStrict: true
        ).coerced(predicate)
        root = try FilterCompiler(store: store).node(coerced.normalized(), table)
    }

    init(root: any FilterNode) { self.root = root }

    /// Whether an object's record satisfies the predicate.
    ///
    /// - Throws: ``Store/StoreError`` for a damaged file, `PredicateEvaluationError` for an
    ///   operator that does not apply to its operands.
    public func matches(
        _ key: ObjectKey, _ record: RecordView, _ snapshot: StoreSnapshot
    ) throws -> Bool {
        try root.matches(FilterRow(key: key, record: record, snapshot: snapshot))
    }
}
