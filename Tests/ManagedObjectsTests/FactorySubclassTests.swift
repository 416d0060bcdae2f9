// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

private final class OwnPredicate: NSPredicate {}

private final class OwnSortDescriptor: NSSortDescriptor {}

/// A program's own subclasses inherit initialisers that make objects of another class.
@Suite struct FactorySubclassTests {
    @Test func a_predicate_of_an_own_class_is_refused() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = OwnPredicate(format: "name == 'x'")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("OwnPredicate cannot be made of a format"))
    }

    @Test func a_sort_descriptor_of_an_own_class_is_refused() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = OwnSortDescriptor(key: "name", ascending: true)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("OwnSortDescriptor cannot be made of a key"))
    }
}
