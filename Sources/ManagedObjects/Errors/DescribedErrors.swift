// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Query
import Schema
import Store

/// An error whose description says all: so `localizedDescription` has it, too, and what
/// `as NSError` makes of it.
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
