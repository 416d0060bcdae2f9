// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Store

/// Makes the rows of a batch insertion, one after the other, of one object without a context.
struct RowMaker {
    /// The object that handlers fill: it has the defaults before each row.
    let scratch: NSManagedObject
    private let runtime: EntityRuntime
    private let layout: RecordLayout
    private let defaults: ContiguousArray<Value>

    init(_ runtime: EntityRuntime, _ table: EntityTable) {
        self.runtime = runtime
        layout = table.layout
        defaults = ContiguousArray(runtime.defaults.map { $0 ?? .null })
        scratch = runtime.objectClass.init(entity: runtime.description, insertInto: nil)
        // Setters have nobody to tell.
        scratch.flags = .untracked
        scratch.draft = runtime.makeDraft()
    }

    /// Appends the object as a record and gives it the defaults again.
    ///
    /// - Parameters:
    ///   - arena: Gets the record.
    ///   - externals: Gets the values that belong outside it, by row.
    ///   - encoder: Encodes the record.
    func append(
        to arena: inout RowArena, _ externals: inout [Int: [ExternalValue]],
        _ encoder: inout RecordEncoder
    ) {
        if runtime.hasRelationships { dropRelationships() }
        // Not retained: the object keeps its draft.
        Unmanaged.passUnretained(scratch.requireDraft())._withUnsafeGuaranteedRef { draft in
            let record = encoder.encode(
                layout: layout, version: 1, base: nil, draft: draft, resolve: { $0 })
            if encoder.hasExternalValues { externals[arena.count] = encoder.externalValues }
            arena.append(record)
            for field in defaults.indices { _ = draft.exchange(field, defaults[field]) }
        }
        if scratch.extras != nil { scratch.extras = nil }
    }

    /// Sets an attribute; any other key is ignored.
    func set(_ value: Any, _ key: String) throws {
        guard case .field(let position)? = runtime.references[key] else { return }
        let field = runtime.fields[position]
        guard !field.isRelationship, field.isStored else { return }
        scratch.draft?[position] = try BatchValue.value(value, field, runtime)
    }

    private func dropRelationships() {
        for relationship in runtime.toOneRelationships where relationship.field >= 0 {
            scratch.draft?[relationship.field] = .null
        }
    }
}
