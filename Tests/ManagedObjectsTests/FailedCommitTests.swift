// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Saves that the disk refuses, and that succeed once it no longer does.
@Suite struct FailedCommitTests {
    /// The notes that another context finds.
    private func texts(_ stack: Stack) throws -> [String] {
        let other = stack.container.newBackgroundContext()
        return try other.performAndWait {
            try other.all("Note").map { $0.text("text") }.sorted()
        }
    }

    /// LMDB by itself would refuse everything from the first failure on.
    @Test func aContextSavesOnceThereIsRoomAgain() throws {
        let stack = try Stack(LibraryModel.make())
        try stack.reopen { $0.setOption("full" as NSString, forKey: LodeDurabilityOption) }
        let context = stack.context
        let kept = context.make("Note", ["text": "kept"])
        try context.save()
        let path = stack.url.resolvingSymlinksInPath().path
        let fault = try #require(HeaderFault(path))
        kept.setValue("changed", forKey: "text")
        let new = context.make("Note", ["text": "new"])
        for _ in 0..<3 {
            #expect(code { try context.save() } == 134_070)
            #expect(context.hasChanges && kept.isUpdated && new.isInserted)
            #expect(new.objectID.isTemporaryID)
            #expect(try texts(stack) == ["kept"])
        }
        fault.end()
        try context.save()
        #expect(!context.hasChanges && !new.objectID.isTemporaryID)
        #expect(try texts(stack) == ["changed", "new"])
    }

    @Test func aStoreCanBeRemovedAndAddedAfterAFailure() throws {
        let stack = try Stack(LibraryModel.make())
        try stack.reopen { $0.setOption("full" as NSString, forKey: LodeDurabilityOption) }
        stack.context.make("Note", ["text": "kept"])
        try stack.context.save()
        do {
            let fault = try #require(HeaderFault(stack.url.resolvingSymlinksInPath().path))
            stack.context.make("Note", ["text": "lost"])
            #expect(code { try stack.context.save() } == 134_070)
            fault.end()
        }
        try stack.reopen()
        #expect(try stack.context.all("Note").map { $0.text("text") } == ["kept"])
        stack.context.make("Note", ["text": "new"])
        try stack.context.save()
        #expect(try stack.context.count("Note") == 2)
    }
}
