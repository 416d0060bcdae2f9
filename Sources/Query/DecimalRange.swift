// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// The decimals that satisfy a comparison with a constant, or a few more.
///
/// Decimals and integers are compared exactly. With a floating point constant a decimal is compared
/// as the double nearest to it. All decimals of one double are neighbours, so they lie between the
/// shortest decimals of the doubles beside it, which are of others: those are the bounds then, and
/// the comparison itself decides.
struct DecimalRange {
    var lower: DecimalValue?
    var upper: DecimalValue?
    /// Whether the bounds satisfy, too.
    var includesBounds = false
    /// Whether all decimals of the range satisfy.
    var isExact = false
    /// Whether none satisfies.
    var isEmpty = false

    /// - Returns: `nil` for other operators, and for constants that are no numbers.
    init?(_ operation: Operator, _ constant: Value) {
        guard Interval.handles(operation), operation != .notEqualTo else { return nil }
        switch constant {
        case .decimal(let number): self.init(operation, exact: number)
        case .double(let number): self.init(operation, nearest: number)
        case .float(let number): self.init(operation, nearest: Double(number))
        default:
            guard let number = constant.integer else { return nil }
            self.init(operation, exact: DecimalValue(number))
        }
    }

    private init(_ operation: Operator, exact number: DecimalValue) {
        isExact = true
        includesBounds = operation != .lessThan && operation != .greaterThan
        switch operation {
        case .lessThan, .lessThanOrEqualTo: upper = number
        case .greaterThan, .greaterThanOrEqualTo: lower = number
        default: (lower, upper) = (number, number)
        }
    }

    private init(_ operation: Operator, nearest number: Double) {
        if number.isNaN {
            isEmpty = true
            return
        }
        switch operation {
        case .lessThan:
            isEmpty = number == -.infinity
            upper = DecimalRange.decimal(number)
        case .lessThanOrEqualTo: upper = DecimalRange.decimal(number.nextUp)
        case .greaterThan:
            isEmpty = number == .infinity
            lower = DecimalRange.decimal(number)
        case .greaterThanOrEqualTo: lower = DecimalRange.decimal(number.nextDown)
        default:
            lower = DecimalRange.decimal(number.nextDown)
            upper = DecimalRange.decimal(number.nextUp)
        }
    }

    /// A decimal whose nearest double this is; `nil` for an infinity, beyond which there are none.
    private static func decimal(_ number: Double) -> DecimalValue? {
        number.isInfinite ? nil : DecimalValue(number.description)
    }

    /// The only decimal that satisfies.
    var point: DecimalValue? { isExact && lower == upper ? lower : nil }

    var kind: Restriction.Kind {
        if isEmpty { return .values([]) }
        if let point { return .values([.decimal(point)]) }
        return .range(
            Restriction.Bounds(
                lower: lower.map { .decimal($0) }, includesLower: includesBounds,
                upper: upper.map { .decimal($0) }, includesUpper: includesBounds))
    }
}

extension RestrictionReader {
    func decimals(_ test: FieldTest) -> (Restriction.Kind, Bool)? {
        switch (test.operation, test.values) {
        case (.in, let members?): return decimals(among: members, test)
        case (.between, let bounds?):
            guard bounds.count == 2,
                let low = DecimalRange(.greaterThanOrEqualTo, bounds[0]),
                let high = DecimalRange(.lessThanOrEqualTo, bounds[1])
            else { return nil }
            if low.isEmpty || high.isEmpty { return (.values([]), true) }
            let range = Restriction.Bounds(
                lower: low.lower.map { .decimal($0) }, includesLower: low.includesBounds,
                upper: high.upper.map { .decimal($0) }, includesUpper: high.includesBounds)
            return (.range(range), low.isExact && high.isExact)
        default:
            guard let range = test.value.flatMap({ DecimalRange(test.operation, $0) }) else {
                return nil
            }
            return (range.kind, range.isExact || range.isEmpty)
        }
    }

    /// Each of a list of exact numbers; the range around all where one is a double.
    private func decimals(among members: [Value], _ test: FieldTest) -> (Restriction.Kind, Bool)? {
        // Values of other types, and NaN, equal no decimal.
        let ranges = members.compactMap { DecimalRange(.equalTo, $0) }.filter { !$0.isEmpty }
        let points = Set(ranges.compactMap(\.point))
        if ranges.allSatisfy(\.isExact) {
            return (values(points.sorted().map { .decimal($0) }, test), true)
        }
        if test.nullResult { return nil }
        let lowers = ranges.map(\.lower)
        let uppers = ranges.map(\.upper)
        let bounds = Restriction.Bounds(
            lower: lowers.contains(nil)
                ? nil : lowers.compactMap(\.self).min().map { .decimal($0) },
            upper: uppers.contains(nil) ? nil : uppers.compactMap(\.self).max().map { .decimal($0) }
        )
        return (.range(bounds), false)
    }
}
