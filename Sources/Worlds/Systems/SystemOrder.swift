// SPDX-License-Identifier: Apache-2.0

/// The order of the systems of one stage.
struct SystemOrder {
    /// The systems in their order.
    let systems: [System]
    /// What each system uses, by its place in `systems`; nil for an exclusive one.
    private let accesses: [SystemAccess?]
    /// The places of the systems that a system runs after by a stated order, directly or not.
    private let earlier: [Set<Int>]

    /// Orders systems: by what they state, else as they were added.
    ///
    /// - Parameters:
    ///   - added: The systems in the order in which they were added.
    ///   - edges: The pairs of names of which the first is to run before the second.
    ///   - world: A world to declare components in.
    init(
        _ added: [System], _ edges: [(first: String, second: String)], in world: World
    ) throws(ScheduleError) {
        var predecessors: [String: Set<String>] = [:]
        for edge in edges { predecessors[edge.second, default: []].insert(edge.first) }
        var sorted: [System] = []
        var earlier: [Set<Int>] = []
        var places: [String: Int] = [:]
        var rest = added
        while !rest.isEmpty {
            let ready = rest.firstIndex { system in
                predecessors[system.name, default: []].allSatisfy { places[$0] != nil }
            }
            guard let ready else {
                throw .cycle(SystemOrder.cycle(rest.map(\.name), predecessors, places))
            }
            let system = rest.remove(at: ready)
            var before: Set<Int> = []
            for name in predecessors[system.name, default: []] {
                guard let place = places[name] else { continue }
                before.formUnion(earlier[place].union([place]))
            }
            places[system.name] = sorted.count
            sorted.append(system)
            earlier.append(before)
        }
        systems = sorted
        self.earlier = earlier
        accesses = sorted.map { $0.access(in: world) }
    }

    /// The names of systems that wait for each other, each before the next.
    ///
    /// - Parameter names: The systems that cannot be ordered, as they were added. The first of them
    ///   in the cycle begins it.
    private static func cycle(
        _ names: [String], _ predecessors: [String: Set<String>], _ placed: [String: Int]
    ) -> [String] {
        // Every system that is left waits for another one, so the way back ends in a cycle.
        var path = [names[0]]
        while let name = path.last,
            let next = predecessors[name, default: []].filter({ placed[$0] == nil }).min()
        {
            guard let start = path.firstIndex(of: next) else {
                path.append(next)
                continue
            }
            let cycle = Array(path[start...].reversed())
            let first = names.lazy.compactMap { cycle.firstIndex(of: $0) }.first ?? 0
            return Array(cycle[first...] + cycle[..<first])
        }
        return path.reversed()
    }

    /// The systems in groups that may run at the same time.
    ///
    /// A system is in the first group behind all systems in front of it that it conflicts with, or
    /// that it runs after.
    var waves: [[System]] {
        var result: [[System]] = []
        var levels: [Int] = []
        for place in systems.indices {
            var level = 0
            for other in 0..<place where levels[other] >= level {
                if earlier[place].contains(other) || conflict(other, place) != nil {
                    level = levels[other] + 1
                }
            }
            levels.append(level)
            if level == result.count { result.append([]) }
            result[level].append(systems[place])
        }
        return result
    }

    /// The columns about which two systems conflict, none if one is exclusive; nil for no conflict.
    private func conflict(_ first: Int, _ second: Int) -> ColumnSet? {
        guard let one = accesses[first], let other = accesses[second] else { return ColumnSet() }
        let columns = one.conflicts(with: other)
        return columns.isEmpty ? nil : columns
    }

    /// The pairs that conflict without a stated order.
    func ambiguities(in world: World) -> [Ambiguity] {
        var result: [Ambiguity] = []
        for second in systems.indices {
            for first in 0..<second where !earlier[second].contains(first) {
                guard let columns = conflict(first, second) else { continue }
                result.append(
                    Ambiguity(
                        first: systems[first].name, second: systems[second].name,
                        components: columns.indices.map { world.columns[$0].type.name }.sorted()))
            }
        }
        return result
    }
}
