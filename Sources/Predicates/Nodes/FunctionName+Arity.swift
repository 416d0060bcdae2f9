// SPDX-License-Identifier: Apache-2.0

extension FunctionName {
    /// How many arguments each function takes; `FUNCTION` has a syntax of its own.
    private static let arities: [String: ClosedRange<Int>] = {
        var arities: [String: ClosedRange<Int>] = ["now": 0...0, "random": 0...0]
        for name in [
            "abs:", "floor:", "ceiling:", "trunc:", "sqrt:", "log:", "ln:", "exp:", "randomn:",
            "uppercase:", "lowercase:", "canonical:", "length:", "noindex:", first, last, size,
            complement,
        ] {
            arities[name] = 1...1
        }
        for name in [
            add, subtract, multiply, divide, power, "modulus:by:", cast, index, bitAnd, bitOr,
            bitXor, shiftLeft, shiftRight, union, intersect, minus,
        ] {
            arities[name] = 2...2
        }
        // Of the members of one collection, or of all arguments.
        for name in aggregates { arities[name] = 1...Int.max }
        return arities
    }()

    /// Whether there is a function of a selector.
    public static func isKnown(_ name: String) -> Bool { arities[name] != nil }

    /// What a call of a function lacks, for messages; `nil` if it can be made.
    ///
    /// - Parameters:
    ///   - name: The selector.
    ///   - count: The number of arguments.
    public static func fault(_ name: String, _ count: Int) -> (expected: String, found: String)? {
        guard let arity = arities[name] else {
            return ("a function such as sum: or modulus:by:", "“\(name.prefix(40))”")
        }
        if arity.contains(count) { return nil }
        let wanted =
            switch arity {
            case 0...0: "no argument"
            case 1...1: "one argument"
            case 2...2: "two arguments"
            default: "an argument"
            }
        return ("\(wanted) of \(name)", count == 0 ? "none" : "\(count)")
    }

    /// Whether a function gives one value, whatever its arguments are.
    static func givesOneValue(_ name: String) -> Bool {
        let others = ["mode:", "noindex:", cast, index, first, last, union, intersect, minus]
        return isKnown(name) && !others.contains(name)
    }
}
