// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

/// The names behind key paths of managed classes.
@Suite struct KeyPathNameTests {
    @Test func attributes_have_their_names() {
        #expect((\Work.title).managedName == "title")
        #expect((\Work.nick).managedName == "nick")
        #expect((\Work.year).managedName == "year")
        #expect((\Work.rating).managedName == "rating")
        #expect((\Work.isOut).managedName == "isOut")
        #expect((\Work.released).managedName == "released")
        #expect((\Work.cover).managedName == "cover")
        #expect((\Work.page).managedName == "page")
        #expect((\Work.price).managedName == "price")
        #expect((\Work.count).managedName == "count")
        #expect((\Work.extra).managedName == "extra")
    }

    @Test func a_property_has_the_name_of_the_model() {
        #expect((\Work.pages).managedName == "page_count")
    }

    @Test func a_property_whose_setter_is_private_has_its_name() {
        #expect((\Work.code).managedName == "code")
    }

    @Test func enumerations_have_their_names() {
        #expect((\Work.binding).managedName == "binding")
        #expect((\Work.grade).managedName == "grade")
    }

    @Test func relationships_have_their_names() {
        #expect((\Work.writer).managedName == "writer")
        #expect((\Work.tags).managedName == "tags")
        #expect((\Work.list).managedName == "list")
    }

    @Test func paths_have_the_names_of_their_steps() {
        #expect((\Work.writer?.name).managedName == "writer.name")
        #expect((\Work.writer!.name).managedName == "writer.name")
        #expect((\Work.writer?.home).managedName == "writer.home")
        #expect((\Work.writer?.mentor?.name).managedName == "writer.mentor.name")
        #expect((\Work.writer!.mentor!.mentor).managedName == "writer.mentor.mentor")
        #expect((\Work.writer?.works).managedName == "writer.works")
    }

    @Test func subclasses_have_their_own_and_inherited_names() {
        #expect((\Novel.title).managedName == "title")
        #expect((\Novel.chapters).managedName == "chapters")
        #expect((\Novel.writer?.name).managedName == "writer.name")
        #expect((\Novel.grade).managedName == "grade")
    }

    @Test func what_every_object_has_is_named() {
        #expect((\Work.objectID).managedName == "objectID")
        #expect((\Novel.objectID).managedName == "objectID")
        #expect((\Work.self).managedName == "self")
    }

    @Test func generic_code_and_erased_key_paths_are_named() {
        func name<Root: Work>(_: Root.Type) -> String { (\Root.year).managedName }
        #expect(name(Novel.self) == "year")
        let erased: [PartialKeyPath<Work>] = [\.title, \.writer?.name]
        #expect(erased.map(\.managedName) == ["title", "writer.name"])
    }

    @Test func computed_properties_are_refused() {
        let computed: [PartialKeyPath<Work>] = [
            \.upper, \.shownTitle, \.otherTitle, \.trimmed, \.clamped, \.isIn, \.full, \.constant,
            \.title.count, \.writer?.name.count, \.hasChanges, \.entity.name, \.chief.name.count,
        ]
        for path in computed {
            #expect(throws: CocoaError.self, "\(path)") { try path.requireManagedName() }
        }
    }

    @Test func a_computed_property_that_passes_on_another_one_has_its_name() {
        #expect((\Work.chief).managedName == "writer")
        #expect((\Work.chief.name).managedName == "writer.name")
    }

    @Test func a_refusal_names_the_key_path() {
        let error = #expect(throws: CocoaError.self) {
            try (\Work.full).requireManagedName()
        }
        #expect(error?.code == .persistentStoreOperation)
        #expect(
            error?.message
                == #"the key path \Work.<a property of type String> is no managed property: it "#
                + "computes its value from title, nick; use key paths of @Managed properties, "
                + "which may be joined by ! and ?")
        let step = #expect(throws: CocoaError.self) {
            try (\Work.writer?.name.count).requireManagedName()
        }
        #expect(
            step?.message.hasPrefix(
                #"the key path \Work.<a property of type Optional<Writer>>?"#
                    + ".<a property of type String>.<a property of type Int>? is no") == true)
    }

    @Test func a_computed_property_traps() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = (\Work.upper).managedName
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains(#"\Work.<a property of type String> is no managed property"#))
    }

    @Test func names_are_found_on_any_thread() async {
        let names = await withTaskGroup(of: String.self) { group in
            for index in 0..<64 {
                group.addTask {
                    index.isMultiple(of: 2)
                        ? (\Novel.writer?.mentor?.home).managedName : (\Novel.rating).managedName
                }
            }
            var found: [String: Int] = [:]
            for await name in group { found[name, default: 0] += 1 }
            return found
        }
        #expect(names == ["writer.mentor.home": 32, "rating": 32])
    }

    @Test func a_property_in_use_is_still_found_and_read() throws {
        let context = try Works.makeContext()
        let work = Novel(context: context)
        work.year = 1990
        work.title = "Emma"
        #expect(work[keyPath: \.year] == 1990)
        #expect((\Novel.year).managedName == "year" && (\Work.year).managedName == "year")
        #expect(work.year == 1990 && work.title == "Emma")
        #expect(Work.entity().name == "WorkEntity" && Novel.entity().name == "NovelEntity")
    }
}
