// SPDX-License-Identifier: Apache-2.0

/// The number of something in a list, as a type of its own, so that it is not taken for the number
/// of something else.
///
/// Tables, entities and sources are numbered separately: the third table need not become the third
/// entity, nor be in the third file.
package protocol PlanIndex: Hashable, Sendable, Strideable, ExpressibleByIntegerLiteral
where Stride == Int, IntegerLiteralType == Int {
    /// The number, from 0.
    var number: Int { get }

    /// Makes the index of a number.
    init(_ number: Int)
}

extension PlanIndex {
    /// Makes an index out of a literal.
    package init(integerLiteral value: Int) { self.init(value) }

    /// How many places another index is behind this one.
    package func distance(to other: Self) -> Int { other.number - number }

    /// The index a few places behind this one.
    package func advanced(by places: Int) -> Self { Self(number + places) }
}

/// The number of a file among those of an import.
package struct SourceIndex: PlanIndex {
    /// The number, from 0.
    package let number: Int

    /// Makes the index of a number.
    package init(_ number: Int) { self.number = number }
}

/// The number of a table of the data: in the survey and in the plan.
package struct TableIndex: PlanIndex {
    /// The number, from 0.
    package let number: Int

    /// Makes the index of a number.
    package init(_ number: Int) { self.number = number }
}

/// The number of an entity in the inferred model, and in reports.
package struct EntityIndex: PlanIndex {
    /// The number, from 0.
    package let number: Int

    /// Makes the index of a number.
    package init(_ number: Int) { self.number = number }
}

/// The number of a many-to-many relationship in the inferred model, and in reports.
package struct LinkIndex: PlanIndex {
    /// The number, from 0.
    package let number: Int

    /// Makes the index of a number.
    package init(_ number: Int) { self.number = number }
}

/// An array that takes indexes of one type only.
package struct IndexedList<Index: PlanIndex, Element>: RandomAccessCollection, MutableCollection {
    private var elements: [Element]

    /// Makes a list of elements in their order.
    package init(_ elements: [Element]) { self.elements = elements }

    /// Makes a list of equal elements.
    package init(repeating element: Element, count: Int) {
        elements = Array(repeating: element, count: count)
    }

    /// The index of the first element.
    package var startIndex: Index { Index(0) }
    /// The index behind the last element.
    package var endIndex: Index { Index(elements.count) }

    /// The element of an index, read and changed in place: elements hold whole batches.
    package subscript(index: Index) -> Element {
        _read { yield elements[index.number] }
        _modify { yield &elements[index.number] }
    }

    /// Adds an element and returns its index.
    @discardableResult
    package mutating func append(_ element: Element) -> Index {
        elements.append(element)
        return Index(elements.count - 1)
    }
}

extension IndexedList: Sendable where Element: Sendable {}

extension InferredModel {
    /// The indexes of the entities.
    var entityIndexes: Range<EntityIndex> { 0..<EntityIndex(entities.count) }
    /// The indexes of the many-to-many relationships.
    var linkIndexes: Range<LinkIndex> { 0..<LinkIndex(manyToMany.count) }

    /// The entity of an index.
    subscript(index: EntityIndex) -> InferredEntity { entities[index.number] }

    /// The many-to-many relationship of an index.
    subscript(index: LinkIndex) -> InferredManyToMany { manyToMany[index.number] }
}

extension ImportReport {
    /// The counts of an entity.
    subscript(index: EntityIndex) -> EntityCounts {
        get { entities[index.number] }
        _modify { yield &entities[index.number] }
    }

    /// The counts of a many-to-many relationship.
    subscript(index: LinkIndex) -> LinkCounts {
        get { links[index.number] }
        _modify { yield &links[index.number] }
    }
}
