// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing
import _TestSupport

private func noKey(_ key: ObjectKey) -> ObjectKey { key }

@Suite struct RecordRoundTripTests {
    @Test(arguments: AttributeType.allCases, wideAndNarrow)
    func extremesOfEachType(type: AttributeType, number: UInt16) {
        let layout = makeLayout(number: number, [type])
        for value in type.extremes + [.null] {
            let bytes = encodeRecord([value], layout)
            #expect(decodeRecord(bytes, layout) == [value])
            #expect(bytes.withUnsafeBytes { RecordView($0)?.hasValidChecksum() } == true)
        }
    }

    @Test(arguments: wideAndNarrow) func randomRecords(number: UInt16) {
        var random = SeededGenerator(seed: 21)
        for _ in 0..<300 {
            let types = (0..<Int(random.next() % 20)).map { _ in random.pick(AttributeType.allCases)
            }
            let layout = makeLayout(number: number, types)
            let values: [Value?] = types.map {
                random.chance(0.2) ? .null : random.value(of: $0)
            }
            let bytes = encodeRecord(values, layout, version: 9)
            #expect(decodeRecord(bytes, layout) == values, "seed \(random.seed)")
            bytes.withUnsafeBytes { raw in
                let view = RecordView(raw)
                #expect(view?.version == 9)
                #expect(view?.layoutNumber == number)
            }
        }
    }

    @Test func fieldsWithoutValueAreNull() {
        let layout = makeLayout([.string, .integer64, .boolean])
        #expect(
            decodeRecord(encodeRecord([nil, nil, nil], layout), layout) == [.null, .null, .null])
        var encoder = RecordEncoder()
        let bytes = Array(
            encoder.encode(layout: layout, version: 1, base: nil, draft: nil, resolve: noKey))
        #expect(bytes.count == 13 + 4 + 8 + 1)
        #expect(decodeRecord(bytes, layout) == [.null, .null, .null])
    }

    @Test func emptyLayout() {
        let bytes = encodeRecord([], makeLayout([]))
        #expect(bytes.count == 12)
        #expect(decodeRecord(bytes, makeLayout([])) == [])
    }

    @Test func nullBitmapBeyondOneByte() {
        let layout = makeLayout(Array(repeating: .boolean, count: 17))
        #expect(layout.fields[0].offset == 15)
        let values: [Value?] = (0..<17).map { $0 % 3 == 0 ? .null : .boolean(true) }
        #expect(decodeRecord(encodeRecord(values, layout), layout) == values)
    }

    @Test func aKeyThatNothingResolvesIsNull() {
        let layout = makeLayout([.objectID, .objectID, .objectID])
        var encoder = RecordEncoder()
        let temporary = ObjectKey(rawValue: 5 | ObjectKey.temporaryBit)
        let bytes = Array(
            encoder.encode(
                layout: layout, version: 1, base: nil,
                draft: makeDraft([
                    .objectID(temporary), .objectID(ObjectKey(rawValue: 0)),
                    .objectID(ObjectKey(rawValue: 6)),
                ])
            ) { key in key.isTemporary ? ObjectKey(rawValue: 0) : key })
        #expect(
            decodeRecord(bytes, layout) == [.null, .null, .objectID(ObjectKey(rawValue: 6))])
    }

    @Test func eachKeyIsResolved() {
        let layout = makeLayout([.objectID, .objectID])
        let temporary = ObjectKey(rawValue: 5 | ObjectKey.temporaryBit)
        let permanent = ObjectKey(rawValue: 6)
        var asked: [ObjectKey] = []
        var encoder = RecordEncoder()
        let bytes = Array(
            encoder.encode(
                layout: layout, version: 1, base: nil,
                draft: makeDraft([.objectID(temporary), .objectID(permanent)])
            ) { key in
                asked.append(key)
                return ObjectKey(rawValue: key.isTemporary ? 99 : 7)
            })
        #expect(asked == [temporary, permanent])
        #expect(
            decodeRecord(bytes, layout)
                == [
                    .objectID(ObjectKey(rawValue: 99)), .objectID(ObjectKey(rawValue: 7)),
                ])
    }
}
