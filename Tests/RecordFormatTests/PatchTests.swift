// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing
import _TestSupport

/// Replacing fixed-width fields of a copied record gives the bytes of a full encoding.
@Suite struct PatchTests {
    private func encode(
        _ changes: [Value?], _ layout: RecordLayout, over base: [UInt8], isPatched: Bool
    ) -> [UInt8] {
        var encoder = RecordEncoder()
        let draft = makeDraft(changes)
        return base.withUnsafeBytes { raw in
            Array(
                encoder.encode(
                    layout: layout, version: 2, base: RecordView(raw), draft: draft,
                    changedFields: isPatched ? draft.setFields(layout.fields.count) : nil
                ) { $0 })
        }
    }

    @Test(arguments: [1, 20, 100], wideAndNarrow)
    func patchedRecordsEqualEncodedOnes(_ fieldCount: Int, number: UInt16) {
        var random = SeededGenerator(seed: 61)
        let types = (0..<fieldCount).map {
            AttributeType.allCases[$0 % AttributeType.allCases.count]
        }
        let layout = makeLayout(number: number, types)
        for _ in 0..<200 {
            let base = encodeRecord(
                types.map { random.chance(0.2) ? .null : random.value(of: $0) }, layout)
            let changes: [Value?] = types.map { type in
                guard !type.isVariableLength, random.chance(0.3) else { return nil }
                return random.chance(0.3) ? .null : random.value(of: type)
            }
            let patched = encode(changes, layout, over: base, isPatched: true)
            #expect(patched == encode(changes, layout, over: base, isPatched: false))
        }
    }

    @Test func changesOfTheHeapAreEncodedInFull() {
        let layout = makeLayout([.string, .integer64])
        let base = encodeRecord([.string("old"), .integer64(1)], layout)
        let patched = encode([.string("longer"), nil], layout, over: base, isPatched: true)
        #expect(decodeRecord(patched, layout) == [.string("longer"), .integer64(1)])
    }

    @Test func contentsAreComparedWithoutVersions() throws {
        let layout = makeLayout([.string, .integer64])
        let first = encodeRecord([.string("a"), .integer64(1)], layout)
        let again = encodeRecord([.string("a"), .integer64(1)], layout, version: 7)
        let other = encodeRecord([.string("b"), .integer64(1)], layout)
        let same = first.withUnsafeBytes { raw in
            [again, other].map { bytes in
                bytes.withUnsafeBytes { RecordView(raw)?.hasSameContents(as: $0) }
            }
        }
        #expect(same == [true, false])
    }

    @Test func setFieldsOfADraft() {
        #expect(makeDraft([nil, .null, .integer16(1)]).setFields(3) == 0b110)
        #expect(makeDraft([nil, .null, .integer16(1)]).setFields(2) == 0b010)
        var values = [Value?](repeating: nil, count: 80)
        values[70] = .null
        #expect(makeDraft(values).setFields(80) == 1 << 63)
    }
}
