// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import ManagedObjects
import Testing
import _TestSupport

/// Rows of a new store become records without objects, those of one that exists become objects.
///
/// Both have to be the same, also if the store that exists is empty.
@Suite struct RowLoaderTests {
    private static let mapping = """
        {"entities": {
          "Author": {"key": "Code", "attributes": {
            "Code": {"type": "string"}, "Name": {"type": "string", "optional": true}}},
          "Book": {"key": "Isbn", "attributes": {
            "Isbn": {"type": "string"}, "Title": {"type": "string", "optional": true},
            "Year": {"type": "integer32", "optional": true},
            "Price": {"type": "decimal", "optional": true},
            "Rating": {"type": "double", "optional": true},
            "Sold": {"type": "boolean", "optional": true},
            "Day": {"type": "date", "optional": true}}, "relationships": {
            "AuthorCode": {"destination": "Author", "name": "author", "inverse": "books",
              "optional": true},
            "EditorCode": {"destination": "Author", "name": "editor", "inverse": "edited",
              "optional": true}}}}}
        """

    /// Books with keys that repeat, references that lead nowhere and fields of other types.
    private func files(_ random: inout SplitMix64) -> [String: String] {
        func maybe(_ text: String, _ random: inout SplitMix64) -> String {
            Int.random(in: 0..<6, using: &random) == 0 ? "" : text
        }
        var authors = "Code,Name\n"
        for number in 0..<Int.random(in: 1...30, using: &random) {
            authors += "a\(number),\(maybe("Author \(number)", &random))\n"
        }
        var books = "Isbn,Title,Year,Price,Rating,Sold,Day,AuthorCode,EditorCode\n"
        for number in 0..<Int.random(in: 1...120, using: &random) {
            let key =
                Int.random(in: 0..<8, using: &random) == 0
                ? "k\(Int.random(in: 0...number, using: &random))" : "k\(number)"
            let year =
                Int.random(in: 0..<30, using: &random) == 0
                ? "MMX" : "\(Int.random(in: 1900..<2000, using: &random))"
            let fields = [
                maybe(key, &random), maybe("\"Title, \(number)\"", &random),
                maybe(year, &random),
                maybe("\(Int.random(in: 0..<100, using: &random)).\(number % 10)0", &random),
                maybe("\(Double(number) / 8)", &random), maybe("true", &random),
                maybe("2005-07-\(10 + number % 20)", &random),
                maybe("a\(Int.random(in: 0..<34, using: &random))", &random),
                maybe("a\(Int.random(in: 0..<31, using: &random))", &random),
            ]
            books += fields.joined(separator: ",") + "\n"
        }
        return ["Author.csv": authors, "Book.csv": books]
    }

    private func rows(_ report: ImportReport) -> [String] {
        report.rejections.map { "\($0.file.split(separator: "/").last ?? "") \($0.row)" }
    }

    @Test(arguments: 1...24)
    func a_new_store_is_like_one_with_objects(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        let files = files(&random)
        let batchSize = Int.random(in: 1...20, using: &random)
        try withWorkplace { place throws in
            let made = try place.load(files, mapping: Self.mapping, batchSize: batchSize)
            let found = try place.dump()
            try place.remakeStore()
            let other = try place.load(files, mapping: Self.mapping, batchSize: batchSize)
            #expect(try found == place.dump(), "\(files)")
            #expect(made.counts == other.counts, "\(files)")
            // The reasons differ for a row that has two.
            #expect(rows(made) == rows(other), "\(files)")
        }
    }

    @Test(arguments: [1, 2, 3, 100])
    func rows_are_reported_in_the_order_of_the_file(batchSize: Int) throws {
        let files = [
            "Author.csv": "Code,Name\na,A\nb,B\n",
            "Book.csv":
                "Isbn,Title,Year,Price,Rating,Sold,Day,AuthorCode,EditorCode\n"
                + "1,One,,,,,,a,b\n2,Two,,,,,,x,\n3,Three,old,,,,,a,\n1,Four,,,,,,b,\n"
                + "2,Five,,,,,,b,\n5,Six,,,,,,b,y\n2,Seven,,,,,,a,a\n6,Eight,,,,,,,\n",
        ]
        try withWorkplace { place throws in
            let report = try place.load(files, mapping: Self.mapping, batchSize: batchSize)
            #expect(report.counts == ["Author 2/0/0/0", "Book 3/0/0/5"])
            #expect(
                report.reasons == [
                    "Book.csv:3 Book 2: AuthorCode \"x\" leads to no Author",
                    "Book.csv:4 Book 3: Year should be integer32, not \"old\"",
                    "Book.csv:5 Book 4: Isbn \"1\" is in an earlier row already",
                    "Book.csv:7 Book 6: EditorCode \"y\" leads to no Author",
                    "Book.csv:8 Book 7: Isbn \"2\" is in an earlier row already",
                ])
            let titles = try place.dump().filter { $0.hasPrefix("Book") }.map {
                $0.components(separatedBy: " ").prefix(3).joined(separator: " ")
            }
            #expect(
                titles == [
                    "Book isbn=1 title=One", "Book isbn=2 title=Five", "Book isbn=6 title=Eight",
                ])
            #expect(
                try place.dump().prefix(2) == [
                    "Author code=a name=A books=[1] edited=[]",
                    "Author code=b name=B books=[2] edited=[1]",
                ])
        }
    }

    @Test func a_strict_import_of_a_repeated_key_leaves_nothing() throws {
        let files = ["Author.csv": "Code,Name\na,A\nb,B\na,C\n"]
        try withWorkplace { place throws in
            #expect(throws: ImportError.self) {
                _ = try place.load(
                    files, mapping: #"{"entities": {"Author": {"key": "Code"}}}"#,
                    isStrict: true)
            }
            #expect(try place.leftovers() == [])
        }
    }

    @Test func what_is_outside_of_a_record_is_there() throws {
        let long = String(repeating: "long ", count: 20_000)
        let files = ["Note.csv": "Id,Text\n1,\(long)\n2,short\n3,\(long)\n1,again\n"]
        try withWorkplace { place throws in
            let report = try place.load(
                files, mapping: #"{"entities": {"Note": {"key": "Id"}}}"#, batchSize: 2)
            #expect(report.counts == ["Note 3/0/0/1"])
            try place.expect([
                "Note id=1 text=\(long)", "Note id=2 text=short", "Note id=3 text=\(long)",
            ])
        }
    }
}
