// SPDX-License-Identifier: Apache-2.0

/// The kinds of calls that can fail; the numbers are those of the C header.
public enum FaultCall: String, CaseIterable, Sendable {
    case write, sync, truncate, map, open, lock, name

    /// The number in the C header.
    public var number: Int32 { Int32(FaultCall.allCases.firstIndex(of: self) ?? 0) }
}

/// What becomes of a call; the numbers are those of the C header.
public enum FaultAction: String, CaseIterable, Sendable {
    case fail, shorten, tear, killBefore, killAfter, late, killAmid

    /// The number in the C header.
    public var number: Int32 { Int32(FaultAction.allCases.firstIndex(of: self) ?? 0) }
}

/// A call that fails.
public struct Fault: Sendable {
    var call: FaultCall
    var action: FaultAction
    var error: Int32
    /// Which of the calls from now on, from 1.
    var number: UInt64
    /// Whether those after it fail, too.
    var stays = false

    /// One word of a command line: `write:fail:28:17:stays`.
    var text: String {
        "\(call.rawValue):\(action.rawValue):\(error):\(number)" + (stays ? ":stays" : "")
    }

    init(call: FaultCall, action: FaultAction, error: Int32, number: UInt64, stays: Bool = false) {
        self.call = call
        self.action = action
        self.error = error
        self.number = number
        self.stays = stays
    }

    init?(_ text: String) {
        let words = text.split(separator: ":").map(String.init)
        guard words.count == 4 || words.count == 5, let call = FaultCall(rawValue: words[0]),
            let action = FaultAction(rawValue: words[1]), let error = Int32(words[2]),
            let number = UInt64(words[3])
        else { return nil }
        self.init(
            call: call, action: action, error: error, number: number, stays: words.count == 5)
    }
}

/// The library that stands between this program and the system's calls for files.
///
/// Only the program links it, and hands its functions over: a test that linked it as well would
/// have its calls replaced, too.
public struct Interposer: Sendable {
    var watch: @Sendable (String) -> Void
    var arm: @Sendable (Fault) -> Void
    var disarm: @Sendable () -> Void
    /// How many calls of a kind there were.
    var count: @Sendable (FaultCall) -> UInt64
    /// How many calls failed on purpose.
    var hits: @Sendable () -> UInt64
    var record: @Sendable (String) -> Bool
    var note: @Sendable (UInt64) -> Void

    /// Takes the functions.
    public init(
        watch: @escaping @Sendable (String) -> Void,
        arm: @escaping @Sendable (Int32, Int32, Int32, UInt64, Bool) -> Void,
        disarm: @escaping @Sendable () -> Void, count: @escaping @Sendable (Int32) -> UInt64,
        hits: @escaping @Sendable () -> UInt64,
        record: @escaping @Sendable (String) -> Bool, note: @escaping @Sendable (UInt64) -> Void
    ) {
        self.watch = watch
        self.arm = { arm($0.call.number, $0.action.number, $0.error, $0.number, $0.stays) }
        self.disarm = disarm
        self.count = { count($0.number) }
        self.hits = hits
        self.record = record
        self.note = note
    }
}
