// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import _TestSupport

/// Random objects and predicates of the music model; values come from small pools, so that
/// predicates find something.
struct RandomData {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &random)]
    }

    mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    static let texts = [
        "", "a", "A", "ab", "aB", "Äb", "äb", "a\u{308}b", "abc", "b", "bad", "BAD", "straße",
        "STRASSE", "a\0b", "zebra crossing at night", "Zebra Crossing At Night", "ﬁ", "日本", "a*c",
    ]

    private static let doubles: [Double] = [
        -.infinity, -2.5, -0.0, 0.0, 0.1, 1, 1.5, 2, 3, 1e300, .infinity, .nan,
        9_007_199_254_740_992,
    ]

    private static let integers: [Int64] = [
        .min, -3, -1, 0, 1, 2, 3, 200, 32_767, 9_007_199_254_740_993, .max,
    ]

    /// A value for an attribute.
    mutating func value(_ type: AttributeType) -> Value {
        if chance(15) { return .null }
        switch type {
        case .integer16: return .integer16(Int16(truncatingIfNeeded: pick(Self.integers)))
        case .integer32: return .integer32(Int32(truncatingIfNeeded: pick(Self.integers)))
        case .integer64: return .integer64(pick(Self.integers))
        case .decimal: return .decimal(pick(Self.decimals))
        case .double: return .double(pick(Self.doubles))
        case .float: return .float(Float(pick(Self.doubles)))
        case .string: return .string(pick(Self.texts))
        case .boolean: return .boolean(chance(50))
        case .date: return .date(pick(Self.doubles))
        case .binaryData: return .binaryData(Array(repeating: 7, count: pick([0, 3, 5_000])))
        case .uuid: return .uuid(UUIDValue(high: 1, low: pick([1, 2, 3])))
        case .uri: return .uri(pick(Self.texts))
        case .transformable, .objectID: return .null
        }
    }

    private static let decimals = [
        DecimalValue(significand: 0, exponent: 0, isNegative: false),
        DecimalValue(significand: 15, exponent: -1, isNegative: false),
        DecimalValue(significand: 15, exponent: -1, isNegative: true),
        DecimalValue(significand: 2, exponent: 0, isNegative: false),
        DecimalValue(significand: 1, exponent: 300, isNegative: false),
        DecimalValue(significand: 1, exponent: -300, isNegative: true),
        // Neighbours of doubles, and what is beyond them.
        DecimalValue(significand: 1, exponent: -1, isNegative: false),
        DecimalValue(significand: 100_000_000_000_000_000_001, exponent: -21, isNegative: false),
        DecimalValue(significand: 9_007_199_254_740_993, exponent: 0, isNegative: false),
        DecimalValue(significand: 9, exponent: 400, isNegative: false),
        DecimalValue(significand: 9, exponent: 400, isNegative: true),
        DecimalValue(significand: 3, exponent: -400, isNegative: false),
    ]
}

extension RandomData {
    /// The attributes of an entity's stored properties.
    private func attributes(_ entity: Entity) -> [Attribute] {
        entity.attributes.filter { !$0.isTransient }
    }

    /// Fills a library; the same seed fills two libraries alike.
    mutating func fill(_ library: TestLibrary) {
        for entity in ["Artist", "Album", "Tag", "Track", "Single"] {
            guard let description = library.store.schema.entity(entity) else { continue }
            let count = entity == "Track" ? 40 : entity == "Single" ? 12 : 6
            for number in 0..<count {
                var values: [String: Value] = [:]
                for attribute in attributes(description) {
                    values[attribute.name] = value(attribute.type)
                }
                if values["serial"] != nil, chance(90) {
                    let offset = entity == "Single" ? 100 : 0
                    values["serial"] = .integer64(Int64(number + offset))
                } else {
                    values["serial"] = .null
                }
                library.add(entity, values)
            }
        }
        relate(library)
    }

    private mutating func relate(_ library: TestLibrary) {
        let byEntity = Dictionary(grouping: library.objects) { $0.entity.name }
        func all(_ name: String) -> [TestObject] { byEntity[name] ?? [] }
        for album in all("Album") where chance(80) {
            library.relate(album, "artist", pick(all("Artist")))
        }
        for artist in all("Artist") where chance(50) {
            library.relate(artist, "home", pick(all("Artist")))
        }
        for track in all("Track") + all("Single") {
            if chance(85) { library.relate(track, "album", pick(all("Album"))) }
            for tag in all("Tag") where chance(25) { library.relate(track, "tags", tag) }
        }
    }
}

