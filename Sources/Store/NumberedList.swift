// SPDX-License-Identifier: Apache-2.0

import Schema
import Traps

/// Elements by number, ascending.
///
/// A sorted array: the first dictionary of a process with keys of a new type costs more time than
/// everything else that opening a store does.
struct NumberedList<Element: Sendable>: Sendable, Sequence {
    private(set) var numbers: [UInt32] = []
    private var elements: [Element] = []

    /// Makes an empty list.
    init() {}

    /// Pairs ascending numbers with the first of some elements.
    init(_ numbers: [UInt32], _ elements: some Collection<Element>) {
        self.numbers = numbers
        self.elements = Array(elements.prefix(numbers.count))
        require(self.elements.count == numbers.count, "too few elements for \(numbers)")
    }

    /// The element of a number.
    /// - Complexity: O(log n); O(n) for a new number that is not the greatest.
    subscript(number: UInt32) -> Element? {
        get {
            let index = index(of: number)
            return index < numbers.count && numbers[index] == number ? elements[index] : nil
        }
        set {
            let index = index(of: number)
            let isKnown = index < numbers.count && numbers[index] == number
            switch (newValue, isKnown) {
            case (let element?, true): elements[index] = element
            case (let element?, false):
                numbers.insert(number, at: index)
                elements.insert(element, at: index)
            case (nil, true):
                numbers.remove(at: index)
                elements.remove(at: index)
            case (nil, false): break
            }
        }
    }

    var count: Int { numbers.count }

    func makeIterator() -> Zip2Sequence<[UInt32], [Element]>.Iterator {
        zip(numbers, elements).makeIterator()
    }

    /// The first position whose number is not less.
    private func index(of number: UInt32) -> Int {
        numbers.partitioningIndex { $0 >= number }
    }
}
