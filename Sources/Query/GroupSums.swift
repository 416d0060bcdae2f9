// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// The running state of all groups.
///
/// Arrays are read by index: a loop over one would count a reference to it for each row.
struct GroupSums {
    /// What groups have in common, and the aggregates, in the records of one entity.
    struct Part {
        let layout: RecordLayout
        let fields: [GroupField]
        let aggregates: [PlainAggregate]
        /// The places of the fields, if all are plain.
        let places: [FieldPlace]?

        init(layout: RecordLayout, fields: [GroupField], aggregates: [PlainAggregate]) {
            self.layout = layout
            self.fields = fields
            self.aggregates = aggregates
            let places = fields.compactMap { field in
                if case .plain(let place) = field { place } else { nil }
            }
            self.places = places.count == fields.count ? places : nil
        }
    }

    private let snapshot: StoreSnapshot
    /// By entity ordinal.
    private let parts: [Part?]
    private let others: [OtherAggregate]

    /// The entity of the record at hand, and what is known of it.
    private var entity = EntityNumber(rawValue: .max)
    private var ordinal = 0
    private var fields: [GroupField] = []
    /// The places of the fields, where all are plain.
    private var places: [FieldPlace] = []
    private var isPlain = true
    private let isOneGroup: Bool
    private let hasOthers: Bool
    private var aggregates: [PlainAggregate] = []

    private var table = GroupTable()
    private var paths: [PathNumbers]
    private var computed: [ComputedNumbers]
    private var cells: ContiguousArray<GroupCell> = []
    private var states: ContiguousArray<RunningAggregate> = []
    private var members: [[SubjectOperand]] = []
    private let isSorted: Bool
    private let objectsDescend: Bool
    /// The first member of each group, where groups are sorted.
    private var firsts: ContiguousArray<ObjectKey> = []

    init(_ fetch: GroupedFetch, _ snapshot: StoreSnapshot) {
        self.snapshot = snapshot
        parts = fetch.parts
        others = fetch.others
        isOneGroup = fetch.question.groups.isEmpty
        hasOthers = !fetch.others.isEmpty
        isSorted = !fetch.order.isEmpty
        objectsDescend = fetch.objectsDescend
        paths = fetch.paths.map { PathNumbers($0) }
        computed = fetch.computed.map { ComputedNumbers($0) }
        aggregates = fetch.parts[fetch.ordinal]?.aggregates ?? []
        // The one group of all is there even if nothing is in it.
        if isOneGroup { begin([]) }
    }

    /// How many groups there are.
    var count: Int { members.count }

    /// The numbers of the groups in an order; without one, as they were met.
    func numbers(sortedBy order: [(place: Int, order: SortOrder)]) -> [Int] {
        if order.isEmpty { return Array(0..<count) }
        let keys = members.map { values in order.map { values[$0.place].scalar ?? .null } }
        return (0..<count).sorted { left, right in
            for index in order.indices {
                switch order[index].order.compare(keys[left][index], keys[right][index]) {
                case .ascending: return true
                case .descending: return false
                case .same: break
                }
            }
            return (firsts[left] < firsts[right]) != objectsDescend
        }
    }

    /// What the members of a group have in common.
    func values(of group: Int) -> [SubjectOperand] { members[group] }

    /// What an aggregate is in a group.
    func value(of aggregate: Int, in group: Int) -> SubjectOperand {
        let column = aggregates[aggregate]
        guard case .other(let index) = column else {
            return .value(column.value(cells[group * aggregates.count + aggregate]))
        }
        return states[group * others.count + index].value
    }

    @inline(__always)
    mutating func add(_ key: ObjectKey, _ record: RecordView) throws {
        if key.entity != entity { enter(key.entity) }
        let group = isOneGroup ? 0 : try number(key, record)
        let first = group * aggregates.count
        for index in aggregates.indices {
            aggregates[index].add(record, to: &cells[first + index])
        }
        if hasOthers { try addOthers(ResultRow(key: key, record: record), group) }
    }

    /// Adds members that are alike in all that is read of them.
    ///
    /// - Parameter key: That of the first one.
    mutating func add(_ key: ObjectKey, _ record: RecordView, times: Int) throws {
        if key.entity != entity { enter(key.entity) }
        let group = isOneGroup ? 0 : try number(key, record)
        let first = group * aggregates.count
        for index in aggregates.indices {
            aggregates[index].add(record, times: times, to: &cells[first + index])
        }
        // What keys have whole leaves these no more than extremes.
        if hasOthers { try addOthers(ResultRow(key: key, record: record), group) }
    }

    @inline(never)
    private mutating func enter(_ number: EntityNumber) {
        guard let ordinal = snapshot.store.ordinal(of: number), let part = parts[ordinal] else {
            return
        }
        entity = number
        self.ordinal = ordinal
        fields = part.fields
        aggregates = part.aggregates
        places = part.places ?? []
        isPlain = part.places != nil
    }

    @inline(never)
    private mutating func addOthers(_ row: ResultRow, _ group: Int) throws {
        let first = group * others.count
        for index in others.indices {
            try others[index].add(row, snapshot, to: &states[first + index])
        }
    }

    @inline(__always)
    private mutating func number(_ key: ObjectKey, _ record: RecordView) throws -> Int {
        table.startKey()
        if isPlain {
            for index in places.indices { table.appendKey(places[index], record) }
        } else {
            try appendFields(ResultRow(key: key, record: record))
        }
        let (number, isNew) = table.number()
        if isNew { try begin(ResultRow(key: key, record: record)) }
        if isSorted { note(key, number, isNew) }
        return number
    }

    private mutating func note(_ key: ObjectKey, _ group: Int, _ isNew: Bool) {
        if isNew {
            firsts.append(key)
        } else if objectsDescend ? key > firsts[group] : key < firsts[group] {
            firsts[group] = key
        }
    }

    @inline(never)
    private mutating func appendFields(_ row: ResultRow) throws {
        for index in fields.indices {
            if case .plain(let place) = fields[index] {
                table.appendKey(place, row.record)
            } else {
                try appendOther(fields[index], row)
            }
        }
    }

    @inline(never)
    private mutating func begin(_ row: ResultRow) throws {
        begin(try fields.map { try value($0, row) })
    }

    private mutating func appendOther(_ field: GroupField, _ row: ResultRow) throws {
        switch field {
        case .plain: break
        case .path(let index):
            table.appendWord(try paths[index].number(of: row, ordinal, snapshot))
        case .computed(let index):
            table.appendWord(try computed[index].number(of: row, snapshot))
        }
    }

    /// The value of a new group.
    private func value(_ field: GroupField, _ row: ResultRow) throws -> SubjectOperand {
        switch field {
        case .plain(let place):
            .value(
                parts[ordinal].flatMap { row.record.value(place.position, in: $0.layout) } ?? .null)
        case .path(let index): .value(try paths[index].path.value(row, snapshot))
        case .computed(let index): computed[index].last
        }
    }

    private mutating func begin(_ values: [SubjectOperand]) {
        members.append(values)
        cells.append(contentsOf: repeatElement(GroupCell(), count: aggregates.count))
        for other in others { states.append(other.start) }
    }
}
