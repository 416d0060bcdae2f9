// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing

@Suite struct RecordLifetimeTests {
    @Test func ownedRecordOutlivesItsSource() {
        let layout = makeLayout([.string])
        var bytes = encodeRecord([.string("kept")], layout)
        let owned = bytes.withUnsafeBytes { RecordView($0).map(OwnedRecord.init) }
        for index in bytes.indices { bytes[index] = 0xFF }
        #expect(owned?.view.hasValidChecksum() == true)
        #expect(owned?.view.value(0, in: layout) == .string("kept"))
    }

    @Test func draftReleasesItsValues() {
        let probe = StorageProbe()
        var draft: RecordDraft? = RecordDraft.make(fieldCount: 3)
        draft?[0] = probe.makeValue()
        draft?[2] = draft?[0]
        #expect(probe.isAlive)
        var copy = draft?.copy()
        draft = nil
        #expect(probe.isAlive)
        copy?[0] = .null
        #expect(probe.isAlive)
        copy = nil
        #expect(!probe.isAlive)
    }

    @Test func draftOfValuesReleasesThem() {
        let probe = StorageProbe()
        var draft: RecordDraft? = RecordDraft.make(values: [nil, probe.makeValue()])
        #expect(draft?.fieldCount == 2)
        #expect(draft?[0] == nil)
        #expect(probe.isAlive)
        draft = nil
        #expect(!probe.isAlive)
        #expect(RecordDraft.make(values: []).fieldCount == 0)
    }

    @Test func draftIndexIsChecked() async {
        await #expect(processExitsWith: .failure) {
            _ = RecordDraft.make(fieldCount: 2)[2]
        }
        await #expect(processExitsWith: .failure) {
            RecordDraft.make(fieldCount: 2)[-1] = .null
        }
    }
}

/// Watches whether the storage of a value is still allocated.
private final class StorageProbe {
    private weak var storage: AnyObject?

    var isAlive: Bool { storage != nil }

    func makeValue() -> Value {
        let bytes = [UInt8](repeating: 7, count: 40)
        // unsafe: an array is one reference to an object that can be held weakly.
        storage = unsafeBitCast(bytes, to: AnyObject.self)
        return .binaryData(bytes)
    }
}
