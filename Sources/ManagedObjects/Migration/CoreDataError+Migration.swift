// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

extension CoreDataError {
    /// The error of two models for which no mapping can be inferred: 134190.
    static func notInferred(_ error: SchemaMappingError) -> CocoaError {
        var info: [String: Any] = ["entity": error.entity, "reason": error.reason]
        info["property"] = error.property
        return make(
            .inferredMappingModel, "no mapping model can be inferred: \(error)", info)
    }
}
