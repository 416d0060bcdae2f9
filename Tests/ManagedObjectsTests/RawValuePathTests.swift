// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ManagedObjects

/// Raw values of types that do not list their cases.
@Suite struct RawValuePathTests {
    private enum One: Int { case only = 41 }
    private enum Level: Int {
        case low = -3, middle, high = 300
        var doubled: Int { rawValue * 2 }
        var same: Int { rawValue }
    }
    private enum Many: String {
        case a, b = "", c
        var upper: String { rawValue.uppercased() }
    }
    private enum Loaded: RawRepresentable {
        case number(Int)
        init(rawValue: Int) { self = .number(rawValue) }
        var rawValue: Int {
            switch self {
            case .number(let number): number
            }
        }
        var negative: Int { -rawValue }
    }
    private struct Kind: RawRepresentable {
        let rawValue: String
        var label: String { String(rawValue.map { $0 == "_" ? " " : $0 }) }
        var start: String { String(rawValue.prefix(20)) }
        var trimmed: String { String(rawValue.filter { $0 != " " }) }
    }
    private struct Flags: OptionSet {
        let rawValue: Int16
        var first: Int16 { rawValue & 1 }
        var low: Int16 { rawValue & 0xFF }
    }
    private struct Money: RawRepresentable {
        var rawValue: Int
        var magnitude: Int { abs(rawValue) }
        var inverse: Int { 100 / rawValue }
    }
    private struct Debt: RawRepresentable {
        var owed: Int
        init(rawValue: Int) { owed = -rawValue }
        var rawValue: Int { -owed }
    }
    private struct Noted: RawRepresentable {
        var rawValue: Int
        var note = 0
        init(rawValue: Int) { self.rawValue = rawValue }
    }
    private struct Rare: RawRepresentable {
        let rawValue: Int
        init?(rawValue: Int) {
            guard rawValue == 1 else { return nil }
            self.rawValue = rawValue
        }
    }

    @Test("A raw value is told from what is computed of it")
    func raw_values() {
        #expect(raw(\One.rawValue) && raw(\Level.rawValue) && raw(\Many.rawValue))
        #expect(raw(\Kind.rawValue) && raw(\Flags.rawValue) && raw(\Money.rawValue))
        #expect(raw(\Level.same))
        #expect(!raw(\Level.doubled) && !raw(\Many.upper) && !raw(\Loaded.negative))
        #expect(!raw(\Kind.trimmed) && !raw(\Flags.first) && !raw(\Level.hashValue))
        #expect(!raw(\Kind.label) && !raw(\Kind.start) && !raw(\Flags.low))
        // Equal for 0 and more; and a division by the first sample, which nothing may run.
        #expect(!raw(\Money.magnitude) && !raw(\Money.inverse))
        #expect(!raw(\Debt.owed) && !raw(\Debt.rawValue))
        // What is computed or lies beside other values cannot be told from something else.
        #expect(!raw(\Loaded.rawValue) && !raw(\Noted.rawValue) && !raw(\Noted.note))
        // One value of it can be made, which is too few to tell.
        #expect(!raw(\Rare.rawValue))
    }

    private func raw<Whole: RawRepresentable>(_ path: PartialKeyPath<Whole>) -> Bool {
        Whole.isRawValue(path)
    }
}
