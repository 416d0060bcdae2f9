// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Query
import Schema
import Store

/// An error that uses its description as its `localizedDescription`, also after `as NSError`.
protocol DescribedError: LocalizedError, CustomStringConvertible {}

extension DescribedError {
    /// What happened and what to do.
    public var errorDescription: String? { description }
    /// The same, which is what an `NSError` prints.
    public var failureReason: String? { description }
}

extension ModelError: DescribedError {}
extension PredicateEvaluationError: DescribedError {}
extension PredicateSyntaxError: DescribedError {}
extension QueryError: DescribedError {}
extension SchemaError: DescribedError {}
extension StoreError: DescribedError {}
