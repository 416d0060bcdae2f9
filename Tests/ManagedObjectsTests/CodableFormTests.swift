// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A value of which the stored form has names and a table.
struct Address: Codable, Equatable {
    var street: String
    var city: String
    var numbers: [String: Int]
}

/// Equal values have equal data, or setting one again would be a change to save.
@Suite struct CodableFormTests {
    private let address = Address(
        street: "s", city: "c", numbers: ["d": 4, "b": 2, "a": 1, "c": 3])

    @Test func names_and_keys_are_stored_in_order() {
        let data = CodableValueTransformer<Address>().transformedValue(address) as? Data
        let text = data.map { String(decoding: $0, as: UTF8.self) }
        #expect(
            text == #"[{"city":"c","numbers":{"a":1,"b":2,"c":3,"d":4},"street":"s"}]"#)
    }

    @Test func data_in_another_order_is_read() {
        let data = Data(
            #"[{"street":"s","numbers":{"d":4,"c":3,"b":2,"a":1},"city":"c"}]"#.utf8)
        let value = CodableValueTransformer<Address>().reverseTransformedValue(data)
        #expect(value as? Address == address)
    }
}
