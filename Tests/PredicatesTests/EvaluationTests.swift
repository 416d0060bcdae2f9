// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Testing

struct EvaluationTests {
    static let numbers: [(String, Bool)] = [
        ("age == 30", true), ("age == 30.0", true), ("age != 30", false), ("age < 30.5", true),
        ("age > 29.999", true), ("age >= 30", true), ("age <= 29", false), ("31 > age", true),
        ("big == 9007199254740993", true), ("big == 9007199254740992.0", false),
        ("big > 9007199254740992.0", true), ("height == 1.5", true), ("ratio == 0.5", true),
        ("money == 12.5", true), ("money == CAST('12.50', 'NSDecimalNumber')", true),
        ("money > 12", true), ("money < 13", true), ("alive == YES", true), ("alive == 1", true),
        ("alive == 1.0", true), ("alive != NO", true), ("alive == FALSE", false),
        ("nan == nan", false), ("nan != nan", true), ("nan < 1", false), ("nan > 1", false),
        ("age BETWEEN {30, 31}", true), ("age BETWEEN {29, 30}", true),
        ("age BETWEEN {31, 40}", false), ("age BETWEEN {height, big}", true),
        ("height BETWEEN {1, 2}", true), ("nothing BETWEEN {1, 2}", false),
        ("age BETWEEN {nil, 40}", false), ("born == CAST(1000, 'NSDate')", true),
        ("born > CAST(999.5, 'NSDate')", true), ("born == 1000", false),
        ("born == CAST('2001-01-01 00:16:40', 'NSDate')", true),
        ("age < 9223372036854775808", true), ("age < 1e300", true), ("age > -1e300", true),
    ]

    static let nils: [(String, Bool)] = [
        ("nothing == nil", true), ("nothing != nil", false), ("name == nil", false),
        ("name != nil", true), ("nothing == 'a'", false), ("nothing != 'a'", true),
        ("nothing < 1", false), ("nothing <= nil", false), ("nothing >= nil", false),
        ("nothing > 1", false), ("nothing CONTAINS 'a'", false), ("nothing LIKE '*'", false),
        ("nothing MATCHES '.*'", false), ("nothing BEGINSWITH ''", false),
        ("name BEGINSWITH nil", false), ("name CONTAINS nothing", false),
        ("NOT (nothing CONTAINS 'a')", true), ("nothing IN {1}", false), ("nothing IN {nil}", true),
        ("name IN nil", false), ("nobody.name == nil", true), ("nobody.name != 'a'", true),
        ("nobody.items.@count == 0", true), ("nothing == nobody", true),
        ("nothing IN 'abc'", false),
    ]

    static let texts: [(String, Bool)] = [
        ("name == \"Éric O'Neil\"", true), ("name == \"éric o'neil\"", false),
        ("name ==[c] \"éric o'neil\"", true), ("name ==[d] \"Eric O'Neil\"", true),
        ("name ==[cd] \"eric o'neil\"", true), ("name !=[cd] \"eric o'neil\"", false),
        ("name ==[cn] \"éric o'neil\"", false), ("name ==[c] \"e\\u0301RIC o'neil\"", true),
        ("name BEGINSWITH 'Éric'", true), ("name BEGINSWITH 'eric'", false),
        ("name BEGINSWITH[cd] 'eric'", true), ("name ENDSWITH 'Neil'", true),
        ("name ENDSWITH[c] 'NEIL'", true), ("name ENDSWITH 'neil '", false),
        ("name CONTAINS 'O'", true), ("name CONTAINS 'x'", false), ("name CONTAINS[d] 'Er'", true),
        ("name CONTAINS ''", true), ("empty CONTAINS ''", true), ("empty CONTAINS 'a'", false),
        ("empty == ''", true), ("empty LIKE '*'", true), ("empty LIKE '?'", false),
        ("name LIKE 'Éric*'", true), ("name LIKE '?ric*Nei?'", true), ("name LIKE 'Éric'", false),
        ("name LIKE[cd] 'ERIC*'", true), ("path LIKE 'a\\\\\\\\b\\\\*c'", true),
        ("path LIKE 'a*\\\\*?'", true), ("name LIKE '*****'", true),
        ("name MATCHES 'É.*'", true), ("name MATCHES 'É'", false), ("name MATCHES '.*|É'", true),
        ("name MATCHES 'É|É.*'", true), ("name MATCHES[c] 'é.*NEIL'", true),
        ("name MATCHES[cd] 'e\\\\D+'", true), ("'É' IN name", true), ("'é' IN[c] name", true),
        ("name IN {'a', \"Éric O'Neil\"}", true), ("name IN {'a'}", false),
        ("name IN[cd] {\"eric o'neil\"}", true), ("name < 'Êa'", true), ("name <[d] 'F'", true),
        ("'a' < 'B'", false), ("'a' <[c] 'B'", true), ("'Z' < 'a'", true),
        ("name == 1", false), ("name != 1", true), ("name BEGINSWITH owner.name", false),
        ("home == 'http://a/b'", true), ("home BEGINSWITH 'http'", true),
        ("home IN {'http://a/b'}", true), ("id == '00000000-0000-0001-0000-000000000002'", false),
        ("id == CAST('00000000-0000-0001-0000-000000000002', 'NSUUID')", true),
        ("data == CAST('010203', 'NSData')", true), ("data < CAST('0103', 'NSData')", true),
        ("name.length == 11", true), ("owner.name ==[l] 'Zoë'", true),
        ("name LIKE owner.name", false), ("name MATCHES owner.name", false),
    ]