extension RandomData {
    /// A predicate on tracks.
    mutating func predicate(_ library: TestLibrary, depth: Int = 0) -> Predicate {
        if depth < 3, chance(45) {
            let count = Int.random(in: 1...3, using: &random)
            let members = (0..<count).map { _ in predicate(library, depth: depth + 1) }
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1: return .and(members)
            case 2, 3: return .or(members)
            default: return .not(members[0])
            }
        }
        if chance(12) { return .comparison(memberCount(library)) }
        return .comparison(chance(12) ? masked() : comparison(library))
    }

    /// A comparison of bits of an integer that is reached by to-one steps.
    private mutating func masked() -> Comparison {
        let integers = Self.paths.filter {
            [.integer16, .integer32, .integer64, .boolean].contains($0.1)
        }
        var left = Expression.keyPath(pick(integers).0)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let mask = Expression.constant(.value(.integer64(pick([-1, 0, 1, 2, 3, 70, .min]))))
            let name = pick([
                FunctionName.bitAnd, FunctionName.bitOr, FunctionName.bitXor,
                FunctionName.shiftLeft, FunctionName.shiftRight, FunctionName.complement,
            ])
            left =
                name == FunctionName.complement
                ? .function(name, [left])
                : .function(name, chance(70) ? [left, mask] : [mask, left])
        }
        return Comparison(
            left: left, operator: pick([.equalTo, .notEqualTo, .lessThan, .greaterThanOrEqualTo]),
            right: .constant(.value(pick([.integer64(pick([0, 1, 2, -1])), .double(0.5), .null]))))
    }

    private static let paths: [([String], AttributeType)] = [
        (["name"], .string), (["name"], .string), (["note"], .string), (["link"], .uri),
        (["serial"], .integer64), (["length"], .integer32), (["length"], .integer32),
        (["plays"], .integer16), (["isLive"], .boolean), (["price"], .double),
        (["weight"], .float), (["added"], .date), (["cost"], .decimal), (["mark"], .uuid),
        (["art"], .binaryData), (["album", "title"], .string), (["album", "year"], .integer16),
        (["album", "artist", "name"], .string), (["album", "artist", "founded"], .integer32),
        (["album", "artist", "home", "name"], .string), (["album", "artist"], .objectID),
        (["album"], .objectID), (["album", "self"], .objectID), (["self"], .objectID),
        (["objectID"], .objectID), (["tags", "@count"], .integer64),
        (["album", "tracks", "@count"], .integer64),
        (["album", "tracks", "@sum", "plays"], .integer64),
    ]

    private static let toManyPaths: [([String], AttributeType)] = [
        (["tags", "label"], .string), (["album", "tracks", "name"], .string),
        (["album", "tracks", "length"], .integer32), (["tags"], .objectID),
        (["tags", "tracks", "plays"], .integer16),
        (["tags", "tracks", "album", "year"], .integer16),
        (["album", "artist", "albums", "title"], .string),
        (["tags", "tracks", "album"], .objectID),
        (["album", "artist", "albums", "artist", "home", "name"], .string),
    ]

    mutating func comparison(_ library: TestLibrary) -> Comparison {
        let isToMany = chance(20)
        let (path, type) = isToMany ? pick(Self.toManyPaths) : pick(Self.paths)
        let relation = relation(type)
        var options: ComparisonOptions = []
        if type == .string || type == .uri, chance(30) {
            options = pick([
                .caseInsensitive, .diacriticInsensitive,
                [.caseInsensitive, .diacriticInsensitive], .normalized,
            ])
        }
        var comparison = Comparison(
            left: .keyPath(path), operator: relation,
            right: .constant(operand(type, relation, library)),
            modifier: isToMany ? pick([.any, .all]) : .direct, options: options)
        let isSymmetric = relation == .equalTo || relation == .notEqualTo
        if !isToMany, isSymmetric, chance(20) {
            (comparison.left, comparison.right) = (comparison.right, comparison.left)
        }
        return comparison
    }

    private mutating func relation(_ type: AttributeType) -> Operator {
        switch type {
        case .string, .uri:
            pick([
                .equalTo, .equalTo, .notEqualTo, .lessThan, .greaterThanOrEqualTo, .beginsWith,
                .endsWith, .contains, .like, .in, .between, .lessThanOrEqualTo, .greaterThan,
            ])
        case .objectID, .uuid: pick([.equalTo, .equalTo, .notEqualTo, .in])
        default:
            pick([
                .equalTo, .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan,
                .greaterThanOrEqualTo, .between, .in,
            ])
        }
    }

    private mutating func operand(
        _ type: AttributeType, _ relation: Operator, _ library: TestLibrary
    ) -> Operand {
        switch relation {
        case .in:
            let count = Int.random(in: 0...4, using: &random)
            return .list((0..<count).map { _ in .value(constant(type, library)) })
        case .between:
            return .list([.value(constant(type, library)), .value(constant(type, library))])
        case .beginsWith, .endsWith, .contains, .like:
            return .value(.string(pick(Self.texts + ["a*", "*b", "?", "*a*"])))
        default: return .value(constant(type, library))
        }
    }

    /// A constant that need not be of the attribute's own type.
    private mutating func constant(_ type: AttributeType, _ library: TestLibrary) -> Value {
        switch type {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal:
            return value(pick([.integer64, .integer32, .double, .boolean, .decimal, .string]))
        case .objectID: return .objectID(pick(library.objects).key)
        case .string, .uri: return value(pick([.string, .string, .string, .uri, .integer16]))
        default: return value(type)
        }
    }

    /// Criteria for tracks.
    mutating func sortOrders() -> [SortOrder] {
        let paths = Self.paths.filter { !$0.0.contains { $0.hasPrefix("@") } && $0.0 != ["self"] }
        return (0..<Int.random(in: 0...2, using: &random)).map { _ in
            var path = pick(paths).0
            path.removeAll { $0 == "self" || $0 == "objectID" }
            return SortOrder(
                keyPath: path, isAscending: chance(50),
                collation: pick([.binary, .binary, .caseInsensitive]))
        }
    }
}
