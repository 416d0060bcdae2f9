// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Store

/// A part of a predicate as a condition on one stored property, in terms of index keys.
struct Restriction {
    enum Kind {
        /// One of some values; ``Schema/Value/null`` among them where nil satisfies.
        case values([Value])
        /// Between bounds; nil does not satisfy.
        case range(Bounds)
        /// Text with this prefix.
        case prefix(String)
    }

    /// A range of values.
    struct Bounds {
        var lower: Value?
        var includesLower = true
        var upper: Value?
        var includesUpper = true
    }

    let property: String
    let kind: Kind
    /// Whether the restriction is equivalent to the part of the predicate.
    var isExact = true
    /// The place of the part in the conjunction.
    let member: Int
    /// The part itself.
    let condition: Comparison
}

/// Reads restrictions of the properties of an entity out of comparisons.
struct RestrictionReader {
    let schema: Schema
    let entity: Entity

    /// The restriction of a comparison with a constant; `nil` for other conditions.
    func restriction(_ comparison: Comparison, member: Int) -> Restriction? {
        guard comparison.modifier == .direct, let property = property(comparison.left),
            let type = type(of: property), let constant = comparison.right.constantOperand,
            let test = try? FieldTest(comparison.operator, constant, comparison.options),
            let (kind, isExact) = kind(test, type)
        else { return nil }
        return Restriction(
            property: property, kind: kind, isExact: isExact, member: member,
            condition: Comparison(
                left: .keyPath([property]), operator: comparison.operator,
                right: comparison.right))
    }

    /// The stored property that a key path names, `album.objectID` being `album`.
    private func property(_ expression: Expression) -> String? {
        guard case .keyPath(let path) = expression else { return nil }
        let keys = path.drop { KeyPathResolver.isIdentity($0, of: entity) }
        guard let key = keys.first else { return nil }
        if keys.count == 1 { return key }
        guard let relationship = entity.relationship(key), !relationship.isToMany,
            let destination = schema.entity(relationship.destination),
            keys.dropFirst().allSatisfy({ KeyPathResolver.isIdentity($0, of: destination) })
        else { return nil }
        return key
    }

    private func type(of property: String) -> AttributeType? {
        if let attribute = entity.attribute(property) {
            return attribute.isTransient ? nil : attribute.type
        }
        let isReference = entity.relationship(property).map { !$0.isToMany && !$0.isTransient }
        return isReference == true ? .objectID : nil
    }

    private func kind(_ test: FieldTest, _ type: AttributeType) -> (Restriction.Kind, Bool)? {
        if test.operation == .notEqualTo {
            // All values but nil. NaN, which a range of numbers leaves out, is one of them.
            guard case .value(.null) = test.constant, type.isRangeWithoutNull else { return nil }
            return (.range(Restriction.Bounds()), true)
        }
        if case .value(.null) = test.constant {
            return test.operation == .equalTo && !type.isBinary ? (.values([.null]), true) : nil
        }
        switch type {
        case .integer16, .integer32, .integer64, .boolean: return integers(test, type)
        case .double, .float: return doubles(test)
        case .date: return dates(test)
        case .string, .uri: return texts(test)
        case .objectID:
            return test.keyMembers.map { (values($0.keys.map { .objectID($0) }, test), true) }
        case .uuid: return identifiers(test)
        case .decimal: return decimals(test)
        case .binaryData, .transformable: return nil
        }
    }

    func values(_ values: [Value], _ test: FieldTest) -> Restriction.Kind {
        .values(test.nullResult ? [.null] + values : values)
    }

    private func integers(
        _ test: FieldTest, _ type: AttributeType
    ) -> (Restriction.Kind, Bool)? {
        let make: (Int64) -> Value = { type == .boolean ? .boolean($0 != 0) : .integer64($0) }
        if let members = test.integerMembers {
            let possible = members.sorted().filter { type != .boolean || 0...1 ~= $0 }
            return (values(possible.map(make), test), true)
        }
        guard var interval = test.integerInterval else { return nil }
        if type == .boolean { interval = interval.intersection(.init(lower: 0, upper: 1)) }
        if interval.isEmpty { return (.values([]), true) }
        if interval.lower == interval.upper { return (.values([make(interval.lower)]), true) }
        return (
            .range(
                Restriction.Bounds(
                    lower: interval.lower == .min ? nil : make(interval.lower),
                    upper: interval.upper == .max ? nil : make(interval.upper))), true
        )
    }

