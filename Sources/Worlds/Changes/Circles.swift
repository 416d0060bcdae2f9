// SPDX-License-Identifier: Apache-2.0

/// The circles of links within reach of some game objects.
///
/// Two game objects lead to each other if they are of one component, which one walk finds for all
/// (Tarjan's algorithm).
package struct Circles {
    /// The component of each game object.
    private var components: [Int: Int] = [:]
    private var numbers: [Int: Int] = [:]
    /// The least number within reach that is of no component yet.
    private var lowest: [Int: Int] = [:]
    private var open: [Int] = []

    /// - Parameters:
    ///   - starts: The rows of the game objects.
    ///   - targets: The rows of what one leads to.
    package init(from starts: [Int], _ targets: (Int) -> [Int]) {
        for start in starts where numbers[start] == nil { walk(start, targets) }
    }

    /// Whether a link is a part of a circle.
    package func has(_ source: Int, _ target: Int) -> Bool {
        guard source != target else { return true }
        guard let component = components[source] else { return false }
        return component == components[target]
    }

    func has(_ link: LinkTable.Ends) -> Bool { has(link.source, link.target) }

    private mutating func walk(_ start: Int, _ targets: (Int) -> [Int]) {
        var path: [(row: Int, rest: ArraySlice<Int>)] = []
        enter(start, targets, &path)
        while let last = path.indices.last {
            let row = path[last].row
            if let next = path[last].rest.popFirst() {
                if numbers[next] == nil {
                    enter(next, targets, &path)
                } else if components[next] == nil {
                    lower(row, to: numbers[next])
                }
                continue
            }
            path.removeLast()
            if let above = path.last?.row { lower(above, to: lowest[row]) }
            if lowest[row] == numbers[row] { close(row) }
        }
    }

    private mutating func enter(
        _ row: Int, _ targets: (Int) -> [Int], _ path: inout [(row: Int, rest: ArraySlice<Int>)]
    ) {
        lowest[row] = numbers.count
        numbers[row] = numbers.count
        open.append(row)
        path.append((row, targets(row)[...]))
    }

    private mutating func lower(_ row: Int, to number: Int?) {
        if let number, let own = lowest[row], number < own { lowest[row] = number }
    }

    /// Makes a component of what has been met since a game object.
    private mutating func close(_ row: Int) {
        while let last = open.popLast() {
            components[last] = row
            if last == row { return }
        }
    }
}
