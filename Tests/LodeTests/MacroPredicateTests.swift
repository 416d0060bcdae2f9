// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing
import _TestSupport

/// Predicates of the macro `#Predicate`.
@Suite struct MacroPredicateTests {
    private func text(_ predicate: Predicate<Work>) -> String? {
        NSPredicate(predicate)?.description
    }

    /// Checks that a predicate is that of a format: as a value, in its text and in its plan.
    private func expect(
        _ predicate: Predicate<Work>, is format: String, _ arguments: [Any?] = [],
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let made = try #require(NSPredicate(predicate), sourceLocation: location)
        let wanted = NSPredicate(format: format, argumentArray: arguments)
        #expect(made.description == wanted.description, sourceLocation: location)
        let context = try Works.makeContext()
        func plan(_ predicate: NSPredicate) throws -> String {
            let request = NSFetchRequest<Work>(entityName: "WorkEntity")
            request.predicate = predicate
            _ = try context.fetch(request)
            return try context.explain(request)
        }
        #expect(try plan(made) == plan(wanted), sourceLocation: location)
    }

    @Test func comparisons() throws {
        let year: Int32 = 1990
        try expect(#Predicate { $0.year > year }, is: "year > 1990")
        try expect(#Predicate { $0.year >= 1 }, is: "year >= 1")
        try expect(#Predicate { $0.year < 1 }, is: "year < 1")
        try expect(#Predicate { $0.year <= 1 }, is: "year <= 1")
        try expect(#Predicate { $0.title == "x" }, is: "title == 'x'")
        try expect(#Predicate { $0.title != "x" }, is: "title != 'x'")
        try expect(#Predicate { $0.pages == 3 }, is: "page_count == 3")
        try expect(#Predicate { $0.nick == nil }, is: "nick == nil")
        try expect(#Predicate { $0.writer != nil }, is: "writer != nil")
        try expect(#Predicate { $0.nick == "x" }, is: "nick == 'x'")
        let date = Date(timeIntervalSinceReferenceDate: 5)
        try expect(#Predicate { $0.released == date }, is: "released == %@", [date])
    }

    @Test func an_equal_format_makes_an_equal_predicate() throws {
        let made = NSPredicate(#Predicate<Work> { $0.title == "x" && $0.nick == nil })
        #expect(made == NSPredicate(format: "title == 'x' AND nick == nil"))
    }

    @Test func compounds() throws {
        try expect(
            #Predicate { $0.year > 1 && $0.year < 5 && $0.title == "x" },
            is: "year > 1 AND year < 5 AND title == 'x'")
        try expect(
            #Predicate { $0.year > 1 || $0.year < 5 || !($0.title == "x") },
            is: "year > 1 OR year < 5 OR NOT title == 'x'")
        try expect(
            #Predicate { ($0.year > 1 || $0.year < 5) && $0.title == "x" },
            is: "(year > 1 OR year < 5) AND title == 'x'")
        try expect(#Predicate { $0.isOut }, is: "isOut == %@", [true])
        try expect(#Predicate { !$0.isOut }, is: "NOT isOut == %@", [true])
        try expect(Predicate<Work>.true, is: "TRUEPREDICATE")
    }

    @Test func arithmetic() throws {
        let factor: Int32 = 3
        try expect(#Predicate { $0.year + 1 > factor * 2 }, is: "year + 1 > 6")
        try expect(#Predicate { $0.year * 2 - 1 == 3 }, is: "year * 2 - 1 == 3")
        try expect(#Predicate { $0.year / 2 == 3 }, is: "year / 2 == 3")
        try expect(#Predicate { $0.rating / 2 == 0.5 }, is: "rating / 2.0 == 0.5")
        try expect(#Predicate { $0.year % 2 == 1 }, is: "modulus:by:(year, 2) == 1")
        try expect(#Predicate { -$0.year < 3 }, is: "0 - year < 3")
    }

    @Test func texts() throws {
        try expect(#Predicate { $0.title.contains("x") }, is: "title CONTAINS 'x'")
        try expect(#Predicate { $0.title.starts(with: "x") }, is: "title BEGINSWITH 'x'")
        try expect(
            #Predicate { $0.title.localizedStandardContains("x") }, is: "title CONTAINS[cdl] 'x'")
        try expect(#Predicate { $0.title.localizedStandardContains("") }, is: "FALSEPREDICATE")
        try expect(
            #Predicate { $0.title.localizedStandardContains($0.nick!) },
            is: "nick != '' AND title CONTAINS[cdl] nick")
        try expect(#Predicate { $0.title.isEmpty }, is: "title == ''")
        try expect(#Predicate { $0.title.count > 3 }, is: "length:(title) > 3")
        try expect(#Predicate { $0.title.contains("") }, is: "TRUEPREDICATE")
    }

    @Test func orderings_of_texts() throws {
        let (same, before) = (ComparisonResult.orderedSame, ComparisonResult.orderedAscending)
        let after = ComparisonResult.orderedDescending
        try expect(
            #Predicate { $0.title.caseInsensitiveCompare("x") == same }, is: "title ==[c] 'x'")
        try expect(
            #Predicate { before == $0.title.caseInsensitiveCompare("x") }, is: "title <[c] 'x'")
        try expect(
            #Predicate { $0.title.localizedCompare("x") == after }, is: "title >[l] 'x'")
        try expect(
            #Predicate { $0.title.caseInsensitiveCompare("x") != same }, is: "NOT title ==[c] 'x'")
        try expect(
            #Predicate { $0.nick?.caseInsensitiveCompare("x") == same }, is: "nick ==[c] 'x'")
        try expect(
            #Predicate { $0.writer!.name.caseInsensitiveCompare($0.title) == same },
            is: "writer.name ==[c] title")
    }

    @Test func ranges_and_lists() throws {
        let titles = ["a", "b"]
        let (low, high): (Int32, Int32) = (1, 5)
        let years = low...high
        try expect(#Predicate { titles.contains($0.title) }, is: "title IN {'a', 'b'}")
        try expect(#Predicate { (low...high).contains($0.year) }, is: "year BETWEEN {1, 5}")
        try expect(#Predicate { years.contains($0.year) }, is: "year BETWEEN {1, 5}")
        try expect(#Predicate { (low..<high).contains($0.year) }, is: "year >= 1 AND year < 5")
        let open: PartialRangeFrom<Int32> = low...
        try expect(#Predicate { open.contains($0.year) }, is: "year >= 1")
    }

    @Test func collections() throws {
        try expect(
            #Predicate { $0.tags.contains { $0.weight > 3 } }, is: "ANY tags.weight > 3")
        try expect(
            #Predicate { $0.tags.contains { $0.weight > 3 && $0.label == "a" } },
            is: "SUBQUERY(tags, $x, $x.weight > 3 AND $x.label == 'a').@count != 0")
        try expect(
            #Predicate { $0.tags.contains { $0.nick == nil } },
            is: "SUBQUERY(tags, $x, $x.nick == nil).@count != 0")
        try expect(
            #Predicate { $0.tags.allSatisfy { $0.weight > 3 } },
            is: "SUBQUERY(tags, $x, NOT $x.weight > 3).@count == 0")
        try expect(
            #Predicate { $0.tags.filter { $0.weight > 3 }.count > 2 },
            is: "SUBQUERY(tags, $x, $x.weight > 3).@count > 2")
        try expect(#Predicate { $0.tags.count > 2 }, is: "tags.@count > 2")
        try expect(#Predicate { $0.tags.isEmpty }, is: "tags.@count == 0")
    }

    @Test func optionals() throws {
        try expect(#Predicate { $0.writer?.name == "a" }, is: "writer.name == 'a'")
        try expect(#Predicate { $0.writer!.name == "a" }, is: "writer.name == 'a'")
        try expect(#Predicate { $0.writer?.mentor?.home == "a" }, is: "writer.mentor.home == 'a'")
        try expect(
            #Predicate { $0.writer.flatMap { $0.home } == "a" }, is: "writer.home == 'a'")
        try expect(
            #Predicate { ($0.nick ?? "none") == "x" },
            is: "TERNARY(nick != nil, nick, 'none') == 'x'")
        try expect(
            #Predicate { $0.nick?.contains("x") == true },
            is: "nick != nil AND nick CONTAINS 'x'")
        try expect(
            #Predicate { $0.nick?.contains("x") ?? false },
            is: "nick != nil AND nick CONTAINS 'x'")
        try expect(
            #Predicate { if let nick = $0.nick { nick == "x" } else { false } },
            is: "nick != nil AND nick == 'x'")
        try expect(
            #Predicate { $0.nick?.contains("x") ?? true },
            is: "(nick != nil AND nick CONTAINS 'x') OR (nick == nil AND TRUEPREDICATE)")
        try expect(
            #Predicate { ($0.year > 3 ? $0.title : "x") == "y" },
            is: "TERNARY(year > 3, title, 'x') == 'y'")
        try expect(
            #Predicate { $0.year > 3 ? $0.title == "x" : $0.isOut == true },
            is: "(year > 3 AND title == 'x') OR (NOT year > 3 AND isOut == %@)", [true])
    }

    @Test func enumerations() throws {
        let grade: Grade? = .fair
        try expect(#Predicate { $0.grade == grade }, is: "grade == 5")
        let raw = Grade.fair.rawValue
        try expect(#Predicate { $0.grade?.rawValue == raw }, is: "grade == 5")
        try expect(
            #Predicate { ($0.grade?.rawValue ?? 0) > raw },
            is: "TERNARY(grade != nil, grade, 0) > 5")
    }

    @Test func raw_values_without_a_list_of_cases() throws {
        try expect(#Predicate { $0.binding.rawValue == "cloth" }, is: "binding == 'cloth'")
        try expect(
            #Predicate { $0.binding.rawValue.starts(with: "c") }, is: "binding BEGINSWITH 'c'")
    }

    @Test func seconds_of_dates() throws {
        let five = Date(timeIntervalSinceReferenceDate: 5)
        try expect(
            #Predicate { $0.released!.timeIntervalSinceReferenceDate > 5 },
            is: "released > %@", [five])
        try expect(
            #Predicate { 5 >= $0.released!.timeIntervalSinceReferenceDate },
            is: "%@ >= released", [five])
        try expect(
            #Predicate { $0.released!.timeIntervalSince1970 == 7 },
            is: "released.timeIntervalSince1970 == 7.0")
        try expect(
            #Predicate { $0.released!.timeIntervalSinceReferenceDate * 2 < 7 },
            is: "released.timeIntervalSinceReferenceDate * 2.0 < 7.0")
    }

    private func fill(_ context: NSManagedObjectContext) {
        let tag = Label(context: context)
        (tag.label, tag.weight) = ("t", 7)
        for (title, year, nick) in [("b", 3, "x"), ("A", 1, nil), ("C", 2, "zx")] {
            let work = Work(context: context)
            (work.title, work.year, work.nick) = (title, Int32(year), nick)
            if year > 1 { work.tags = [tag] }
            if year != 2 { work.released = Date(timeIntervalSinceReferenceDate: Double(year)) }
            if year == 3 { work.binding = .cloth }
            if year < 3 {
                work.writer = Writer(context: context)
                work.writer?.name = title
            }
        }
    }

    @Test func fetches_and_memory_answer_alike() throws {
        let context = try Works.makeContext()
        fill(context)
        let cases: [(Predicate<Work>, [String])] = [
            (#Predicate { $0.year > 1 }, ["C", "b"]),
            (#Predicate { $0.nick == nil }, ["A"]),
            (#Predicate { $0.nick != "x" }, ["A", "C"]),
            (#Predicate { ($0.nick ?? "x") == "x" }, ["A", "b"]),
            (#Predicate { $0.nick?.contains("x") ?? true }, ["A", "C", "b"]),
            (#Predicate { $0.nick?.contains("z") == true }, ["C"]),
            (#Predicate { $0.tags.contains { $0.weight > 6 } }, ["C", "b"]),
            (#Predicate { $0.tags.contains { $0.nick == nil } }, ["C", "b"]),
            (#Predicate { $0.tags.allSatisfy { $0.weight > 7 } }, ["A"]),
            (#Predicate { $0.tags.filter { $0.weight == 7 }.count == 1 }, ["C", "b"]),
            (#Predicate { $0.tags.isEmpty }, ["A"]),
            (#Predicate { $0.writer?.name == "C" }, ["C"]),
            (#Predicate { $0.writer == nil }, ["b"]),
            (#Predicate { $0.year % 2 == 1 && $0.year / 2 == 1 }, ["b"]),
            (#Predicate { ($0.year > 1 ? $0.title : "x") == "x" }, ["A"]),
            (#Predicate { $0.title.localizedStandardContains("a") }, ["A"]),
            (#Predicate { $0.title.count == 1 && !$0.title.isEmpty }, ["A", "C", "b"]),
            (#Predicate { $0.binding.rawValue == "cloth" }, ["b"]),
            (#Predicate { $0.released?.timeIntervalSinceReferenceDate == 3 }, ["b"]),
            (#Predicate { ($0.released?.timeIntervalSince1970 ?? 0) > 978_307_201 }, ["b"]),
            (#Predicate { $0.released?.timeIntervalSince1970 == 978_307_201 }, ["A"]),
            (
                #Predicate { ($0.released?.timeIntervalSinceReferenceDate ?? 9) * 2 > 5 },
                ["C", "b"]
            ),
            (Predicate<Work>.false, []),
        ]
        for step in 0..<2 {
            let request = NSFetchRequest<Work>(entityName: "WorkEntity")
            request.sortDescriptors = [NSSortDescriptor(keyPath: \Work.title, ascending: true)]
            let all = try context.fetch(request)
            for (index, (predicate, titles)) in cases.enumerated() {
                let made = try #require(NSPredicate(predicate))
                request.predicate = made
                #expect(try context.fetch(request).map(\.title) == titles, "\(index), \(step)")
                let found = all.filter { made.evaluate(with: $0) }
                #expect(found.map(\.title) == titles, "\(index), \(step)")
                request.predicate = nil
            }
            try context.save()
        }
    }

    @Test func answers_about_missing_values_are_those_of_swift() throws {
        let context = try Works.makeContext()
        fill(context)
        let nicks: [String?] = ["x", nil]
        let years: Set<Int32> = [1, 3]
        let (same, after) = (ComparisonResult.orderedSame, ComparisonResult.orderedDescending)
        let cases: [(Predicate<Work>, [String])] = [
            (#Predicate { nicks.contains($0.nick) }, ["A", "b"]),
            (#Predicate { !nicks.contains($0.nick) }, ["C"]),
            (#Predicate { years.contains($0.year) }, ["A", "b"]),
            (#Predicate { !($0.nick == "x") }, ["A", "C"]),
            (#Predicate { ($0.nick?.count ?? 0) == 1 }, ["b"]),
            (#Predicate { $0.nick?.isEmpty == false }, ["C", "b"]),
            (#Predicate { $0.writer?.name.contains("A") == nil }, ["b"]),
            (#Predicate { $0.nick?.contains("z") != true }, ["A", "b"]),
            (#Predicate { $0.nick?.caseInsensitiveCompare("X") == same }, ["b"]),
            (#Predicate { $0.nick?.caseInsensitiveCompare("X") != same }, ["A", "C"]),
            (#Predicate { $0.nick?.caseInsensitiveCompare("X") == after }, ["C"]),
            (#Predicate { $0.nick?.caseInsensitiveCompare("X") != after }, ["A", "b"]),
            (#Predicate { $0.nick?.localizedCompare("x") == same }, ["b"]),
            (#Predicate { if let nick = $0.nick { nick == "x" } else { true } }, ["A", "b"]),
            (#Predicate { $0.title.localizedStandardContains($0.nick ?? "a") }, ["A"]),
            (#Predicate { $0.title.localizedStandardContains($0.nick ?? "") }, []),
            (#Predicate { !$0.title.localizedStandardContains("") }, ["A", "C", "b"]),
        ]
        try check(cases, in: context)
    }

    @Test func a_value_that_depends_on_several_is_missing_where_one_of_them_is() throws {
        let context = try Works.makeContext()
        fill(context)
        let same = ComparisonResult.orderedSame
        let cases: [(Predicate<Work>, [String])] = [
            (
                #Predicate { x in
                    if let a = x.nick, let b = x.writer { a == b.name } else { true }
                }, ["A", "b"]
            ),
            (
                #Predicate { x in
                    if let a = x.writer, let b = x.nick { a.name == b } else { true }
                }, ["A", "b"]
            ),
            (
                #Predicate { x in
                    x.nick.flatMap { a in x.writer.flatMap { w in w.name == a } } == nil
                }, ["A", "b"]
            ),
            (
                #Predicate { x in
                    x.nick.flatMap { a in x.writer.flatMap { w in w.name == a } } == false
                }, ["C"]
            ),
            (
                #Predicate { x in
                    x.nick.flatMap { a in x.writer.flatMap { w in w.name != a } } == true
                }, ["C"]
            ),
            (
                #Predicate { x in
                    x.writer.flatMap { y in x.title.caseInsensitiveCompare("B") } == same
                }, []
            ),
            (
                #Predicate { x in
                    x.writer.flatMap { y in x.title.caseInsensitiveCompare("B") } != same
                }, ["A", "C", "b"]
            ),
        ]
        try check(cases, in: context)
    }

    /// Asks Foundation, fetches and memory, before a save and after it.
    private func check(
        _ cases: [(Predicate<Work>, [String])], in context: NSManagedObjectContext
    ) throws {
        for step in 0..<2 {
            let request = NSFetchRequest<Work>(entityName: "WorkEntity")
            request.sortDescriptors = [NSSortDescriptor(keyPath: \Work.title, ascending: true)]
            let all = try context.fetch(request)
            for (index, (predicate, titles)) in cases.enumerated() {
                #expect(try all.filter { try predicate.evaluate($0) }.map(\.title) == titles)
                let made = try #require(NSPredicate(predicate))
                request.predicate = made
                #expect(try context.fetch(request).map(\.title) == titles, "\(index), \(step)")
                let found = all.filter { made.evaluate(with: $0) }
                #expect(found.map(\.title) == titles, "\(index), \(step)")
            }
            try context.save()
        }
    }

    @Test func what_no_format_says_evaluates_in_memory_only() throws {
        try withTemporaryDirectory { directory in
            for path in ["/dev/null", directory + "/works.lode"] {
                try checkUnconverted(Works.makeContext(at: path), isFile: path != "/dev/null")
            }
        }
    }

    private func checkUnconverted(_ context: NSManagedObjectContext, isFile: Bool) throws {
        fill(context)
        Novel(context: context).title = "N"
        let cases: [(Predicate<Work>, [String], String)] = [
            (#Predicate { $0.upper == "B" }, ["b"], #"\Work.<a property of type String>"#),
            (#Predicate { ($0 as? Novel) != nil }, ["N"], "ConditionalCast"),
            (#Predicate { $0 is Novel }, ["N"], "TypeCheck"),
        ]
        let request = NSFetchRequest<Work>(entityName: "WorkEntity")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Work.title, ascending: true)]
        let all = try context.fetch(request)
        for (predicate, titles, part) in cases {
            let made = try #require(NSPredicate(predicate))
            #expect(all.filter { made.evaluate(with: $0) }.map(\.title) == titles)
            let both = NSCompoundPredicate(andPredicateWithSubpredicates: [made])
            for predicate in [made, both] {
                request.predicate = predicate
                guard isFile else {
                    #expect(try context.fetch(request).map(\.title) == titles)
                    continue
                }
                let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
                #expect(error?.code == .persistentStoreOperation)
                #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
                #expect(error?.message.contains("use NSPredicate(format:)") == true)
            }
        }
    }

    @Test func subclasses_have_predicates_of_their_own() throws {
        let context = try Works.makeContext()
        let novel = Novel(context: context)
        (novel.title, novel.chapters) = ("n", 4)
        _ = Work(context: context)
        let request = NSFetchRequest<Novel>(entityName: "NovelEntity")
        request.predicate = NSPredicate(
            #Predicate<Novel> { $0.chapters == 4 && $0.title == "n" })
        #expect(try context.fetch(request) == [novel])
    }
}
