// SPDX-License-Identifier: Apache-2.0

import Foundation

// Validation failures,
// under the names that Swift gives them on Apple's systems.

extension CocoaError.Code {
    /// A generic validation failure.
    public static var managedObjectValidation: Self { Self(rawValue: 1550) }
    /// A uniqueness constraint is violated.
    public static var managedObjectConstraintValidation: Self { Self(rawValue: 1551) }
    /// Several validation failures, listed under `NSDetailedErrorsKey`.
    public static var validationMultipleErrors: Self { Self(rawValue: 1560) }
    /// A property that is not optional has no value.
    public static var validationMissingMandatoryProperty: Self { Self(rawValue: 1570) }
    /// A relationship has too few destinations.
    public static var validationRelationshipLacksMinimumCount: Self { Self(rawValue: 1580) }
    /// A relationship has too many destinations.
    public static var validationRelationshipExceedsMaximumCount: Self { Self(rawValue: 1590) }
    /// A deny rule blocks a deletion.
    public static var validationRelationshipDeniedDelete: Self { Self(rawValue: 1600) }
    /// A number is above its maximum.
    public static var validationNumberTooLarge: Self { Self(rawValue: 1610) }
    /// A number is below its minimum.
    public static var validationNumberTooSmall: Self { Self(rawValue: 1620) }
    /// A date is after its latest.
    public static var validationDateTooLate: Self { Self(rawValue: 1630) }
    /// A date is before its earliest.
    public static var validationDateTooSoon: Self { Self(rawValue: 1640) }
    /// A date is malformed.
    public static var validationInvalidDate: Self { Self(rawValue: 1650) }
    /// A string is too long.
    public static var validationStringTooLong: Self { Self(rawValue: 1660) }
    /// A string is too short.
    public static var validationStringTooShort: Self { Self(rawValue: 1670) }
    /// A string does not match its pattern.
    public static var validationStringPatternMatching: Self { Self(rawValue: 1680) }
    /// A value cannot be written as a URI.
    public static var validationInvalidURI: Self { Self(rawValue: 1690) }
}

extension CocoaError {
    /// A generic validation failure.
    public static var managedObjectValidation: Code { .managedObjectValidation }
    /// A uniqueness constraint is violated.
    public static var managedObjectConstraintValidation: Code { .managedObjectConstraintValidation }
    /// Several validation failures, listed under `NSDetailedErrorsKey`.
    public static var validationMultipleErrors: Code { .validationMultipleErrors }
    /// A property that is not optional has no value.
    public static var validationMissingMandatoryProperty: Code {
        .validationMissingMandatoryProperty
    }
    /// A relationship has too few destinations.
    public static var validationRelationshipLacksMinimumCount: Code {
        .validationRelationshipLacksMinimumCount
    }
    /// A relationship has too many destinations.
    public static var validationRelationshipExceedsMaximumCount: Code {
        .validationRelationshipExceedsMaximumCount
    }
    /// A deny rule blocks a deletion.
    public static var validationRelationshipDeniedDelete: Code {
        .validationRelationshipDeniedDelete
    }
    /// A number is above its maximum.
    public static var validationNumberTooLarge: Code { .validationNumberTooLarge }
    /// A number is below its minimum.
    public static var validationNumberTooSmall: Code { .validationNumberTooSmall }
    /// A date is after its latest.
    public static var validationDateTooLate: Code { .validationDateTooLate }
    /// A date is before its earliest.
    public static var validationDateTooSoon: Code { .validationDateTooSoon }
    /// A date is malformed.
    public static var validationInvalidDate: Code { .validationInvalidDate }
    /// A string is too long.
    public static var validationStringTooLong: Code { .validationStringTooLong }
    /// A string is too short.
    public static var validationStringTooShort: Code { .validationStringTooShort }
    /// A string does not match its pattern.
    public static var validationStringPatternMatching: Code { .validationStringPatternMatching }
    /// A value cannot be written as a URI.
    public static var validationInvalidURI: Code { .validationInvalidURI }
}
