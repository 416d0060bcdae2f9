// SPDX-License-Identifier: Apache-2.0

import LibraryImport
import Schema
import Testing

@Suite struct RowConverterTests {
    /// Converts all rows of a plan's steps; rejections as text without the folder.
    private func convert(
        _ files: [String: String], mapping: String? = nil
    ) throws -> (rows: [ConvertedRow], rejections: [String]) {
        var rows: [ConvertedRow] = []
        var rejections: [String] = []
        let mapping = try mapping.map { try ImportMapping.parse($0) }
        try plan(files, mapping: mapping) { plan in
            for step in plan.steps where step.phase == .objects {
                let source = try plan.open(step)
                var converter = RowConverter(plan)
                var row = RawRow()
                var output = ConvertedRow()
                while try source.next(into: &row) {
                    switch converter.convert(row, from: source, into: &output) {
                    case .converted: rows.append(output)
                    case .ignored: break
                    case .rejected(let rejected):
                        let text = rejected.description
                        rejections.append(String(text.split(separator: "/").last ?? ""))
                    }
                }
            }
        }
        return (rows, rejections)
    }

    @Test func convertsObjectsAndLinks() throws {
        let (rows, rejections) = try convert(["m.json": ModelInferenceTests.music])
        #expect(rejections == [])
        #expect(rows.map(\.table) == [0, 1, 2, 3, 3, 4, 4, 5, 6, 7, 7])
        #expect(
            rows[3].values
                == [.integer64(1), .string("A"), .double(0.99), .integer64(7)])
        #expect(rows[3].references == [.integer64(1), .integer64(1)])
        #expect(
            rows[4].values
                == [.integer64(2), .string("B"), .double(1), .integer64(8)])
        #expect(rows[4].references == [.null, .integer64(1)])
        #expect(
            rows[5].values
                == [.integer64(1), .null, .date(-1_226_620_800), .string("1")])
        #expect(rows[10].target == .links(0))
        #expect(rows[10].first == .integer64(1))
        #expect(rows[10].second == .integer64(2))
        #expect(rows[10].number == 2)
        #expect(rows[4].line == 7)
    }

    @Test func convertsArraysOfKeys() throws {
        let (rows, rejections) = try convert(
            [
                "m.json": """
                {"Tag": [{"id": "x"}], "Post": [{"id": 1, "tags": ["x", "y\\n"]}, {"id": 2, \
                "tags": []},
                 {"id": 3}, {"id": 4, "tags": null}]}
                """
            ])
        #expect(rejections == [])
        #expect(
            rows.dropFirst().map(\.arrays) == [[[.string("x"), .string("y\n")]], [[]], [[]], [[]]])
    }

    @Test func rejectsRowsWithAReason() throws {
        let (rows, rejections) = try convert(
            [
                "m.json": """
                {"A": [{"AId": 1, "d": "2001-01-01", "n": 1}, {"AId": 2, "d": "soon", "n": 1},
                 {"AId": 3, "d": null}, {"AId": 4, "d": "2001-01-01", "n": 2.5},
                 {"d": "2001-01-01", "n": 1}, {"AId": "x", "d": "2001-01-01", "n": 1}, 7],
                 "B": [{"AId": 1, "bs": [1], "id": 1}, {"AId": "q", "bs": [2], "id": 2}, {"id": \
                 3, "bs": [3]},
                 {"AId": 1, "id": 4, "bs": []}, {"AId": 1, "bs": [1], "id": 5}]}
                """
            ],
            mapping: """
                {"entities": {"A": {"attributes": {"d": {"type": "date", "optional": false},
                                                   "n": {"type": "integer16", "optional": false}}},
                              "B": {"relationships": {"AId": {"destination": "A", "optional": \
                              false}}}}}
                """)
        #expect(
            rejections == [
                "m.json:1: A row 2: d should be date, not \"soon\"",
                "m.json:2: A row 3: d is missing",
                "m.json:2: A row 4: n should be integer16, not 2.5",
                "m.json:3: A row 5: AId is missing",
                "m.json:3: A row 6: AId should be integer64, not \"x\"",
                "m.json:3: A row 7: expected an object, found a number",
                "m.json:4: B row 2: AId should be a key of type integer64, not \"q\"",
                "m.json:4: B row 3: AId is missing",
            ])
        #expect(rows.count == 4)
    }

    @Test func rejectsRecordsOfAnotherLengthAndLinksWithoutAnEnd() throws {
        let (rows, rejections) = try convert([
            "A.csv": "AId,n\n1,1\n2\n", "B.csv": "BId,n\n1,1\n",
            "AB.csv": "AId,BId\n1,\n1,1\n,1\nx,1\n",
        ])
        #expect(
            rejections == [
                "A.csv:3: A row 2: expected 2 fields, found 1",
                "AB.csv:2: AB row 1: BId is missing",
                "AB.csv:4: AB row 3: AId is missing",
                "AB.csv:5: AB row 4: AId should be a key of type integer64, not \"x\"",
            ])
        #expect(rows.count == 3)
    }

    @Test func findsColumnsByNameInEveryFile() throws {
        let (rows, rejections) = try convert([
            "a.json":
                """
            {"A": [{"id": 1, "n": "x"}],
             "A": [{"n": "y", "id": 2}, {"extra": 1, "id": 3, "n": "z"}]}
            """
        ])
        #expect(rejections == [])
        #expect(rows.map { $0.values[0] } == [.integer64(1), .integer64(2), .integer64(3)])
        #expect(rows.map { $0.values[2] } == [.null, .null, .integer64(1)])
    }

    @Test func shortensLongValuesInReasons() throws {
        let long = String(repeating: "é", count: 60)
        let shortened = String(repeating: "é", count: 39)
        let (_, rejections) = try convert(
            ["m.json": "[{\"n\": \"\(long)\"}]"],
            mapping: #"{"entities": {"m": {"attributes": {"n": {"type": "double"}}}}}"#)
        #expect(
            rejections == [
                "m.json:1: M row 1: n should be double, not \"\(shortened)…\""
            ])
    }

    @Test(
        arguments: [
            ("5", .integer16, .integer16(5)), ("40000", .integer16, nil),
            ("40000", .integer32, .integer32(40000)),
            ("3000000000", .integer32, nil), ("5.0", .integer64, .integer64(5)),
            ("5.5", .integer64, nil),
            ("1e3", .integer32, .integer32(1000)), ("1e30", .integer64, nil),
            ("5", .double, .double(5)),
            ("0.99", .double, .double(0.99)), ("1e999", .double, nil), ("0.5", .float, .float(0.5)),
            ("5", .float, .float(5)), ("1e300", .float, nil),
            (
                "0.99", .decimal,
                .decimal(DecimalValue(significand: 99, exponent: -2, isNegative: false))
            ),
            (
                "-70", .decimal,
                .decimal(DecimalValue(significand: 7, exponent: 1, isNegative: true))
            ),
            ("5", .string, .string("5")), ("0.990", .string, .string("0.990")),
            ("true", .string, .string("true")),
            ("[1, 2]", .string, .string("[1,2]")), ("[1]", .integer64, nil),
            ("true", .boolean, .boolean(true)),
            ("1", .boolean, .boolean(true)), ("0", .boolean, .boolean(false)), ("2", .boolean, nil),
            ("0.5", .boolean, nil), ("true", .integer64, nil), ("5", .date, nil), ("5", .uuid, nil),
            ("null", .integer64, .null), ("\"12\"", .integer64, .integer64(12)),
            ("\"012\"", .integer64, nil),
            ("\"1.5\"", .double, .double(1.5)), ("\"\"", .double, nil), ("\"x\"", .decimal, nil),
            (
                "\"99999999999999999999\"", .decimal,
                .decimal(
                    DecimalValue(
                        significand: 99_999_999_999_999_999_999, exponent: 0, isNegative: false))
            ),
            ("\"FALSE\"", .boolean, .boolean(false)), ("\"1\"", .boolean, .boolean(true)),
            ("\"yes\"", .boolean, nil),
            ("\"2001-01-02\"", .date, .date(86_400)), ("\"\"", .date, nil),
            ("\"\"", .string, .string("")),
            ("\"http://x\"", .uri, .uri("http://x")), ("\"\"", .uri, nil),
            ("\"TWFu\"", .binaryData, .binaryData([77, 97, 110])),
            ("\"T\"", .binaryData, nil),
            (
                "\"00000000-0000-0001-0000-000000000002\"", .uuid,
                .uuid(UUIDValue(high: 1, low: 2))
            ), ("\"x\"", .uuid, nil), ("\"x\"", .objectID, nil),
            ("9223372036854775808", .integer64, nil),
            ("9223372036854775808", .double, .double(9223372036854775808)),
        ] as [(String, AttributeType, Value?)])
    func convertsValues(json: String, type: AttributeType, expected: Value?) throws {
        var row = RawRow()
        let source = reader(.json, Array("[{\"v\":\(json)}]".utf8))
        #expect(try source.next(into: &row))
        #expect(ValueConverter.convert(row.values[0], in: row.bytes, to: type) == expected)
    }
}
