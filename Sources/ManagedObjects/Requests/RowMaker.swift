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
    /// The positions of the attributes that each row must have a value of.
    private let mandatory: ContiguousArray<Int>
    /// The object's first draft, so that it need not be retained with each row.
    // SAFETY: the object keeps its draft. Where it has another one by now, only the address of this
    // one is compared.
    private let draft: Unmanaged<RecordDraft>

    init(_ runtime: EntityRuntime) {
        self.runtime = runtime
        mandatory = RowMaker.mandatoryFields(of: runtime)
        scratch = runtime.objectClass.init(entity: runtime.description, insertInto: nil)
        // There is no context for setters to notify.
        scratch.flags = .untracked
        let draft = runtime.makeDraft()
        scratch.draft = draft
        self.draft = .passUnretained(draft)
    }

    /// The positions of the attributes that each object must have a value of.
    static func mandatoryFields(of runtime: EntityRuntime) -> ContiguousArray<Int> {
        ContiguousArray(
            runtime.fields.indices.filter { position in
                let field = runtime.fields[position]
                return field.isStored && field.attribute?.isOptional == false
            })
    }

    /// Appends the object as a record and gives it the defaults again.
    ///
    /// - Throws: 1570 for a mandatory attribute without a value.
    @inline(__always)
    func append(to arena: inout RowArena) throws {
        if !mandatory.isEmpty { try checkMandatory(arena.count) }
        if runtime.hasRelationships { dropRelationships() }
        if isFirstDraft {
            // SAFETY: it is the draft that the object keeps.
            draft._withUnsafeGuaranteedRef { arena.append($0) }
        } else {
            replaceDraft(&arena)
        }
        if scratch.extras != nil { scratch.extras = nil }
    }

    /// By address, as the first one may be gone.
    private var isFirstDraft: Bool {
        // SAFETY: nothing is retained or read by way of it.
        scratch.draftReference?.toOpaque() == draft.toOpaque()
    }

    /// Sets an attribute; any other key is ignored.
    func set(_ value: Any, _ key: String) throws {
        guard case .field(let position)? = runtime.references[key] else { return }
        let field = runtime.fields[position]
        guard !field.isRelationship, field.isStored else { return }
        scratch.draft?[position] = try BatchValue.value(value, field, runtime)
    }

    private func checkMandatory(_ row: Int) throws {
        let draft = scratch.requireDraft()
        for position in mandatory where (draft[position] ?? .null).isNull {
            throw BatchValue.missing(runtime.fields[position], runtime, "row \(row)")
        }
    }

    /// Appends an object that has another draft now.
    @inline(never)
    private func replaceDraft(_ arena: inout RowArena) { arena.append(scratch.requireDraft()) }

    private func dropRelationships() {
        for relationship in runtime.toOneRelationships where relationship.field >= 0 {
            scratch.draft?[relationship.field] = .null
        }
    }
}
