// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

extension NSManagedObject {
    /// Checks the model's rules, and the class's own where it has any.
    final func validateModel() throws {
        if needsNoValidation { return }
        let traits = runtime.traits(of: Swift.type(of: self))
        if traits.checksValues { return try validateEachProperty(traits) }
        var errors: [any Error] = []
        for check in runtime.validation.properties { errors += modelErrors(check) }
        if !errors.isEmpty { throw ValidationError.combine(errors) }
    }

    /// The errors of a property's present value; values are boxed only where a check fails.
    private final func modelErrors(_ check: PropertyCheck) -> [any Error] {
        switch check.reference {
        case .field(let position):
            // Read without firing: what a save validates was realised by its change.
            let value = knownValue(position)
            return fieldErrors(check, value, position) { object(value, position) }
        case .toMany:
            guard let relationship = check.relationship, isKnown(relationship) else { return [] }
            return countErrors(check, members(relationship).count) {
                destinations(relationship)
            }
        }
    }

    private final func fieldErrors(
        _ check: PropertyCheck, _ value: Value, _ position: Int, _ boxed: () -> Any?
    ) -> [any Error] {
        if value.isNull { return check.isMandatory ? [missing(check.name)] : [] }
        if check.checks.isEmpty { return [] }
        let operand: SubjectOperand =
            if runtime.fields[position].isRelationship, let target = boxed() as? NSManagedObject {
                .subject(ObjectSubject(target))
            } else {
                .value(value)
            }
        return broken(check, operand, boxed)
    }

    /// The errors of the predicates that a value does not satisfy.
    private final func broken(
        _ check: PropertyCheck, _ operand: SubjectOperand, _ boxed: () -> Any?
    ) -> [any Error] {
        check.checks.compactMap { rule in
            let (code, message): (CocoaError.Code, String)
            do {
                if try rule.accepts(operand, boxed) { return nil }
                code = rule.code
                message =
                    rule.message
                    ?? "\(boxed() ?? "nil") does not satisfy \(rule.predicate.description)"
            } catch {
                code = .managedObjectValidation
                message = "\(rule.predicate.description) cannot be evaluated: \(error)"
            }
            return ValidationError.make(
                code, self, check.name, message, value: boxed(), predicate: rule.predicate)
        }
    }

    private final func missing(_ key: String) -> CocoaError {
        ValidationError.make(
            .validationMissingMandatoryProperty, self, key,
            "a value is required; set one, or make the property optional")
    }

    /// Whether a save changes the destinations: counts of what is stored were checked before.
    private final func isKnown(_ relationship: RelationshipRuntime) -> Bool {
        flags.contains(.inserted)
            || knownToManyState(relationship.toManyIndex)?.hasChanges == true
    }

    private final func countErrors(
        _ check: PropertyCheck, _ count: Int, _ destinations: () -> [NSManagedObject]
    ) -> [any Error] {
        guard let relationship = check.relationship else { return [] }
        let rule = relationship.relationship
        if count == 0 { return check.isMandatory ? [missing(rule.name)] : [] }
        var errors: [any Error] = []
        if count < rule.minCount {
            errors.append(
                ValidationError.make(
                    .validationRelationshipLacksMinimumCount, self, rule.name,
                    "\(count) destinations, at least \(rule.minCount) are required",
                    value: collection(destinations(), relationship)))
        }
        if rule.maxCount > 0, count > rule.maxCount {
            errors.append(
                ValidationError.make(
                    .validationRelationshipExceedsMaximumCount, self, rule.name,
                    "\(count) destinations, at most \(rule.maxCount) are allowed",
                    value: collection(destinations(), relationship)))
        }
        if check.checks.isEmpty { return errors }
        let members = destinations()
        let operand = SubjectOperand.collection(members.map { .subject(ObjectSubject($0)) })
        return errors + broken(check, operand) { collection(members, relationship) }
    }
}

extension NSManagedObject {
    /// Validates property by property, for a class with checks of its own.
    private final func validateEachProperty(_ traits: ClassTraits) throws {
        var errors: [any Error] = []
        for name in runtime.propertyNames {
            if traits.overridesValidateValue || traits.validators[name] != nil {
                do { try validateAndStore(name) } catch { errors += ValidationError.flatten(error) }
            } else if let check = runtime.validation[name] {
                errors += modelErrors(check)
            }
        }
        if !errors.isEmpty { throw ValidationError.combine(errors) }
    }

    /// Validates a property through ``validateValue(_:forKey:)`` and keeps what that put in place.
    private final func validateAndStore(_ name: String) throws {
        let old = modelledValue(forKey: name)
        var value = old
        try validateValue(&value, forKey: name)
        guard !isSame(old, value) else { return }
        setModelledValue(value, forKey: name)
    }

    private final func isSame(_ old: Any?, _ new: Any?) -> Bool {
        switch (ValueConversion.unwrapped(old), ValueConversion.unwrapped(new)) {
        case (nil, nil): true
        case (let old as AnyHashable, let new as AnyHashable): old == new
        default: false
        }
    }

    /// The model's rules for a proposed value, then the class's registered check.
    final func validateModelledValue(_ value: inout Any?, forKey key: String) throws {
        if let check = runtime.validation[key] {
            let errors = proposalErrors(check, value)
            if !errors.isEmpty { throw ValidationError.combine(errors) }
        }
        let traits = runtime.traits(of: Swift.type(of: self))
        if let validator = traits.validators[key] { try validator.validate(self, &value) }
    }

    /// The errors that a value would have.
    private final func proposalErrors(_ check: PropertyCheck, _ value: Any?) -> [any Error] {
        guard let value = ValueConversion.unwrapped(value) else {
            return check.isMandatory ? [missing(check.name)] : []
        }
        switch check.reference {
        case .toMany:
            let members = KeyPathValue.members(of: value)?.elements as? [NSManagedObject]
            guard let members else { return [wrongClass(check.name, value)] }
            return countErrors(check, members.count) { members }
        case .field(let position):
            guard let stored = proposal(value, position) else {
                return [wrongClass(check.name, value)]
            }
            return fieldErrors(check, stored, position) { value }
        }
    }

    /// The stored form of a value that need not fit.
    private final func proposal(_ value: Any, _ position: Int) -> Value? {
        let field = runtime.fields[position]
        if field.isRelationship {
            return (value as? NSManagedObject).map { .objectID($0.key) }
        }
        if field.type == .transformable { return .transformable([]) }
        return ValueConversion.value(value, as: field.type)
    }

    private final func wrongClass(_ key: String, _ value: Any) -> CocoaError {
        ValidationError.make(
            .managedObjectValidation, self, key,
            "\(value) of type \(Swift.type(of: value)) is no value for the property", value: value)
    }
}
