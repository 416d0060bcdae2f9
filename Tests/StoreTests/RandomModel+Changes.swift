// SPDX-License-Identifier: Apache-2.0

import Schema
import _TestSupport

/// Random changes of the kinds that a migration supports.
extension RandomModel {
    /// Makes a model of a few kinds.
    init(_ random: inout SeededGenerator) {
        for _ in 0..<Int.random(in: 2...5, using: &random) { addKind(&random) }
        for _ in 0..<Int.random(in: 3...9, using: &random) { addField(&random) }
        for _ in 0..<Int.random(in: 1...5, using: &random) { addLinks(&random) }
        for _ in 0..<Int.random(in: 0...3, using: &random) { addFilter(&random) }
    }

    /// Makes one change.
    ///
    /// - Parameter used: The kinds that have objects of their own.
    mutating func change(_ random: inout SeededGenerator, used: Set<Int>) {
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1: addField(&random)
        case 2: removeField(&random)
        case 3, 4: renameField(&random)
        case 5, 6: retuneField(&random)
        case 7: addKind(&random)
        case 8: removeKind(&random)
        case 9: changeKind(&random, used)
        case 10: addLinks(&random)
        case 11: removeLinks(&random)
        case 12, 13, 14: changeLink(&random)
        default: changeFilters(&random)
        }
    }

    mutating func addField(_ random: inout SeededGenerator) {
        guard !kinds.isEmpty else { return }
        let id = nextID()
        let type = random.pick(RandomValue.types)
        var attribute = Attribute(name: "\(random.pick(["a", "m", "z"]))\(id)", type: type)
        if type != .uuid {
            if random.chance(0.6) { attribute.defaultValue = RandomValue.make(type, &random) }
            attribute.isOptional = attribute.defaultValue.isNull || random.chance(0.5)
            attribute.isTransient = random.chance(0.1)
        }
        attribute.allowsExternalStorage = random.chance(0.3)
        kinds[Int.random(in: kinds.indices, using: &random)].fields
            .append(Field(id: id, attribute: attribute))
    }

    /// The places of all fields.
    private var fieldPlaces: [(kind: Int, field: Int)] {
        kinds.indices.flatMap { kind in kinds[kind].fields.indices.map { (kind, $0) } }
    }

    private mutating func removeField(_ random: inout SeededGenerator) {
        guard let place = fieldPlaces.randomElement(using: &random) else { return }
        dropFilters(on: kinds[place.kind].fields.remove(at: place.field).id)
    }

    private mutating func renameField(_ random: inout SeededGenerator) {
        guard let place = fieldPlaces.randomElement(using: &random) else { return }
        let fields = kinds[place.kind].fields
        let type = fields[place.field].attribute.type
        let others = fields.indices.filter {
            $0 != place.field && fields[$0].attribute.type == type && isSettled(fields[$0].id)
                && isSettled(fields[place.field].id)
        }
        if let other = others.randomElement(using: &random), random.chance(0.5) {
            rename(place.kind, place.field, fields[other].attribute.name)
            rename(place.kind, other, fields[place.field].attribute.name)
        } else {
            rename(place.kind, place.field, "\(random.pick(["b", "n", "y"]))\(nextID())")
        }
    }

    private mutating func rename(_ kind: Int, _ field: Int, _ name: String) {
        let former = kinds[kind].fields[field].attribute
        kinds[kind].fields[field].attribute.renamingIdentifier =
            former.renamingIdentifier ?? former.name
        kinds[kind].fields[field].attribute.name = name
    }

    /// Changes whether a field is optional or transient, and its default.
    private mutating func retuneField(_ random: inout SeededGenerator) {
        guard let place = fieldPlaces.randomElement(using: &random) else { return }
        let id = kinds[place.kind].fields[place.field].id
        var attribute = kinds[place.kind].fields[place.field].attribute
        guard attribute.type != .uuid else { return }
        attribute.defaultValue = RandomValue.make(attribute.type, &random)
        if random.chance(0.3) {
            attribute.isTransient.toggle()
        } else {
            attribute.isOptional.toggle()
        }
        kinds[place.kind].fields[place.field].attribute = attribute
        if attribute.isTransient { dropFilters(on: id) }
    }

    private mutating func addKind(_ random: inout SeededGenerator) {
        let id = nextID()
        let parent = random.chance(0.5) ? kinds.randomElement(using: &random)?.id : nil
        kinds.append(
            Kind(id: id, name: "\(random.pick(["A", "M", "Z"]))\(id)", parent: parent))
    }

    private mutating func removeKind(_ random: inout SeededGenerator) {
        let leaves = kinds.filter { kind in !kinds.contains { $0.parent == kind.id } }
        guard kinds.count > 2, let gone = leaves.randomElement(using: &random) else { return }
        for kind in kinds {
            for link in kind.links where kind.id == gone.id || link.destination == gone.id {
                removeLink(link.id)
                if let inverse = link.inverse { removeLink(inverse) }
            }
        }
        kinds.removeAll { $0.id == gone.id }
    }

    private mutating func changeKind(_ random: inout SeededGenerator, _ used: Set<Int>) {
        guard let index = kinds.indices.randomElement(using: &random) else { return }
        if random.chance(0.6) {
            kinds[index].identifier = kinds[index].identifier ?? kinds[index].name
            kinds[index].name = "\(random.pick(["B", "N", "Y"]))\(nextID())"
        } else if !used.contains(kinds[index].id) {
            kinds[index].isAbstract.toggle()
        }
    }

    /// Adds a relationship, mostly with its inverse.
    private mutating func addLinks(_ random: inout SeededGenerator) {
        let (first, second) = (nextID(), nextID())
        let (from, to) = (
            Int.random(in: kinds.indices, using: &random),
            Int.random(in: kinds.indices, using: &random)
        )
        let isPair = random.chance(0.7)
        func make(_ id: Int, _ destination: Int, _ inverse: Int?) -> Link {
            let isToMany = random.chance(0.6)
            return Link(
                id: id,
                relationship: Relationship(
                    name: "\(random.pick(["c", "o", "x"]))\(id)", destination: "",
                    isToMany: isToMany, isOrdered: isToMany && random.chance(0.4)),
                destination: kinds[destination].id, inverse: inverse)
        }
        kinds[from].links.append(make(first, to, isPair ? second : nil))
        if isPair { kinds[to].links.append(make(second, from, first)) }
    }

    private mutating func removeLink(_ id: Int) {
        for index in kinds.indices { kinds[index].links.removeAll { $0.id == id } }
        dropFilters(on: id)
    }

    private mutating func removeLinks(_ random: inout SeededGenerator) {
        guard let link = kinds.flatMap(\.links).randomElement(using: &random) else { return }
        removeLink(link.id)
        guard let inverse = link.inverse else { return }
        if random.chance(0.5) { return removeLink(inverse) }
        update(inverse) { $0.inverse = nil }
    }

    private mutating func update(_ id: Int, _ body: (inout Link) -> Void) {
        for kind in kinds.indices {
            for place in kinds[kind].links.indices where kinds[kind].links[place].id == id {
                body(&kinds[kind].links[place])
            }
        }
    }

    private mutating func changeLink(_ random: inout SeededGenerator) {
        guard let link = kinds.flatMap(\.links).randomElement(using: &random) else { return }
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            let name = "\(random.pick(["d", "p", "w"]))\(nextID())"
            let former = link.relationship.renamingIdentifier ?? link.relationship.name
            update(link.id) {
                $0.relationship.renamingIdentifier = former
                $0.relationship.name = name
            }
        case 1:
            dropFilters(on: link.id)
            update(link.id) { $0.relationship.isToMany = true }
        case 2 where link.relationship.isToMany:
            update(link.id) { $0.relationship.isOrdered.toggle() }
        case 3:
            update(link.id) { $0.relationship.deleteRule = .cascade }
        default:
            guard link.inverse == nil, let parent = line(link.destination).first?.id else {
                return
            }
            update(link.id) { $0.destination = parent }
        }
    }

    private mutating func addFilter(_ random: inout SeededGenerator) {
        let index = Int.random(in: kinds.indices, using: &random)
        let kind = kinds[index]
        let fields = fields(of: kind.id).filter { !$0.attribute.isTransient }
        let links = links(of: kind.id).filter { !$0.relationship.isToMany }
        guard let first = fields.randomElement(using: &random) else { return }
        var filter = Filter(name: "i\(nextID())", properties: [first.id])
        if first.attribute.type == .uuid {
            filter.isUnique = random.chance(0.7)
        } else {
            if let other = (fields.map(\.id) + links.map(\.id)).randomElement(using: &random),
                other != first.id
            {
                filter.properties.append(other)
            }
            filter.descends = random.chance(0.3)
            filter.isPartial = random.chance(0.3)
        }
        kinds[index].filters.append(filter)
    }

    private mutating func changeFilters(_ random: inout SeededGenerator) {
        let places = kinds.indices.filter { !kinds[$0].filters.isEmpty }
        guard random.chance(0.4), let kind = places.randomElement(using: &random) else {
            return addFilter(&random)
        }
        kinds[kind].filters.removeLast()
    }

    private mutating func dropFilters(on id: Int) {
        for index in kinds.indices {
            kinds[index].filters.removeAll { $0.properties.contains(id) }
        }
    }
}

/// Values of the types that random models have.
enum RandomValue {
    static let types: [AttributeType] = [
        .integer16, .integer64, .double, .string, .binaryData, .boolean, .decimal, .uuid,
    ]

    static func make(_ type: AttributeType, _ random: inout SeededGenerator) -> Value {
        switch type {
        case .integer16: .integer16(Int16.random(in: -3...3, using: &random))
        case .integer64: .integer64(Int64(bitPattern: random.next()))
        case .double: .double(Double.random(in: -1...1, using: &random))
        case .string:
            .string(
                String(
                    repeating: random.pick(["x", "é", ""]),
                    count: random.chance(0.02) ? 40_000 : Int.random(in: 0...9, using: &random)))
        case .binaryData: .binaryData(random.bytes(count: random.pick([0, 3, 900, 1_500])))
        case .boolean: .boolean(random.chance(0.5))
        case .decimal:
            .decimal(
                DecimalValue(
                    significand: UInt128(random.next()), exponent: -3,
                    isNegative: random.chance(0.5)))
        default: .uuid(UUIDValue(high: random.next(), low: random.next()))
        }
    }
}
