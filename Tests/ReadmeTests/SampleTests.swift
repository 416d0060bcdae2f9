// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct SampleTests {
    @Test func everySampleOfTheDocumentationIsCompiled() throws {
        let compiled = try Sample.compiled()
        let documented = try Sample.documented()
        #expect(documented.count > 80)
        for sample in documented where !compiled.contains(where: sample.matches) {
            Issue.record(
                """
                \(sample.place): this sample is not compiled; put the same lines into a file of \
                Tests/ReadmeTests/Samples, between "// SAMPLE: \(sample.file)" and "// SAMPLE: end":
                \(sample.text.joined(separator: "\n"))
                """)
        }
    }

    @Test func everyCompiledSampleIsOneOfTheDocumentation() throws {
        let documented = try Sample.documented()
        for sample in try Sample.compiled() where !documented.contains(where: sample.matches) {
            Issue.record(
                """
                \(sample.place): \(sample.file) has no such sample; change both together:
                \(sample.text.joined(separator: "\n"))
                """)
        }
    }

    @Test func samplesAreReadFromDocComments() throws {
        let source =
            ["struct A {", "    /// Text.", "    ///", "    /// ```swift"]
            + [
                "    /// if a {", "    ///     b()", "    /// }", "    /// ```", "    var a = 1",
                "}",
            ]
        let samples = Sample.blocks(Sample.docComments(source), "Sources/B/A.swift")
        #expect(samples.map(\.text) == [["if a {", "    b()", "}"]])
        #expect(samples.map(\.place) == ["Sources/B/A.swift:4"])
    }

    @Test func aChangedSampleIsNoticed() throws {
        let article = ["# A", "```swift", "let a = 1", "```"]
        let source = ["func f() {", "    // SAMPLE: A.md", "    let a = 1", "    // SAMPLE: end"]
        let written = try #require(Sample.blocks(article, "Sources/B/B.docc/A.md").first)
        let built = try #require(Sample.compiled(source, "Tests/ReadmeTests/Samples/A.swift").first)
        #expect(written.matches(built))
        let changed = source.map { $0.replacing("= 1", with: "= 2") }
        #expect(!Sample.compiled(changed, "A.swift").contains(where: written.matches))
    }

    @Test func theCentralTypesHaveSamples() throws {
        let files = Set(try Sample.documented().map(\.file))
        let central = [
            "NSManagedObject", "NSManagedObjectID", "NSManagedObjectContext",
            "NSManagedObjectContext+Perform", "NSManagedObjectContext+Fetching", "NSFetchRequest",
            "NSPredicate+Format", "NSSortDescriptor+Key", "NSFetchedResultsController",
            "NSPersistentContainer", "NSPersistentStoreCoordinator", "NSPersistentStoreDescription",
            "NSEntityDescription", "NSAttributeDescription", "NSRelationshipDescription",
            "NSManagedObjectModel", "NSBatchInsertRequest", "NSBatchUpdateRequest",
            "NSBatchDeleteRequest", "NSPersistentHistoryChangeRequest", "NSMergePolicy",
            "NSAsynchronousFetchRequest", "NSExpressionDescription", "ValueTransformer", "Macros",
            "GameObject", "Component", "World", "World+Context", "World+Querying", "ValueComponent",
            "LibraryImporter", "Environment", "ReadTransaction",
            "WriteTransaction", "Cursor", "Snapshot", "Store", "StoreSnapshot", "SaveTransaction",
        ]
        for name in central { #expect(files.contains("\(name).swift"), "\(name) has no sample") }
    }
}
