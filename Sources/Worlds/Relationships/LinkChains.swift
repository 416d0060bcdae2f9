// SPDX-License-Identifier: Apache-2.0

/// For each game object the links that have it at one of their ends, as doubly linked lists.
///
/// Lists are made of numbers by row, so that adding and removing a link allocates nothing and costs
/// the same however many links a game object has.
struct LinkChains {
    private var heads = RowMap()
    private var next = RowMap()
    private var previous = RowMap()

    /// Puts a link in front of the others of a game object.
    mutating func insert(_ link: Int, at object: Int) {
        let head = heads[object]
        next[link] = head
        if head != 0 { previous[head] = link }
        heads[object] = link
    }

    /// Takes a link away from a game object that has it.
    mutating func remove(_ link: Int, at object: Int) {
        let (before, after) = (previous[link], next[link])
        if before == 0 { heads[object] = after } else { next[before] = after }
        if after != 0 { previous[after] = before }
        next[link] = 0
        previous[link] = 0
    }

    /// The memory that a link of a row with a game object at one end would need more for lists.
    func room(_ link: Int, at object: Int) -> Int {
        heads.room(upTo: object) + next.room(upTo: link) + previous.room(upTo: link)
    }

    /// The number of pages of numbers that take memory.
    var pageCount: Int { heads.pageCount + next.pageCount + previous.pageCount }

    /// The first link of a game object; 0 for none.
    func first(of object: Int) -> Int { heads[object] }

    /// The link after another one of the same game object; 0 behind the last one.
    func after(_ link: Int) -> Int { next[link] }

    /// The rows of all links of a game object, the one that was inserted last first.
    func links(of object: Int) -> [Int] {
        var result: [Int] = []
        var link = heads[object]
        while link != 0 {
            result.append(link)
            link = next[link]
        }
        return result
    }
}
