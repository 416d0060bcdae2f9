// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store
import Traps

/// Makes the objects of a fetch: what is the same for all of one entity is looked up once.
struct FaultMaker {
    /// The class of all objects so far; `nil` when there is none or more than one.
    var commonType: NSManagedObject.Type? { isUniform ? foundType : nil }

    // SAFETY: a fault maker lives in a method of the context, whose caller keeps the context.
    private let context: Unmanaged<NSManagedObjectContext>
    // SAFETY: a snapshot of the context keeps it as long as the method runs.
    private let store: Unmanaged<Store>
    /// The further file that the keys are of; `nil` for the main store.
    private let file: FileMapping?
    private let stamp: UInt32
    private var number = EntityNumber(rawValue: 0)
    // SAFETY: the context's model keeps its entities.
    private var entity: Unmanaged<NSEntityDescription>?
    private var type: NSManagedObject.Type = NSManagedObject.self
    private var foundType: NSManagedObject.Type?
    private var isUniform = true
    // SAFETY: the caller of `next` keeps what it was given.
    /// The objects made last, as many as ``RecordAhead/distance``.
    private var recent = InlineArray<8, Unmanaged<NSManagedObject>?>(repeating: nil)
    /// The place of the oldest of them, or ``RecordAhead/distance`` for the first one.
    private var nextPlace = 0

    /// - Parameters:
    ///   - context: Where the objects belong.
    ///   - snapshot: The state that their records are read from.
    ///   - file: The further file that it is of; nil for the main store.
    init(
        _ context: NSManagedObjectContext, _ snapshot: StoreSnapshot, _ file: FileMapping? = nil
    ) {
        // SAFETY: see `context`.
        self.context = Unmanaged.passUnretained(context)
        // SAFETY: see `store`.
        store = Unmanaged.passUnretained(snapshot.store)
        self.file = file
        stamp = context.stamp
    }

    /// The registered object of a key, else a new fault that knows the place of its bytes.
    @inline(__always)
    mutating func object(_ key: ObjectKey, _ record: RecordView) -> NSManagedObject {
        // SAFETY: see `context`.
        if let known = context._withUnsafeGuaranteedRef({ $0.registry[key] }) {
            context._withUnsafeGuaranteedRef { $0.place(known, record) }
            note(Swift.type(of: known))
            return known
        }
        let object = make(key)
        object.record = record
        object.boundStamp = stamp
        return object
    }

    /// Adds the object of a match to those before it, always in the same list.
    @inline(__always)
    mutating func add(
        _ key: ObjectKey, _ record: RecordView, to objects: inout [NSManagedObject]
    ) {
        objects.append(next(key, record))
    }

    /// The object of a match, which the caller keeps together with those before it.
    @inline(__always)
    mutating func next(_ key: ObjectKey, _ record: RecordView) -> NSManagedObject {
        let object = object(key, record)
        // Taken into the range when it is used: the compiler then knows it to be in there.
        let place = nextPlace & (RecordAhead.distance - 1)
        nextPlace = place &+ 1
        // SAFETY: see `recent`.
        recent[place]?._withUnsafeGuaranteedRef { earlier in
            guard let place = earlier.record else { return }
            earlier.recordAhead = RecordAhead(from: place, to: record)
        }
        // SAFETY: see `recent`.
        recent[place] = Unmanaged.passUnretained(object)
        return object
    }

    /// Whether the store may have an object of a key: one of its entities, and a row of its own.
    @inline(__always)
    func knows(_ key: ObjectKey) -> Bool {
        let number = key.entity
        guard let file else {
            return key.isOfMainStore
                && ((number == self.number && entity != nil) || ordinal(of: number) != nil)
        }
        // What such a key says of its entity was translated from the file's number.
        return key.tag == file.tag
    }

    /// Makes the fault of a key that is not registered; its bytes are not looked for.
    @inline(__always)
    mutating func make(_ key: ObjectKey) -> NSManagedObject {
        if key.entity != number { select(key.entity) }
        guard let entity else { trap("no entity has number \(key.entity)") }
        let type = self.type
        // SAFETY: see `context` and `entity`.
        return entity._withUnsafeGuaranteedRef { entity in
            context._withUnsafeGuaranteedRef {
                file == nil ? $0.makeOwnFault(key, type, entity) : $0.makeFault(key, type, entity)
            }
        }
    }

    private mutating func select(_ number: EntityNumber) {
        self.number = number
        // SAFETY: see `context` and `entity`.
        context._withUnsafeGuaranteedRef { context in
            let ordinal =
                file == nil ? self.ordinal(of: number) : ObjectKey.ordinalElsewhere(number)
            let runtime = ordinal.flatMap { context.runtimeReference(ordinal: $0) }
            // The initialiser of each object has no need to look for it then.
            if let runtime { context.making.knownRuntime = runtime }
            // SAFETY: the context's model keeps its runtimes.
            (entity, type) =
                runtime?._withUnsafeGuaranteedRef {
                    (Unmanaged.passUnretained($0.description), $0.objectClass)
                } ?? (nil, NSManagedObject.self)
        }
        note(type)
    }

    @inline(__always)
    private func ordinal(of number: EntityNumber) -> Int? {
        // SAFETY: see `store`.
        store._withUnsafeGuaranteedRef { $0.ordinal(of: number) }
    }

    @inline(__always)
    private mutating func note(_ type: NSManagedObject.Type) {
        if type == foundType { return }
        isUniform = foundType == nil
        foundType = type
    }
}
