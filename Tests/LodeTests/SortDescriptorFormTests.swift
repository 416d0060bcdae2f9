// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing
import _TestSupport

/// Sort descriptors of key paths, selectors and comparators.
@Suite struct SortDescriptorFormTests {
    private func fill(_ context: NSManagedObjectContext) {
        for (title, year, writer) in [("b", 3, "Z"), ("A", 1, nil), ("C", 2, "Y")] {
            let work = Work(context: context)
            work.title = title
            work.year = Int32(year)
            if let writer {
                work.writer = Writer(context: context)
                work.writer?.name = writer
            }
        }
    }

    private func titles(
        _ context: NSManagedObjectContext, _ descriptors: [NSSortDescriptor]
    ) throws -> [String] {
        let request = NSFetchRequest<Work>(entityName: "WorkEntity")
        request.sortDescriptors = descriptors
        let found = try context.fetch(request).map(\.title)
        request.sortDescriptors = nil
        let all = try context.fetch(request)
        let sorted = NSArray(array: all).sortedArray(using: descriptors) as? [Work]
        #expect(sorted?.map(\.title) == found)
        let set = NSSet(array: all).sortedArray(using: descriptors) as? [Work]
        #expect(set?.map(\.title) == found)
        return found
    }

    @Test func key_paths_sort_as_keys_do() throws {
        let context = try Works.makeContext()
        fill(context)
        for _ in 0..<2 {
            #expect(
                try titles(context, [NSSortDescriptor(keyPath: \Work.year, ascending: true)])
                    == ["A", "C", "b"])
            #expect(
                try titles(context, [NSSortDescriptor(keyPath: \Work.year, ascending: false)])
                    == ["b", "C", "A"])
            #expect(
                try titles(
                    context, [NSSortDescriptor(keyPath: \Work.writer?.name, ascending: true)])
                    == ["A", "C", "b"])
            try context.save()
        }
    }

    @Test func a_key_path_gives_the_descriptor_of_its_key() throws {
        let descriptor = NSSortDescriptor(keyPath: \Work.writer?.name, ascending: false)
        #expect(descriptor.key == "writer.name" && !descriptor.ascending)
        #expect(descriptor.selector == "compare:")
        #expect(descriptor == NSSortDescriptor(key: "writer.name", ascending: false))
        #expect(descriptor.hash == NSSortDescriptor(key: "writer.name", ascending: false).hash)
        #expect(descriptor.keyPath == \Work.writer?.name)
        let reversed = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
        #expect(reversed == NSSortDescriptor(key: "writer.name", ascending: true))
        #expect(NSSortDescriptor(keyPath: \Work.pages, ascending: true).key == "page_count")
        #expect(NSSortDescriptor(keyPath: \Novel.isOut, ascending: true).key == "isOut")
        #expect(NSSortDescriptor(key: nil, ascending: true).key == nil)
    }

    @Test func selectors_say_how_texts_compare() throws {
        let context = try Works.makeContext()
        for title in ["b10", "B2", "a", "C"] { Work(context: context).title = title }
        func sorted(_ selector: String?) throws -> [String] {
            try titles(
                context,
                [NSSortDescriptor(keyPath: \Work.title, ascending: true, selector: selector)])
        }
        for _ in 0..<2 {
            #expect(try sorted("compare:") == ["B2", "C", "a", "b10"])
            #expect(try sorted(nil) == ["B2", "C", "a", "b10"])
            #expect(try sorted("caseInsensitiveCompare:") == ["a", "b10", "B2", "C"])
            #expect(try sorted("localizedStandardCompare:") == ["a", "B2", "b10", "C"])
            try context.save()
        }
        let folded = NSSortDescriptor(
            key: "title", ascending: true, selector: "caseInsensitiveCompare:")
        #expect(folded.selector == "caseInsensitiveCompare:")
        #expect(folded != NSSortDescriptor(key: "title", ascending: true))
        #expect(
            folded.reversedSortDescriptor as? NSSortDescriptor
                == NSSortDescriptor(
                    key: "title", ascending: false, selector: "caseInsensitiveCompare:"))
    }

    @Test func an_unknown_selector_traps() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = NSSortDescriptor(key: "title", ascending: true, selector: "length")
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("a sort descriptor of title cannot call length; use one of compare:"))
    }

    @Test func comparators_sort_in_memory_and_no_file_takes_them() throws {
        try withTemporaryDirectory { directory in
            for path in ["/dev/null", directory + "/works.lode"] {
                try checkComparators(Works.makeContext(at: path), isFile: path != "/dev/null")
            }
        }
    }

    private func checkComparators(_ context: NSManagedObjectContext, isFile: Bool) throws {
        fill(context)
        let byLength: Comparator = { left, right in
            let numbers = [left, right].compactMap { ($0 as? NSNumber)?.intValue }
            return numbers[0] % 3 < numbers[1] % 3 ? .orderedAscending : .orderedDescending
        }
        let forms = [
            NSSortDescriptor(key: "year", ascending: true, comparator: byLength),
            NSSortDescriptor(keyPath: \Work.year, ascending: true, comparator: byLength),
        ]
        for descriptor in forms {
            let request = NSFetchRequest<Work>(entityName: "WorkEntity")
            let all = NSArray(array: try context.fetch(request))
            let sorted = all.sortedArray(using: [descriptor]) as? [Work]
            #expect(sorted?.map(\.title) == ["b", "A", "C"])
            let other = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
            let back = all.sortedArray(using: [other]) as? [Work]
            #expect(back?.map(\.title) == ["C", "A", "b"])
            #expect(descriptor.key == "year" && descriptor.selector == nil)
            request.sortDescriptors = [descriptor]
            guard isFile else {
                #expect(try context.fetch(request).map(\.title) == ["b", "A", "C"])
                continue
            }
            let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
            #expect(error?.code == .persistentStoreOperation)
            #expect(
                error?.message
                    == "a store cannot call the comparator of a sort descriptor; sort the results "
                    + "with it, as in sortedArray(using:), or use a selector, as in "
                    + "NSSortDescriptor(key:ascending:selector:)")
        }
    }

    @Test func sort_descriptors_of_foundation_are_taken() throws {
        let context = try Works.makeContext()
        fill(context)
        let swift = [
            SortDescriptor(\Work.year, order: .reverse), SortDescriptor(\Work.title),
            SortDescriptor(\Work.nick, order: .reverse),
            SortDescriptor(\Work.title, comparator: .lexical, order: .reverse),
        ]
        let descriptors = swift.map(NSSortDescriptor.init)
        #expect(
            descriptors == [
                NSSortDescriptor(key: "year", ascending: false),
                NSSortDescriptor(key: "title", ascending: true),
                NSSortDescriptor(key: "nick", ascending: false),
                NSSortDescriptor(key: "title", ascending: false),
            ])
        #expect(try titles(context, descriptors) == ["b", "C", "A"])
    }

    @Test func plans_are_those_of_keys() throws {
        let context = try Works.makeContext()
        fill(context)
        try context.save()
        func plan(_ descriptor: NSSortDescriptor) throws -> String {
            let request = NSFetchRequest<Work>(entityName: "WorkEntity")
            request.sortDescriptors = [descriptor]
            return try context.explain(request)
        }
        let wanted = try plan(NSSortDescriptor(key: "year", ascending: false))
        #expect(try plan(NSSortDescriptor(keyPath: \Work.year, ascending: false)) == wanted)
        #expect(
            try plan(NSSortDescriptor(SortDescriptor(\Work.year, order: .reverse))) == wanted)
    }
}
