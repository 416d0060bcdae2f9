// SPDX-License-Identifier: Apache-2.0
import Predicates
import RecordFormat
import Schema
import Store
public struct FetchPlan: Sendable { let d: FetchDescription; let store: Store
 public func forEach(in snapshot: StoreSnapshot, _ body: (ObjectKey, RecordView) throws -> Bool) throws {
   for o in store.schema.ordinals(kindOf: d.entity) { var c = try snapshot.records(of: store.tables[o]); while let (k, r) = try c.next() { if try !body(k, r) { return } } } }
 public func count(in snapshot: StoreSnapshot) throws -> Int { var n = 0; try forEach(in: snapshot) { _, _ in n += 1; return true }; return n }
}
public enum Planner { public static func plan(_ d: FetchDescription, in store: Store) throws -> FetchPlan { FetchPlan(d: d, store: store) } }
