// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// An object of named operands.
struct TestSubject: PredicateSubject {
    struct UnknownKey: Error, Equatable {
        let key: String
    }

    var keys: [String: SubjectOperand]
    var predicateIdentity: ObjectKey?

    init(_ keys: [String: SubjectOperand], identity: UInt64? = nil) {
        self.keys = keys
        predicateIdentity = identity.map {
            ObjectKey(entity: EntityNumber(rawValue: 1), row: $0)
        }
    }

    func predicateOperand(forKey key: String) throws -> SubjectOperand {
        guard let operand = keys[key] else { throw UnknownKey(key: key) }
        return operand
    }

    /// A player with three items, nil values and values of every type.
    static var player: TestSubject {
        let items = [("sword", 5, true), ("Shield", 3, false), ("potion", 3, true)]
            .enumerated().map { index, item in
                SubjectOperand.subject(
                    TestSubject(
                        [
                            "name": .value(.string(item.0)),
                            "price": .value(.integer32(Int32(item.1))),
                            "done": .value(.boolean(item.2)),
                            "tags": .collection([.value(.string("t\(index)")), .value(.null)]),
                            "note": .value(index == 0 ? .null : .double(Double(index))),
                        ], identity: UInt64(index) + 10))
            }
        let owner = TestSubject(["name": .value(.string("Zoë"))], identity: 2)
        return TestSubject(
            [
                "name": .value(.string("Éric O'Neil")),
                "empty": .value(.string("")),
                "path": .value(.string("a\\b*c")),
                "age": .value(.integer16(30)),
                "big": .value(.integer64(9_007_199_254_740_993)),
                "height": .value(.double(1.5)),
                "ratio": .value(.float(0.5)),
                "nan": .value(.double(.nan)),
                "money": .value(
                    .decimal(DecimalValue(significand: 1250, exponent: -2, isNegative: false))),
                "alive": .value(.boolean(true)),
                "born": .value(.date(1000)),
                "id": .value(.uuid(UUIDValue(high: 1, low: 2))),
                "home": .value(.uri("http://a/b")),
                "data": .value(.binaryData([1, 2, 3])),
                "nothing": .value(.null),
                "owner": .subject(owner),
                "nobody": .value(.null),
                "items": .collection(items),
                "empties": .collection([]),
                "numbers": .collection([1, 2, 2, 4].map { .value(.integer64($0)) }),
            ], identity: 1)
    }
}
