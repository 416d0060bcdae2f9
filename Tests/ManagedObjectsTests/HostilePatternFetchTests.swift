// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Fetches whose regular expression would search for years.
@Suite struct HostilePatternFetchTests {
    @Test(arguments: [true, false])
    func aFetchThrows(isSaved: Bool) throws {
        let stack = try Stack(LibraryModel.make())
        stack.context.make("Note", ["text": String(repeating: "a", count: 60) + "b"])
        if isSaved { try stack.context.save() }
        let error = #expect(throws: CocoaError.self) {
            _ = try stack.context.all("Note", NSPredicate(format: "text MATCHES '(a+)+$'"))
        }
        #expect(error?.localizedDescription.contains("(a+)+$") == true)
        #expect(try stack.context.all("Note", NSPredicate(format: "text MATCHES 'a+b'")).count == 1)
    }
}
