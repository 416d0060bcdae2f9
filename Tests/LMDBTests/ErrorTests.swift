// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LMDB

@Suite struct ErrorTests {
    static let codes: [LMDBError.Code] = [
        .keyExists, .notFound, .pageNotFound, .corrupted, .panic, .versionMismatch, .invalid,
        .mapFull, .databasesFull, .readersFull, .transactionFull, .cursorFull, .pageFull,
        .mapResized, .incompatible, .badReaderSlot, .badTransaction, .badValueSize, .badDatabase,
        .truncated, .foreign, .networkFileSystem, .forked, .incompatibleOptions, .snapshotInUse,
        .readOnly, .replacedWhileOpen,
    ]

    @Test(arguments: codes + [28, 13, 2, 12, 22, 5, 21, 999].map { .init(rawValue: $0) })
    func everyCodeSaysWhatHappenedAndWhatToDo(code: LMDBError.Code) {
        let error = LMDBError(code, path: "/a/b.lode", during: "Reading an entry")
        #expect(error.message.hasPrefix("Reading an entry failed: "))
        #expect(error.message.hasSuffix("."))
        #expect(!code.explanation.hasSuffix("."))
        #expect(code.advice.count > 20)
        #expect(error.description.contains("/a/b.lode"))
        #expect(error.description.contains("\(code.rawValue)"))
    }

    @Test func adviceFitsTheCause() {
        func advice(_ code: Int32) -> String { LMDBError.Code(rawValue: code).advice }
        // LMDB reports a write that a full disk cut short as an I/O error.
        #expect(
            advice(5)
                == "Free some disk space if it is full, or raise the limit of file sizes "
                + "(ulimit -f); else check the disk, then the file.")
        #expect(advice(28) == "Free some disk space, then repeat the write.")
        #expect(advice(21) == "This is a folder: name a file in it, or move it away.")
    }

    @Test func codesAreDistinct() {
        #expect(Set(Self.codes).count == Self.codes.count)
    }

    @Test func codesKeepTheNumbersOfLMDB() {
        #expect(LMDBError.Code.mapFull.rawValue == -30792)
        #expect(LMDBError.Code.keyExists.rawValue == -30799)
        #expect(LMDBError.Code.badDatabase.rawValue == -30780)
    }

    @Test func networkFileSystemsAreKnown() {
        for kind in [0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x6573_5546] as [UInt32] {
            #expect(FileSystem.isNetworkKind(kind))
        }
        for kind in [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630] as [UInt32] {
            #expect(!FileSystem.isNetworkKind(kind))
        }
        #expect(!FileSystem.isOnNetwork("/"))
    }
}
