// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// Makes the errors that a failed validation throws.
enum ValidationError {
    static func make(
        _ code: CocoaError.Code, _ object: NSManagedObject, _ key: String, _ message: String,
        value: Any? = nil
    ) -> CocoaError {
        var info: [String: Any] = [
            NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: key,
        ]
        if let value { info[NSValidationValueErrorKey] = value }
        return CoreDataError.make(
            code, "\(object.runtime.entity.name).\(key) of \(object.objectID): \(message)", info)
    }

    /// One error as itself, several under `NSDetailedErrorsKey`.
    static func combine(_ errors: [any Error]) -> any Error {
        guard errors.count != 1 else { return errors[0] }
        return CoreDataError.make(
            .validationMultipleErrors,
            "\(errors.count) validation errors; see NSDetailedErrorsKey",
            [NSDetailedErrorsKey: errors])
    }

    /// The errors behind one that may stand for several.
    static func flatten(_ error: any Error) -> [any Error] {
        guard let error = error as? CocoaError, error.code == .validationMultipleErrors,
            let details = error.userInfo[NSDetailedErrorsKey] as? [any Error]
        else { return [error] }
        return details
    }
}

extension NSManagedObject {
    /// Checks mandatory values and relationship counts.
    final func validateModel() throws {
        guard runtime.hasValidation else { return }
        var errors: [any Error] = []
        for position in runtime.mandatoryFields {
            if (draft?[position] ?? storedValue(position)).isNull {
                errors.append(missing(runtime.fields[position].name))
            }
        }
        for relationship in runtime.checkedRelationships { errors += countErrors(relationship) }
        if !errors.isEmpty { throw ValidationError.combine(errors) }
    }

    private final func missing(_ key: String) -> CocoaError {
        ValidationError.make(
            .validationMissingMandatoryProperty, self, key,
            "a value is required; set one, or make the property optional")
    }

    private final func countErrors(_ relationship: RelationshipRuntime) -> [any Error] {
        let rule = relationship.relationship
        let isKnown =
            flags.contains(.inserted)
            || extras?.toMany[safe: relationship.toManyIndex].flatMap({ $0 })?.hasChanges == true
        guard isKnown else { return [] }
        let count = members(relationship).count
        if count == 0 { return rule.isOptional ? [] : [missing(rule.name)] }
        if count < rule.minCount {
            return [
                ValidationError.make(
                    .validationRelationshipLacksMinimumCount, self, rule.name,
                    "\(count) destinations, at least \(rule.minCount) are required")
            ]
        }
        guard rule.maxCount > 0, count > rule.maxCount else { return [] }
        return [
            ValidationError.make(
                .validationRelationshipExceedsMaximumCount, self, rule.name,
                "\(count) destinations, at most \(rule.maxCount) are allowed")
        ]
    }
}

extension RelationshipRuntime {
    /// Whether a save has something to check.
    var isChecked: Bool {
        !relationship.isOptional || relationship.minCount > 0 || relationship.maxCount > 1
    }
}