    static let collections: [(String, Bool)] = [
        ("ANY items.price > 4", true), ("ANY items.price > 5", false),
        ("ALL items.price >= 3", true), ("ALL items.price > 3", false),
        ("NONE items.price > 5", true), ("NONE items.price == 5", false),
        ("ANY empties.price == 1", false), ("ALL empties.price == 1", true),
        ("NONE empties.price == 1", true), ("ANY items.name ==[c] 'shield'", true),
        ("ANY items.name IN {'sword'}", true), ("ANY items.note == nil", true),
        ("ANY items.tags == 't2'", true), ("ANY items.price != 3", true),
        ("ANY nobody.name == 'a'", false),
        ("ALL nobody.name == 'a'", true), ("ANY items.name BEGINSWITH 's'", true),
        ("ANY items.price BETWEEN {4, 9}", true), ("ANY items.name LIKE 'S*'", true),
        ("5 IN items.price", true), ("6 IN items.price", false),
        ("items.price CONTAINS 3.0", true), ("items.name CONTAINS[c] 'SWORD'", true),
        ("items.price == {3, 5, 3}", true), ("items.price == {3, 5, 5}", false),
        ("items.price != {3}", true), ("items == 3", false), ("items IN {1, 2}", false),
        ("items.@count == 3", true), ("items.name.@count == 3", true),
        ("items.tags.@count == 6", true), ("items.@sum.price == 11", true),
        ("items.@avg.price > 3.6", true), ("items.@min.price == 3", true),
        ("items.@max.price == 5", true), ("items.@max.name == 'sword'", true),
        ("items.@sum.note == 3", true), ("items.@avg.note == 1.5", true),
        ("empties.@sum.price == 0", true), ("empties.@avg.price == 0", true),
        ("empties.@max.price == nil", true), ("numbers.@sum == 9", true),
        ("items.@unionOfObjects.price == {5, 3, 3}", true),
        ("items.@distinctUnionOfObjects.price.@count == 2", true),
        ("items.@unionOfObjects.note.@count == 2", true),
        ("items.@max.tags.@count == 2", true), ("items.@sum.tags.@count == 6", true),
        ("items.@distinctUnionOfObjects.price.@sum == 8", true),
        ("SUBQUERY(items, $i, $i.done == YES AND $i.price > 4).@count == 1", true),
        ("SUBQUERY(items, $i, $i.price > age).@count == 0", true),
        ("SUBQUERY(items, $i, $i.done == NO).name CONTAINS 'Shield'", true),
        ("SUBQUERY(items, $i, SUBQUERY($i.tags, $t, $t == 't1').@count == 1).@count == 1", true),
        ("SUBQUERY(nobody, $i, TRUEPREDICATE).@count == 0", true),
        ("items[0].name == 'sword'", true), ("items[FIRST].name == 'sword'", true),
        ("items[LAST].name == 'potion'", true), ("items[SIZE] == 3", true),
        ("items[9] == nil", true), ("items[-1] == nil", true), ("empties[FIRST] == nil", true),
        ("SELF['age'] == 30", true), ("{1, 2}[1] == 2", true), ("nothing[LAST] == nil", true),
        ("(numbers UNION {7}).@count == 4", true), ("numbers INTERSECT {2.0} == {2, 2}", true),
        ("numbers MINUS {2} == {1, 4}", true),
    ]