    private func doubles(_ test: FieldTest) -> (Restriction.Kind, Bool)? {
        if test.operation == .in, let members = test.values {
            let numbers = members.compactMap { DoubleInterval(.equalTo, $0) }.filter { !$0.isEmpty }
            let sorted = Set(numbers.map(\.lower)).sorted()
            return (values(sorted.map { .double($0) }, test), true)
        }
        return test.doubleInterval.map { (range($0) { .double($0) }, true) }
    }

    private func dates(_ test: FieldTest) -> (Restriction.Kind, Bool)? {
        if test.operation == .in, let members = test.values {
            let dates = members.compactMap { if case .date(let date) = $0 { date } else { nil } }
            let sorted = Set(dates.filter { !$0.isNaN }).sorted()
            return (values(sorted.map { .date($0) }, test), true)
        }
        return test.dateInterval.map { (range($0) { .date($0) }, true) }
    }

    private func range(
        _ interval: DoubleInterval, _ make: (Double) -> Value
    ) -> Restriction.Kind {
        if interval.isEmpty { return .values([]) }
        if interval.lower == interval.upper { return .values([make(interval.lower)]) }
        return .range(
            Restriction.Bounds(
                lower: interval.lower == -.infinity ? nil : make(interval.lower),
                upper: interval.upper == .infinity ? nil : make(interval.upper)))
    }

    private func identifiers(_ test: FieldTest) -> (Restriction.Kind, Bool)? {
        switch (test.operation, test.value, test.values) {
        case (.equalTo, .uuid(let uuid), _): return (.values([.uuid(uuid)]), true)
        case (.in, _, let members?):
            let found = members.compactMap { if case .uuid(let uuid) = $0 { uuid } else { nil } }
            return (values(Set(found).sorted().map { .uuid($0) }, test), true)
        default: return nil
        }
    }
}

extension RestrictionReader {
    private func texts(_ test: FieldTest) -> (Restriction.Kind, Bool)? {
        if test.options.foldsText || test.options.contains(.localeSensitive) { return nil }
        if let members = test.values {
            switch test.operation {
            case .in:
                let texts = Set(members.compactMap(\.text).map { Value.string($0) })
                return (values(Array(texts), test), true)
            case .between:
                guard members.count == 2, let low = members[0].text, let high = members[1].text
                else { return nil }
                return (
                    .range(Restriction.Bounds(lower: .string(low), upper: .string(high))), true
                )
            default: return nil
            }
        }
        guard let text = test.value?.text else { return nil }
        switch test.operation {
        case .equalTo: return (.values([.string(text)]), true)
        case .lessThan, .lessThanOrEqualTo:
            let isIncluded = test.operation == .lessThanOrEqualTo
            return (.range(.init(upper: .string(text), includesUpper: isIncluded)), true)
        case .greaterThan, .greaterThanOrEqualTo:
            let isIncluded = test.operation == .greaterThanOrEqualTo
            return (.range(.init(lower: .string(text), includesLower: isIncluded)), true)
        case .beginsWith: return (.prefix(text), true)
        case .like: return like(LikePattern(text))
        default: return nil
        }
    }

    private func like(_ pattern: LikePattern) -> (Restriction.Kind, Bool)? {
        guard let prefix = String(validating: pattern.literalPrefix, as: UTF8.self),
            !prefix.isEmpty
        else { return nil }
        return (.prefix(prefix), pattern.isPrefixPattern)
    }
}

extension AttributeType {
    /// Whether the entries of an index behind that of nil are all values of the type.
    fileprivate var isRangeWithoutNull: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .boolean, .string, .uri, .uuid, .objectID: true
        default: false
        }
    }

    /// Whether values may lie outside their record, where no index sees them.
    var isBinary: Bool { self == .binaryData || self == .transformable }
}
