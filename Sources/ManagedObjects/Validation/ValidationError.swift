// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// Makes the errors that a failed validation throws.
enum ValidationError {
    static func make(
        _ code: CocoaError.Code, _ object: NSManagedObject, _ key: String, _ message: String,
        value: Any? = nil, predicate: NSPredicate? = nil
    ) -> CocoaError {
        var info: [String: Any] = [
            NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: key,
        ]
        if let value { info[NSValidationValueErrorKey] = value }
        if let predicate { info[NSValidationPredicateErrorKey] = predicate }
        return CoreDataError.make(
            code, "\(object.runtime.entity.name).\(key) of \(object.objectID): \(message)", info)
    }

    /// One error as itself, several under `NSDetailedErrorsKey`.
    static func combine(_ errors: [any Error]) -> any Error {
        guard errors.count != 1 else { return errors[0] }
        return CoreDataError.make(
            .validationMultipleErrors,
            "\(errors.count) validation errors: \(summary(errors))",
            [NSDetailedErrorsKey: errors])
    }

    /// The first messages: a save may meet thousands.
    private static func summary(_ errors: [any Error]) -> String {
        let shown = 5
        let messages = errors.prefix(shown).map {
            ($0 as? CocoaError)?.message ?? $0.localizedDescription
        }
        let rest = errors.count > shown ? "; …, all of them under NSDetailedErrorsKey" : ""
        return messages.joined(separator: "; ") + rest
    }

    /// The errors behind one that may stand for several.
    ///
    /// Others stay as they are: on Linux any `NSError` casts to `CocoaError`, and one that is
    /// thrown on as such has lost its domain.
    static func flatten(_ error: any Error) -> [any Error] {
        guard (error as NSError).domain == NSCocoaErrorDomain, let several = error as? CocoaError,
            several.code == .validationMultipleErrors
        else { return [error] }
        let details = several.detailedErrors
        return details.isEmpty ? [error] : details
    }
}