    static let objects: [(String, Bool)] = [
        ("SELF == CAST('1/p1', 'NSManagedObjectID')", true),
        ("owner == CAST('1/p2', 'NSManagedObjectID')", true), ("owner == owner", true),
        ("owner != SELF", true), ("owner IN {CAST('1/p2', 'NSManagedObjectID')}", true),
        ("owner == nil", false), ("owner != nil", true), ("owner == 2", false),
        ("items CONTAINS CAST('1/p11', 'NSManagedObjectID')", true),
        ("ANY items == CAST('1/p11', 'NSManagedObjectID')", true),
        ("CAST('1/p9', 'NSManagedObjectID') IN items", false), ("items[0] IN items", true),
        ("owner.name == 'Zoë'", true), ("self.owner.name == 'Zoë'", true),
    ]

    @Test(arguments: [numbers, nils, texts, collections, objects])
    func table(_ rows: [(String, Bool)]) throws {
        for (text, expected) in rows {
            let predicate = try Predicate(format: text)
            #expect(try predicate.evaluate(with: TestSubject.player) == expected, "\(text)")
            let negated = Predicate.not(predicate)
            #expect(try negated.evaluate(with: TestSubject.player) == !expected, "\(text)")
        }
    }

    @Test func logic() throws {
        let rows: [(String, Bool)] = [
            ("TRUEPREDICATE", true), ("FALSEPREDICATE", false), ("age == 30 AND alive == 1", true),
            ("age == 30 AND alive == 0", false), ("age == 1 OR alive == 1", true),
            ("age == 1 OR alive == 0", false), ("NOT age == 1 AND NOT age == 2", true),
            ("age == 1 AND missing == 1", false), ("age == 30 OR missing == 1", true),
        ]
        for (text, expected) in rows {
            let predicate = try Predicate(format: text)
            #expect(try predicate.evaluate(with: TestSubject.player) == expected, "\(text)")
        }
        #expect(try Predicate.and([]).evaluate(with: TestSubject.player))
        #expect(try !Predicate.or([]).evaluate(with: TestSubject.player))
    }

    @Test func variables() throws {
        let predicate = try Predicate(format: "age == $age AND owner == $owner.self")
        #expect(predicate.variables == ["age", "owner"])
        let owner = try TestSubject.player.predicateOperand(forKey: "owner")
        #expect(
            try Predicate(format: "age == $a AND owner == $b").evaluate(
                with: TestSubject.player, variables: ["a": .value(.double(30)), "b": owner]))
        let error = try #require(throws: PredicateEvaluationError.self) {
            try predicate.evaluate(with: TestSubject.player)
        }
        #expect(error.code == .missingVariable)
        #expect(
            error.description == "the variable $age has no value; supply one or substitute it")
    }

    @Test func plainOperands() throws {
        let predicate = try Predicate(format: "SELF BEGINSWITH[c] 'a' AND SELF.length > 1")
        #expect(try predicate.evaluate(with: SubjectOperand.value(.string("Ab"))))
        #expect(try !predicate.evaluate(with: SubjectOperand.value(.string("A"))))
        let count = try Predicate(format: "SELF.@count == 0")
        #expect(try count.evaluate(with: SubjectOperand.collection([])))
    }

    @Test func preparedPredicatesEvaluateAgain() throws {
        let prepared = try PreparedPredicate(
            try Predicate(format: "name LIKE 'É*' AND age IN {30}"))
        for _ in 0..<3 { #expect(try prepared.evaluate(with: TestSubject.player)) }
        #expect(try !prepared.evaluate(with: SubjectOperand.value(.null)))
    }

    @Test func objectsWithoutIdentity() throws {
        let stranger = TestSubject(["friend": .subject(TestSubject([:]))])
        #expect(try !Predicate(format: "friend == friend").evaluate(with: stranger))
        #expect(try Predicate(format: "friend != nil").evaluate(with: stranger))
    }
}
