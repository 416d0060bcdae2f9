// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing
import _TestSupport

private func noKey(_ key: ObjectKey) -> ObjectKey { key }

@Suite struct EncodeOverBaseTests {
    @Test(arguments: wideAndNarrow) func untouchedFieldsAreCopied(number: UInt16) {
        var random = SeededGenerator(seed: 22)
        let types = AttributeType.allCases + AttributeType.allCases
        let layout = makeLayout(number: number, types)
        var values: [Value?] = types.map { random.value(of: $0) }
        var bytes = encodeRecord(values, layout)
        for version in UInt32(2)..<200 {
            let changes: [Value?] = types.map { type in
                guard random.chance(0.2) else { return nil }
                return random.chance(0.3) ? .null : random.value(of: type)
            }
            for (field, change) in changes.enumerated() { if let change { values[field] = change } }
            bytes = encodeRecord(changes, layout, version: version, over: bytes)
            #expect(decodeRecord(bytes, layout) == values, "seed \(random.seed)")
            #expect(bytes.withUnsafeBytes { RecordView($0)?.version } == version)
        }
        // Nothing of the old records is left behind in the heap.
        #expect(bytes == encodeRecord(values, layout, version: 199))
    }

    @Test(arguments: wideAndNarrow) func largeValuesLieOutside(number: UInt16) {
        let layout = makeLayout(number: number, [.binaryData, .transformable, .string])
        let large = [UInt8](repeating: 1, count: RecordEncoder.inlineLimit + 1)
        let fits = [UInt8](repeating: 2, count: RecordEncoder.inlineLimit)
        let text = String(repeating: "x", count: 5_000)
        var encoder = RecordEncoder()
        let draft = makeDraft([.binaryData(large), .transformable(fits), .string(text)])
        let bytes = Array(
            encoder.encode(layout: layout, version: 1, base: nil, draft: draft, resolve: noKey))
        #expect(encoder.externalValues.map(\.field) == [0])
        #expect(encoder.externalValues.map(\.bytes) == [large])
        #expect(decodeRecord(bytes, layout) == [nil, .transformable(fits), .string(text)])
        bytes.withUnsafeBytes { raw in
            #expect(RecordView(raw)?.heapByteCount(at: layout.fields[0].offset) == 1_025)
        }
        // A record over it keeps the marker and reports nothing to write.
        let copied = bytes.withUnsafeBytes { raw in
            Array(
                encoder.encode(
                    layout: layout, version: 2, base: RecordView(raw),
                    draft: makeDraft([nil, .null, .null]), resolve: noKey))
        }
        #expect(encoder.externalValues.isEmpty)
        #expect(decodeRecord(copied, layout) == [nil, .null, .null])
    }

    @Test func externalStorageTakesSmallValuesToo() {
        let layout = makeLayout([.binaryData, .binaryData], externally: true)
        var encoder = RecordEncoder()
        let draft = makeDraft([.binaryData([1]), .binaryData([])])
        let bytes = Array(
            encoder.encode(layout: layout, version: 1, base: nil, draft: draft, resolve: noKey))
        #expect(encoder.externalValues.map(\.bytes) == [[1]])
        #expect(decodeRecord(bytes, layout) == [nil, .binaryData([])])
    }

    @Test func baseOfAnotherLayoutTraps() async {
        await #expect(processExitsWith: .failure) {
            let base = encodeRecord([.boolean(true)], makeLayout(number: 1, [.boolean]))
            _ = encodeRecord([nil], makeLayout(number: 2, [.boolean]), over: base)
        }
    }
}
