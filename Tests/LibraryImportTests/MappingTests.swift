// SPDX-License-Identifier: Apache-2.0

import LibraryImport
import Schema
import Testing

@Suite struct MappingTests {
    @Test func readsTheWholeGrammar() throws {
        let mapping = try ImportMapping.parse(
            """
            {"entities": {
              "Employee": {
                "name": "Worker", "key": "EmployeeId", "ignore": ["Fax"],
                "attributes": {"BirthDate": {"name": "born", "type": "date", "optional": true,
                                             "unique": false, "indexed": true}},
                "relationships": {"ReportsTo": {"destination": "Employee", "name": "manager",
                                                "inverse": "reports", "optional": true}}},
              "Log": {"ignore": true},
              "PlaylistTrack": {"manyToMany": {
                "PlaylistId": {"destination": "Playlist", "property": "songs"}, "TrackId": {}}},
              "Pair": {"manyToMany": false}
            }}
            """)
        var employee = EntityMapping()
        employee.name = "Worker"
        employee.key = "EmployeeId"
        employee.ignoredColumns = ["Fax"]
        var born = AttributeMapping()
        born.name = "born"
        born.type = .date
        born.isOptional = true
        born.isUnique = false
        born.isIndexed = true
        employee.attributes = ["BirthDate": born]
        var manager = RelationshipMapping()
        manager.destination = "Employee"
        manager.name = "manager"
        manager.inverse = "reports"
        manager.isOptional = true
        employee.relationships = ["ReportsTo": manager]
        #expect(mapping.entities["Employee"] == employee)
        #expect(mapping.entities["Log"]?.isIgnored == true)
        #expect(
            mapping.entities["PlaylistTrack"]?.links
                == .ends(
                    LinkEndMapping(
                        column: "PlaylistId", destination: "Playlist", property: "songs"),
                    LinkEndMapping(column: "TrackId")))
        #expect(mapping.entities["Pair"]?.links == .never)
        #expect(try ImportMapping.parse("{}") == ImportMapping())
    }

    @Test(arguments: [
        ("[]", "1:1: the mapping: expected an object, found an array"),
        ("{\"x\": 1}", "1:7: x: unknown key; expected \"entities\""),
        ("{\"entities\": 5}", "1:14: entities: expected an object, found a number"),
        ("{\"entities\": {\"A\": null}}", "1:20: entities.A: expected an object, found null"),
        ("{\"entities\": {\"A\": {}, \"A\": {}}}", "1:29: entities.A: the entity comes twice"),
        (
            "{\"entities\": {\"A\": {\"kee\": 1}}}",
            "1:28: entities.A.kee: unknown key; expected name, "
                + "key, ignore, attributes, relationships or manyToMany"
        ),
        (
            "{\"entities\": {\"A\": {\"key\": true}}}",
            "1:28: entities.A.key: expected a string, found a boolean"
        ),
        (
            "{\"entities\": {\"A\": {\"name\": \"2\"}}}",
            "1:29: entities.A.name: '2' cannot name an entity; "
                + "use letters and digits"
        ),
        (
            "{\"entities\": {\"A\": {\"ignore\": 1}}}",
            "1:31: entities.A.ignore: expected true or an array of "
                + "column names, found a number"
        ),
        (
            "{\"entities\": {\"A\": {\"ignore\": [\"x\", 1]}}}",
            "1:37: entities.A.ignore[1]: expected a string, "
                + "found a number"
        ),
        (
            "{\"entities\": {\"A\":\n{\"attributes\": {\"x\": {\"type\": \"int\"}}}}}",
            "2:31: entities.A.attributes.x.type: unknown type 'int'; expected one of "
                + "integer16, integer32, "
                + "integer64, decimal, double, float, string, boolean, date, uuid, uri, binaryData"
        ),
        (
            "{\"entities\": {\"A\": {\"attributes\": {\"x\": {\"optional\": \"no\"}}}}}",
            "1:54: entities.A.attributes.x.optional: expected true or false, found \"no\""
        ),
        (
            "{\"entities\": {\"A\": {\"attributes\": {\"x\": {\"nam\": \"no\"}}}}}",
            "1:49: entities.A.attributes.x.nam: unknown key; expected name, type, "
                + "optional, unique or indexed"
        ),
        (
            "{\"entities\": {\"A\": {\"attributes\": {\"x\": {\"name\": \"class\"}}}}}",
            "1:50: entities.A.attributes.x.name: 'class' cannot name a property; use "
                + "letters and digits, "
                + "and no word that Swift, NSManagedObject or predicates use"
        ),
        (
            "{\"entities\": {\"A\": {\"relationships\": {\"x\": {\"to\": \"B\"}}}}}",
            "1:51: entities.A.relationships.x.to: unknown key; expected destination, "
                + "name, inverse or optional"
        ),
        (
            "{\"entities\": {\"A\": {\"manyToMany\": {\"x\": {}}}}}",
            "1:35: entities.A.manyToMany: expected a boolean or an object with two "
                + "columns, found an object"
        ),
        (
            "{\"entities\": {\"A\": {\"manyToMany\": {\"x\": {\"a\":1},\"y\":{}}}}}",
            "1:46: entities.A.manyToMany.x.a: unknown key; expected destination or property"
        ),
    ])
    func namesThePathOfAnError(text: String, expected: String) {
        let error = #expect(throws: ImportError.self) {
            try ImportMapping.parse(text, file: "m.json")
        }
        #expect(error?.description == "m.json:" + expected)
        #expect(error?.code == .badMapping)
    }

    @Test(arguments: [
        ("{\"entities\": }", "1:14: expected a value, found '}'"),
        ("{\"entities\": {}} {}", "1:18: expected nothing more after the document, found '{'"),
        ("{\"entities\": {} \"x\"", "1:17: expected ',' or '}', found '\"'"),
        ("{entities: {}}", "1:2: expected a key in quotes, found 'e'"),
        ("{\"entities\": [1 2]}", "1:17: expected ',' or ']', found '2'"),
        ("", "1:1: expected a value, found the end of the file"),
    ])
    func refusesTextThatIsNoJSON(text: String, expected: String) {
        let error = #expect(throws: ImportError.self) {
            try ImportMapping.parse(text, file: "m.json")
        }
        #expect(error?.description == "m.json:" + expected)
        #expect(error?.code == .malformed)
    }

    @Test func readsFiles() throws {
        try withFolder { folder in
            let path = folder + "/map.json"
            try #"{"entities": {"A": {"key": "x"}}}"#.write(
                toFile: path, atomically: false, encoding: .utf8)
            #expect(try ImportMapping.read(path: path).entities["A"]?.key == "x")
            #expect(try ImportMapping.read(path: path).file == path)
            let error = #expect(throws: ImportError.self) {
                try ImportMapping.read(path: folder + "/none.json")
            }
            #expect(error?.code == .cannotOpen)
        }
    }
}
