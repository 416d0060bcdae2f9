// SPDX-License-Identifier: Apache-2.0

import LibraryImport
import Testing

@Suite struct JSONReaderTests {
    @Test func readsSectionsInFileOrder() throws {
        let text = """
            {
              "Genre": [
                {"GenreId": 1, "Name": "Rock"},
                {"GenreId": 2, "Name": null}
              ],
              "Empty": [],
              "Album": [{"Title": "A"}]
            }
            """
        #expect(
            try rows(.json, text) == [
                ReadRow(
                    entity: "Genre", line: 3, number: 1, fields: ["GenreId=i:1", "Name=t:Rock"]),
                ReadRow(entity: "Genre", line: 4, number: 2, fields: ["GenreId=i:2", "Name=null"]),
                ReadRow(entity: "Album", line: 7, number: 1, fields: ["Title=t:A"]),
            ])
        let source = reader(.json, Array(text.utf8))
        _ = try allRows(source)
        #expect(source.sections.map(\.name) == ["Genre", "Empty", "Album"])
        #expect(source.sections.map(\.rowCount) == [2, 0, 1])
        #expect(source.fieldNames(of: 0) == ["GenreId", "Name"])
        #expect(source.fieldNames(of: 1) == [])
        #expect(source.fieldNames(of: 2) == ["Title"])
        #expect(source.bytesRead == text.utf8.count)
    }

    @Test func reportsKeysThatComeTwice() throws {
        let text = #"{"A": [{"x":1,"y":2,"x":1}, {"x":3},"# + "\n" + #"{"x":null,"x":4}]}"#
        let problem = "the key \"x\" comes twice in the object"
        #expect(
            try rows(.json, text) == [
                ReadRow(
                    entity: "A", line: 1, number: 1, fields: ["x=i:1", "y=i:2"], problem: problem),
                ReadRow(entity: "A", line: 1, number: 2, fields: ["x=i:3"]),
                ReadRow(entity: "A", line: 2, number: 3, fields: ["x=null"], problem: problem),
            ])
    }

    @Test(arguments: [
        (#"[{"model":"a.b","pk":1,"pk":2,"fields":{"x":1}}]"#, "pk"),
        (#"[{"model":"a.b","pk":1,"fields":{"x":1,"x":1}}]"#, "x"),
        (#"[{"model":"a.b","model":"a.b","fields":{"x":1}}]"#, "model"),
    ])
    func reportsKeysThatComeTwiceInFixtures(text: String, key: String) throws {
        let read = try rows(.json, text)
        #expect(read.map(\.entity) == ["b"])
        #expect(read.first?.problem == "the key \"\(key)\" comes twice in the object")
    }

    @Test(arguments: ["", " \n", "\u{FEFF}"])
    func namesATopLevelArrayAfterTheFile(prefix: String) throws {
        let read = try rows(.json, prefix + #"[{"a": true}]"#)
        #expect(read.map(\.entity) == ["Row"])
        #expect(read.map(\.fields) == [["a=true"]])
    }

    @Test(arguments: [
        ("0", "i:0"), ("-0", "i:0"), ("-12", "i:-12"),
        ("9223372036854775807", "i:9223372036854775807"),
        ("-9223372036854775808", "i:-9223372036854775808"),
        ("9223372036854775808", "n:9223372036854775808"),
        ("-9223372036854775809", "n:-9223372036854775809"),
        ("18446744073709551616", "n:18446744073709551616"),
        ("0.99", "n:0.99"), ("-1.50", "n:-1.50"), ("1e5", "n:1e5"), ("1E+5", "n:1E+5"),
        ("2.5e-10", "n:2.5e-10"), ("true", "true"), ("false", "false"), ("null", "null"),
        (#""""#, "t:"), (#""\"\\\/\b\f\n\r\t""#, "t:\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u20AC\uD83D\uDE00""#, "t:Aé€😀"), (#""é€😀""#, "t:é€😀"),
        (#""\u0000""#, "t:\0"), ("[]", "j:[]"), ("{ }", "j:{}"),
        (
            "[ 1 , -2.50 , \"a\\n\\u0001\" , [ true , null , false ] ]",
            #"j:[1,-2.50,"a\n\u0001",[true,null,false]]"#
        ),
        (#"{ "k" : { "l" : [ ] } , "m" : 1 }"#, #"j:{"k":{"l":[]},"m":1}"#),
    ])
    func readsValues(json: String, expected: String) throws {
        let read = try rows(.json, "[{\"v\": \(json) , \"w\":\(json)}]")
        #expect(read.map(\.fields) == [["v=\(expected)", "w=\(expected)"]])
    }

    @Test func findsFieldsInAnyOrder() throws {
        let read = try rows(.json, #"[{"a":1,"b":2},{"b":3,"a":4},{"c":5},{},{"\u0061":6}]"#)
        #expect(
            read.map(\.fields) == [
                ["a=i:1", "b=i:2"], ["a=i:4", "b=i:3"], ["c=i:5"], [], ["a=i:6"],
            ])
    }

    @Test func comparesKeysThatNeedEscapes() throws {
        let read = try rows(.json, #"[{"a\"b":1},{"a\"b":2}]"#)
        #expect(read.map(\.fields) == [["a\"b=i:1"], ["a\"b=i:2"]])
        #expect(readError(.json, Array(#"[{"a\"b":1},{"a"b":2}]"#.utf8))?.column == 17)
    }

    @Test func reportsElementsThatAreNoObjects() throws {
        let read = try rows(.json, #"{"A": [1, {"x": 1}, [2], "t", null, true]}"#)
        #expect(
            read.map(\.problem) == [
                "expected an object, found a number", nil,
                "expected an object, found an object or array",
                "expected an object, found a string", "expected an object, found null",
                "expected an object, found a boolean",
            ])
        #expect(read.map(\.number) == [1, 2, 3, 4, 5, 6])
    }

    @Test func skipsIgnoredKeys() throws {
        var options = ReaderOptions()
        options.ignoredKeys = ["version", "meta"]
        let text = #"{"version": 3, "A": [{"x": 1}], "meta": {"by": ["me"]}}"#
        let read = try allRows(reader(.json, Array(text.utf8), options))
        #expect(read.map(\.fields) == [["x=i:1"]])
        #expect(
            readError(.json, Array(text.utf8))?.description
                == "input:1:13: 'version' holds a number, expected an array of rows; "
                + "set \"ignore\": true for it in a mapping file to skip it")
    }

    @Test func flattensDjangoFixtures() throws {
        let text = """
            [{"fields": {"model": "CR90", "crew": [1, 2]}, "model": "res.ship", "pk": 2},
             {"model": "res.ship", "pk": 3, "fields": {"crew": [], "model": null}},
             {"model": "res.film", "pk": 4, "fields": {"title": "A"}},
             {"model": "res.ship", "pk": 5, "fields": {}}]
            """
        let read = try rows(.json, text)
        #expect(read.map(\.entity) == ["ship", "ship", "film", "ship"])
        #expect(read.map(\.number) == [1, 2, 1, 3])
        #expect(
            read.map(\.fields) == [
                ["model=t:CR90", "crew=j:[1,2]", "pk=i:2"], ["model=null", "crew=j:[]", "pk=i:3"],
                ["pk=i:4", "title=t:A"], ["pk=i:5"],
            ])
    }

    @Test func leavesModelAndKeyOfPlainRowsAlone() throws {
        let read = try rows(.json, #"[{"model": "T", "pk": 1, "fields": 3}]"#)
        #expect(read.map(\.entity) == ["Row"])
        #expect(read.map(\.fields) == [["model=t:T", "pk=i:1", "fields=i:3"]])
    }
}
