// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Testing
import _TestSupport

/// Random trees of the parser's own forms come back equal from their text.
struct RoundTripTests {
    @Test func predicates() throws {
        for seed in UInt64(1)...2_000 {
            var maker = TreeMaker(seed: seed)
            let tree = maker.predicate(depth: 4)
            let text = tree.predicateFormat
            let back = Result { () throws -> Predicate in try Predicate(format: text) }
            #expect((try? back.get()) == tree, "seed \(seed): \(text): \(back)")
        }
    }

    @Test func expressions() throws {
        for seed in UInt64(1)...2_000 {
            var maker = TreeMaker(seed: seed)
            let tree = maker.expression(depth: 5)
            let text = tree.description
            let back = Result { () throws -> Expression in try Expression(format: text) }
            #expect((try? back.get()) == tree, "seed \(seed): \(text): \(back)")
        }
    }
}

/// Makes random trees in the forms that the parser makes.
struct TreeMaker {
    var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(state: seed)
    }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }

    mutating func predicate(depth: Int) -> Predicate {
        switch depth == 0 ? below(2) : below(8) {
        case 0: return .constant(below(2) == 0)
        case 1, 5, 6, 7: return .comparison(comparison(depth: depth))
        case 2: return .not(predicate(depth: depth - 1))
        case 3: return .and((0...1 + below(3)).map { _ in predicate(depth: depth - 1) })
        default: return .or((0...1 + below(3)).map { _ in predicate(depth: depth - 1) })
        }
    }

    mutating func comparison(depth: Int) -> Comparison {
        while true {
            let comparison = Comparison(
                left: expression(depth: depth - 1), operator: pick(Operator.allCases),
                right: expression(depth: depth - 1), modifier: pick(Modifier.allCases),
                options: ComparisonOptions(rawValue: UInt(below(3) == 0 ? below(16) : 0)))
            // What no object can be evaluated with is not read.
            if comparison.fault == nil { return comparison }
        }
    }

    mutating func expression(depth: Int) -> Expression {
        switch depth <= 0 ? below(4) : below(13) {
        case 0: return .constant(operand(depth: depth))
        case 1: return .evaluatedObject
        case 2: return .variable(pick(["x", "in", "a1"]))
        case 3, 4: return .keyPath(keys())
        case 5: return .path(keys(), of: expression(depth: depth - 1))
        case 6: return .aggregate([expression(depth: depth - 1), .keyPath(keys())])
        case 7, 8: return arithmetic(depth: depth)
        case 9: return function(depth: depth)
        case 10:
            return .subquery(
                expression(depth: depth - 1), variable: "i", predicate(depth: depth - 1))
        case 11:
            return .conditional(
                predicate(depth: depth - 1), expression(depth: depth - 1),
                expression(depth: depth - 1))
        default:
            return .function(
                FunctionName.index, [expression(depth: depth - 1), expression(depth: depth - 1)])
        }
    }

    mutating func arithmetic(depth: Int) -> Expression {
        let name = pick([
            FunctionName.add, FunctionName.subtract, FunctionName.multiply, FunctionName.divide,
            FunctionName.power, FunctionName.union, FunctionName.intersect, FunctionName.minus,
            FunctionName.bitAnd, FunctionName.bitOr, FunctionName.bitXor, FunctionName.shiftLeft,
            FunctionName.shiftRight,
        ])
        return .function(name, [expression(depth: depth - 1), expression(depth: depth - 1)])
    }

    mutating func function(depth: Int) -> Expression {
        let argument = expression(depth: depth - 1)
        let type = Expression.constant(.value(.string("NSDate")))
        return pick([
            .function("now", []), .function("sum:", [argument]), .function("first:", [argument]),
            .function("last:", [argument]), .function("size:", [argument]),
            .function(FunctionName.complement, [argument]), .function("abs:", [argument]),
            .function("modulus:by:", [argument, argument]),
            .function(FunctionName.cast, [.keyPath(keys()), type]),
            .function(FunctionName.call, [argument, type, argument]),
        ])
    }

    mutating func keys() -> [String] {
        let keys = [
            "a", "name", "IN", "first", "@count", "@in", "é1", "two words", "self", "_x", "9",
        ]
        return (0...below(3)).map { _ in pick(keys) }
    }

    mutating func operand(depth: Int) -> Operand {
        if depth > 0, below(4) == 0 { return .list((0..<below(4)).map { _ in operand(depth: 0) }) }
        return .value(value())
    }

    mutating func value() -> Value {
        switch below(11) {
        case 0: .null
        case 1: .integer64(Int64(bitPattern: random.next()) >> Int64(below(64)))
        case 2: .double(finite())
        case 3: .string(string())
        case 4: .date(finite())
        case 5: .date(Double(below(1_000_000)) / 1_000)
        case 6: .uuid(UUIDValue(high: random.next(), low: random.next()))
        case 7: .binaryData((0..<below(5)).map { _ in UInt8(below(256)) })
        case 8: .objectID(ObjectKey(rawValue: random.next()))
        case 9: .uri(string())
        default:
            .decimal(
                DecimalValue(
                    significand: UInt128(random.next()), exponent: Int16(below(600) - 300),
                    isNegative: below(2) == 0))
        }
    }

    private mutating func finite() -> Double {
        let value = Double(bitPattern: random.next())
        return value.isFinite ? value : 0.5
    }

    private mutating func string() -> String {
        let pieces = [
            "a", "\"", "'", "\\", "\n", "\u{0}", "é", "e\u{301}", "%@", "👩‍👩‍👧", "\r\n", "\u{7F}",
            "*",
        ]
        return (0..<below(5)).map { _ in pick(pieces) }.joined()
    }
}
