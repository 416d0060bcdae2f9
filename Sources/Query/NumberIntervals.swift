// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// The integers that satisfy a comparison with a constant of any numeric type, exactly.
struct IntegerInterval: Hashable {
    var lower: Int64
    var upper: Int64

    static let all = IntegerInterval(lower: .min, upper: .max)
    static let empty = IntegerInterval(lower: .max, upper: .min)

    var isEmpty: Bool { lower > upper }

    func intersection(_ other: IntegerInterval) -> IntegerInterval {
        let lower = max(lower, other.lower)
        let upper = min(upper, other.upper)
        return lower > upper ? .empty : IntegerInterval(lower: lower, upper: upper)
    }
}

extension IntegerInterval {
    /// The solutions of `x operator constant`, those of `==` for `!=`; `nil` for other operators
    /// and for constants that are no numbers.
    init?(_ operation: Operator, _ constant: Value) {
        guard let (floor, ceiling) = constant.integerBounds else {
            guard constant.isNaN, Interval.handles(operation) else { return nil }
            self = .empty
            return
        }
        switch operation {
        case .equalTo, .notEqualTo:
            self = floor == ceiling ? IntegerInterval(wide: floor, ceiling) : .empty
        case .lessThan: self.init(wide: .min, ceiling - 1)
        case .lessThanOrEqualTo: self.init(wide: .min, floor)
        case .greaterThan: self.init(wide: floor + 1, .max)
        case .greaterThanOrEqualTo: self.init(wide: ceiling, .max)
        default: return nil
        }
    }

    private init(wide lower: Int128, _ upper: Int128) {
        let low = max(lower, Int128(Int64.min))
        let high = min(upper, Int128(Int64.max))
        self = low > high ? .empty : IntegerInterval(lower: Int64(low), upper: Int64(high))
    }
}

/// The doubles that satisfy a comparison with a constant, exactly; NaN is never among them.
struct DoubleInterval: Hashable {
    var lower: Double
    var upper: Double

    static let all = DoubleInterval(lower: -.infinity, upper: .infinity)
    static let empty = DoubleInterval(lower: .infinity, upper: -.infinity)

    var isEmpty: Bool { lower > upper }

    func intersection(_ other: DoubleInterval) -> DoubleInterval {
        let lower = max(lower, other.lower)
        let upper = min(upper, other.upper)
        return lower > upper ? .empty : DoubleInterval(lower: lower, upper: upper)
    }

    init(lower: Double, upper: Double) {
        self.lower = lower
        self.upper = upper
    }

    /// As ``IntegerInterval/init(_:_:)``.
    init?(_ operation: Operator, _ constant: Value) {
        guard let (floor, ceiling) = constant.doubleBounds else { return nil }
        self.init(operation, floor: floor, ceiling: ceiling)
    }

    /// The solutions for dates.
    init?(_ operation: Operator, date: Double) {
        self.init(operation, floor: date, ceiling: date)
    }

    private init?(_ operation: Operator, floor: Double, ceiling: Double) {
        guard Interval.handles(operation) else { return nil }
        self = .empty
        if floor.isNaN { return }
        let isExact = floor == ceiling
        switch operation {
        case .lessThan:
            if ceiling > -.infinity {
                self = DoubleInterval(lower: -.infinity, upper: isExact ? floor.nextDown : floor)
            }
        case .lessThanOrEqualTo: self = DoubleInterval(lower: -.infinity, upper: floor)
        case .greaterThan:
            if floor < .infinity {
                self = DoubleInterval(lower: isExact ? floor.nextUp : ceiling, upper: .infinity)
            }
        case .greaterThanOrEqualTo: self = DoubleInterval(lower: ceiling, upper: .infinity)
        default: if isExact { self = DoubleInterval(lower: floor, upper: ceiling) }
        }
    }
}

/// What both kinds of interval share.
enum Interval {
    /// Whether the solutions of an operator, or of its negation, are an interval.
    static func handles(_ operation: Operator) -> Bool {
        switch operation {
        case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan,
            .greaterThanOrEqualTo:
            true
        default: false
        }
    }
}

extension Value {
    /// Whether this is a floating point number that equals nothing.
    var isNaN: Bool {
        switch self {
        case .double(let number): number.isNaN
        case .float(let number): number.isNaN
        default: false
        }
    }

    /// The integer of an integer or boolean value.
    var integer: Int64? {
        switch self {
        case .integer16(let number): Int64(number)
        case .integer32(let number): Int64(number)
        case .integer64(let number): number
        case .boolean(let flag): flag ? 1 : 0
        default: nil
        }
    }

    /// The integers next to a number, cut where no 64-bit integer comes near.
    fileprivate var integerBounds: (floor: Int128, ceiling: Int128)? {
        switch self {
        case .double(let number): Value.integerBounds(of: number)
        case .float(let number): Value.integerBounds(of: Double(number))
        case .decimal(let number): Value.integerBounds(of: number)
        default: integer.map { (Int128($0), Int128($0)) }
        }
    }

    private static func integerBounds(of number: Double) -> (Int128, Int128)? {
        if number.isNaN { return nil }
        let cut = max(-0x1p66, min(0x1p66, number))
        return (Int128(cut.rounded(.down)), Int128(cut.rounded(.up)))
    }

    private static func integerBounds(of number: DecimalValue) -> (Int128, Int128)? {
        let limit: UInt128 = 1 << 66
        var whole = number.significand
        var hasFraction = false
        if number.exponent >= 0 {
            for _ in 0..<number.exponent where whole < limit { whole *= 10 }
        } else {
            for _ in number.exponent..<0 where whole != 0 {
                hasFraction = hasFraction || whole % 10 != 0
                whole /= 10
            }
        }
        let cut = Int128(min(whole, limit))
        if number.isNegative { return (hasFraction ? -cut - 1 : -cut, -cut) }
        return (cut, hasFraction ? cut + 1 : cut)
    }

    /// The doubles next to a number, the same twice for one that is a double.
    ///
    /// A decimal compares as the double nearest to it, as in the evaluator.
    fileprivate var doubleBounds: (floor: Double, ceiling: Double)? {
        switch self {
        case .double(let number): return (number, number)
        case .float(let number): return (Double(number), Double(number))
        case .decimal(let number):
            let sign = number.isNegative ? "-" : ""
            guard let nearest = Double("\(sign)\(number.significand)e\(number.exponent)") else {
                return nil
            }
            return (nearest, nearest)
        default:
            guard let integer else { return nil }
            let nearest = Double(integer)
            let wide = Int128(nearest)
            if wide == Int128(integer) { return (nearest, nearest) }
            return wide > Int128(integer) ? (nearest.nextDown, nearest) : (nearest, nearest.nextUp)
        }
    }
}
