// SPDX-License-Identifier: Apache-2.0

/// What a mapping matches by names: an entity or a property.
protocol Renamable {
    var name: String { get }
    var renamingIdentifier: String? { get }
}

extension Renamable {
    /// What the versions of a model know the element by.
    var identifier: String { renamingIdentifier ?? name }
}

extension Entity: Renamable {}
extension Attribute: Renamable {}
extension Relationship: Renamable {}

/// Which elements of a source those of a destination come from.
///
/// The kinds of a match are tried one after the other, each for all elements, so that names may be
/// swapped, and a pair that is the same in both schemas stays one.
struct NameMatching<Element: Renamable> {
    /// An element whose source another one has, or that could have any of several.
    struct Conflict: Error {
        let destination: String
        let reason: String
    }

    private let names: Set<String>
    private let namesByIdentifier: [String: [String]]
    private var takers: [String: String] = [:]
    /// The names of sources by those of destinations.
    private(set) var sources: [String: String] = [:]

    init(_ destinations: [Element], from elements: [Element]) throws(Conflict) {
        names = Set(elements.map(\.name))
        namesByIdentifier = Dictionary(grouping: elements, by: \.identifier)
            .mapValues { $0.map(\.name) }
        for element in destinations
        where namesByIdentifier[element.identifier]?.contains(element.name) == true {
            take(element.name, element)
        }
        // Who was given an identifier has the first claim to it.
        let explicit = destinations.filter { $0.renamingIdentifier != nil }
        let others = destinations.filter { $0.renamingIdentifier == nil }
        for element in explicit + others {
            try claim(namesByIdentifier[element.identifier] ?? [], element)
        }
        for element in explicit + others where names.contains(element.identifier) {
            try claim([element.identifier], element)
        }
        for element in explicit where names.contains(element.name) {
            guard sources[element.name] == nil, takers[element.name] == nil else { continue }
            take(element.name, element)
        }
    }

    private mutating func take(_ source: String, _ element: Element) {
        sources[element.name] = source
        takers[source] = element.name
    }

    /// Takes the only candidate, if there is one.
    private mutating func claim(
        _ candidates: [String], _ element: Element
    ) throws(Conflict) {
        guard sources[element.name] == nil, let first = candidates.first else { return }
        let isExplicit = element.renamingIdentifier != nil
        guard candidates.count == 1 else {
            guard isExplicit else { return }
            throw Conflict(
                destination: element.name,
                reason: "\(candidates.joined(separator: " and ")) of the stored model have the "
                    + "renaming identifier \(element.identifier), so it is not known which one "
                    + "\(element.name) comes from; give it the name of one as renaming identifier")
        }
        guard let taker = takers[first] else {
            try checkName(first, element)
            return take(first, element)
        }
        guard isExplicit else { return }
        throw Conflict(
            destination: element.name,
            reason: "\(taker) and \(element.name) would both come from \(first) of the stored "
                + "model; take the renaming identifier away from one of them")
    }

    /// Refuses an element without an identifier that one of its name and one with its name as
    /// identifier claim: the latter had that name in an earlier version, and the former has it now.
    private func checkName(_ source: String, _ element: Element) throws(Conflict) {
        guard element.renamingIdentifier == nil, source != element.name,
            names.contains(element.name), takers[element.name] == nil
        else { return }
        throw Conflict(
            destination: element.name,
            reason:
                "it may come from \(element.name) of the stored model, or from \(source), whose "
                + "renaming identifier is \(element.name); give it the renaming identifier of "
                + "one of them")
    }
}
