// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MacroExpansion

@Suite struct MessageChannelTests {
    private let pipe = Pipe()
    private var channel: MessageChannel {
        MessageChannel(
            input: pipe.fileHandleForReading.fileDescriptor,
            output: pipe.fileHandleForWriting.fileDescriptor)
    }

    private func receive(_ bytes: [UInt8]) throws -> [UInt8]? {
        try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
        try pipe.fileHandleForWriting.close()
        return channel.receive()
    }

    @Test func carriesMessagesInOrder() {
        #expect(channel.send([1, 2, 3]))
        #expect(channel.send([]))
        #expect(channel.receive() == [1, 2, 3])
        #expect(channel.receive() == [])
    }

    @Test func countsInLittleEndian() throws {
        #expect(channel.send([9]))
        let bytes = try pipe.fileHandleForReading.read(upToCount: 9)
        #expect(bytes == Data([1, 0, 0, 0, 0, 0, 0, 0, 9]))
    }

    @Test func endsWithTheStream() throws {
        #expect(try receive([]) == nil)
    }

    @Test(arguments: [
        [1, 0, 0], [2, 0, 0, 0, 0, 0, 0, 0, 7], [255, 255, 255, 255, 255, 255, 255, 255, 1],
    ])
    func refusesABrokenStream(bytes: [UInt8]) throws {
        #expect(try receive(bytes) == nil)
    }

    @Test func noticesAFailedWrite() {
        // No descriptor has this number, so the write fails without a signal.
        #expect(!MessageChannel(input: -1, output: -1).send([1]))
        #expect(MessageChannel(input: -1, output: -1).receive() == nil)
    }
}
