// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Synchronization
import Traps

/// The names of the properties that Swift key paths of managed objects lead through.
enum ManagedKeyPath {
    /// Why a key path has no name.
    struct Failure: Error {
        let message: String
    }

    /// What is known of a key path.
    private typealias Answer = Result<[String], Failure>

    // Guards the answers, which any thread may ask for.
    private static let known = Mutex<[UncheckedKeyPath: Answer]>([:])

    /// The names, from the root on; empty for `\.self`.
    ///
    /// - Throws: What is wrong with a key path that leads through anything else than managed
    ///   properties.
    static func names(of path: AnyKeyPath) throws(Failure) -> [String] {
        let key = UncheckedKeyPath(path: path)
        if let answer = known.withLock({ $0[key] }) { return try answer.get() }
        // Outside of the lock: getters of the program run.
        let answer = Answer { () throws(Failure) in try find(path) }
        known.withLock { $0[key] = answer }
        return try answer.get()
    }

    /// The key that stands for a key path of any root; traps where it has none.
    static func name(of path: AnyKeyPath) -> String {
        do {
            return try requireName(of: path)
        } catch {
            trap(error.message)
        }
    }

    /// The key that stands for a key path of any root, `self` for `\.self`.
    ///
    /// - Throws: What is wrong with a key path that leads through anything else than managed
    ///   properties.
    static func requireName(of path: AnyKeyPath) throws(Failure) -> String {
        let names = try names(of: path)
        return names.isEmpty ? "self" : names.joined(separator: ".")
    }

    private static func find(_ path: AnyKeyPath) throws(Failure) -> [String] {
        let (root, value) = (Swift.type(of: path).rootType, Swift.type(of: path).valueType)
        guard let type = root as? NSManagedObject.Type,
            let opened = root as? any ManagedReference.Type
        else {
            throw Failure(message: "\(KeyPathText(path)) does not begin at a managed object")
        }
        if let name = plainName(path, opened) { return name }
        var reads: [KeyPathProbe.Read]?
        for sample in ProbeSamples.values(for: value) {
            let outcome = KeyPathProbe.apply(path, to: type, sample)
            let isSame = reads == nil || reads == outcome.reads
            guard isSame, matches(outcome, value, sample) else {
                throw failure(path, outcome.reads)
            }
            reads = outcome.reads
        }
        guard let reads, !reads.isEmpty, KeyPathText(path).mayHave(reads.count),
            isWritable(path, reads)
        else { throw failure(path, reads ?? []) }
        return reads.map(\.name)
    }

    /// The name of what every object has.
    private static func plainName<Root: ManagedReference>(
        _ path: AnyKeyPath, _: Root.Type
    ) -> [String]? {
        if path == \Root.self { return [] }
        return path == \Root.objectID ? ["objectID"] : nil
    }

    /// Whether a key path's value is what a managed property reads.
    private static func matches(
        _ outcome: KeyPathProbe.Outcome, _ type: Any.Type, _ sample: Value
    ) -> Bool {
        let value = ValueConversion.unwrapped(outcome.value)
        if let object = value as? NSManagedObject {
            return ObjectIdentifier(object) == outcome.destination
        }
        // Behind `?` a property that is no optional reads something else than the optional would.
        if sample.isNull, outcome.reads.count > 1 { return true }
        let object = KeyPathProbe.object(of: NSManagedObject.self, sample)
        guard let expected = ProbeSamples.expected(type, of: object) else { return true }
        let found = (value as? any RawRepresentable).map { rawValue($0) } ?? value
        switch (found, ValueConversion.unwrapped(expected)) {
        case (nil, nil): return true
        case (let found as AnyHashable, let expected as AnyHashable): return found == expected
        default: return false
        }
    }

    private static func rawValue(_ value: some RawRepresentable) -> Any { value.rawValue }

    /// Whether a key path may be written through as far as its property allows.
    ///
    /// One that may not, although the property has its setter everywhere, leads to a computed
    /// property that reads the managed one.
    private static func isWritable(_ path: AnyKeyPath, _ reads: [KeyPathProbe.Read]) -> Bool {
        let kind = "\(Swift.type(of: path))"
        let isRead = kind.hasPrefix("KeyPath<")
        return !isRead || reads.last?.hasLimitedSetter != false || KeyPathText(path).isChained
    }

    private static func failure(_ path: AnyKeyPath, _ reads: [KeyPathProbe.Read]) -> Failure {
        let names = reads.map(\.name).joined(separator: ", ")
        return Failure(
            message: "the key path \(KeyPathText(path)) is no managed property"
                + (names.isEmpty ? "" : ": it computes its value from \(names)")
                + "; use key paths of @Managed properties, which may be joined by ! and ?")
    }
}

/// A key path as a key of a table that any thread uses.
// SAFETY: a key path that captures nothing is never changed, and one of a managed property captures
// nothing: subscripts are no properties.
private struct UncheckedKeyPath: Hashable, @unchecked Sendable {
    let path: AnyKeyPath
}
