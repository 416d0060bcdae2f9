// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import LodeTool

/// Dates as the tool prints them: an import reads the same ones.
@Suite struct ISODateTextTests {
    @Test(arguments: [
        (-63_113_904_000, "0001-01-01T00:00:00Z"), (-50_491_123_200, "0401-01-01T00:00:00Z"),
        (-13_198_032_000, "1582-10-10T00:00:00Z"), (-13_197_600_001, "1582-10-14T23:59:59Z"),
        (-3_187_296_000, "1900-01-01T00:00:00Z"), (-26_438_401, "2000-02-29T23:59:59Z"),
        (0, "2001-01-01T00:00:00Z"), (731_117_045, "2024-03-03T00:04:05Z"),
        (252_423_993_599, "9999-12-31T23:59:59Z"),
        (252_423_993_600, "252423993600.0 s after 2001-01-01T00:00:00Z"),
    ])
    func dates_are_gregorian(seconds: Int, text: String) {
        #expect(
            ValueText.iso8601(Date(timeIntervalSinceReferenceDate: Double(seconds))) == text)
    }

    @Test(arguments: [
        (0.5, "2001-01-01T00:00:00.500Z"), (-0.25, "2000-12-31T23:59:59.750Z"),
        (731_117_045.123, "2024-03-03T00:04:05.123Z"),
        (731_117_045.123456, "2024-03-03T00:04:05.123456Z"),
        (0.000000001, "2001-01-01T00:00:00.000000001Z"), (1 - 1e-12, "2001-01-01T00:00:01Z"),
    ])
    func fractions_have_the_digits_that_they_need(seconds: Double, text: String) {
        #expect(ValueText.iso8601(Date(timeIntervalSinceReferenceDate: seconds)) == text)
    }
}
