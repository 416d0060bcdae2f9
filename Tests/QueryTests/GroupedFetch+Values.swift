// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import Schema
import Store

extension GroupedFetch {
    /// The rows, for columns of values.
    func values(in snapshot: StoreSnapshot) throws -> [[Value]] {
        try rows(in: snapshot).map { row in row.map { $0.scalar ?? .null } }
    }
}

extension Predicates.Expression {
    /// A key, or an aggregate of one, such as `sum(price)` and `count(SELF)`.
    static func column(_ text: String) -> Predicates.Expression {
        guard let end = text.firstIndex(of: "(") else { return .keyPath([text]) }
        let argument = text[end...].dropFirst().dropLast()
        return .function(
            text[..<end] + ":",
            [argument == "SELF" ? .evaluatedObject : .keyPath([String(argument)])])
    }
}
