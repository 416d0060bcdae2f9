// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Synchronization
import Traps

/// The names that a store of the program's own has for its objects, and the rows that stand for
/// them here.
final class ReferenceTable: Sendable {
    /// A reference object in comparable form.
    // SAFETY: a reference is set once, then only compared and hashed. One of another type belongs
    // to the program, which does not change it any more.
    enum Reference: Hashable, @unchecked Sendable {
        case number(Int64)
        case text(String)
        case other(AnyHashable)

        init(_ value: Any) {
            switch value {
            case let text as String: self = .text(text)
            case let text as NSString: self = .text(String(describing: text))
            case let number as NSNumber: self = .number(number.int64Value)
            case let number as any BinaryInteger: self = .number(Int64(clamping: number))
            case let other as AnyHashable: self = .other(other)
            default:
                trap(
                    "\(value) cannot name an object; use a string, a number or a UUID")
            }
        }

        /// Reads the text of a URI.
        init(uriText text: String) {
            if let number = Int64(text) {
                self = .number(number)
            } else {
                self = .text(text.hasPrefix("'") ? String(text.dropFirst()) : text)
            }
        }

        /// The text in a URI: a mark sets strings apart that would be read as numbers.
        var uriText: String {
            switch self {
            case .number(let number): "\(number)"
            case .text(let text): Int64(text) != nil || text.hasPrefix("'") ? "'\(text)" : text
            case .other(let value): "\(value.base)"
            }
        }

        var value: Any {
            switch self {
            case .number(let number): NSNumber(value: number)
            case .text(let text): text
            case .other(let value): value.base
            }
        }
    }

    private struct Entry: Hashable {
        let ordinal: Int
        let reference: Reference
    }

    private struct State {
        var rows: [Entry: UInt64] = [:]
        var references: [ObjectKey: Reference] = [:]
    }

    // Contexts of any thread ask.
    private let state = Mutex(State())

    /// The key of a reference, the same each time.
    func key(for reference: Reference, tag: Int, _ runtime: EntityRuntime) -> ObjectKey {
        state.withLock { state in
            let entry = Entry(ordinal: runtime.ordinal, reference: reference)
            let row = state.rows[entry] ?? UInt64(state.rows.count + 1)
            state.rows[entry] = row
            let key = ObjectKey(tag: tag, ordinal: runtime.ordinal, row: row)
            state.references[key] = reference
            return key
        }
    }

    func reference(of key: ObjectKey) -> Reference? { state.withLock { $0.references[key] } }
}

/// A store whose objects have names of its own.
protocol ReferencingStore: NSPersistentStore {
    var references: ReferenceTable { get }
}

extension ReferencingStore {
    func makeObjectID(_ entity: NSEntityDescription, _ reference: Any) -> NSManagedObjectID {
        guard let coordinator = persistentStoreCoordinator else {
            trap("the store \(identity) has no coordinator to give object IDs in")
        }
        let runtime = coordinator.runtime(of: entity)
        let key = references.key(for: .init(reference), tag: tag, runtime)
        return NSManagedObjectID(key: key, runtime: runtime, store: self)
    }

    func findReference(of objectID: NSManagedObjectID) -> Any {
        guard objectID.store === self, let found = references.reference(of: objectID.currentKey)
        else { trap("\(objectID) is no object ID of the store \(identity)") }
        return found.value
    }
}
