// SPDX-License-Identifier: Apache-2.0

import Schema

/// What a condition answered for the objects at the other end of a to-one relationship, within
/// one state of a store: many rows lead to few of them.
///
/// A place for each of the last bits of a row's number, so that the rows of one entity, which are
/// numbered in order, rarely take each other's place.
struct AnswerMemo {
    private var transactionID: UInt64 = 0
    private var keys: ContiguousArray<ObjectKey> = []
    private var answers: ContiguousArray<Bool> = []
    private var askedCount = 0

    /// Fewer questions are not worth the memory.
    private static var leastCount: Int { 64 }
    /// With 10,000 shelves of a million books all answers have a place: 144 KiB.
    private static var placeCount: Int { 1 << 14 }
    /// No object has it.
    private static var nobody: ObjectKey { ObjectKey(rawValue: .max) }

    @inline(__always)
    private static func place(_ key: ObjectKey) -> Int {
        Int(truncatingIfNeeded: key.rawValue) & (placeCount - 1)
    }

    /// The answer for an object, if it is known.
    mutating func answer(_ key: ObjectKey, _ transactionID: UInt64) -> Bool? {
        guard transactionID == self.transactionID else {
            self = AnswerMemo()
            self.transactionID = transactionID
            return nil
        }
        guard !keys.isEmpty else { return nil }
        let place = AnswerMemo.place(key)
        return keys[place] == key ? answers[place] : nil
    }

    /// Keeps the answer for an object of the state that was asked for last.
    mutating func note(_ key: ObjectKey, _ answer: Bool) {
        if keys.isEmpty {
            askedCount += 1
            guard askedCount >= AnswerMemo.leastCount else { return }
            keys = ContiguousArray(repeating: AnswerMemo.nobody, count: AnswerMemo.placeCount)
            answers = ContiguousArray(repeating: false, count: AnswerMemo.placeCount)
        }
        let place = AnswerMemo.place(key)
        keys[place] = key
        answers[place] = answer
    }
}
