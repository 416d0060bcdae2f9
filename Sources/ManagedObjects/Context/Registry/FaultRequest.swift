// SPDX-License-Identifier: Apache-2.0

import Traps

// The only place in Lode that passes references without counting them.
//
// A fault is made by `init(entity:insertInto:)`, which programs override. The initialiser owns its
// arguments: its caller retains both, and it releases both at its end. These four atomic operations
// on objects that outlive the call would cost as much as all the rest of making a fault, and a
// fetch makes one for each match. With parameters that are borrowed instead, an override without
// ownership modifiers would still release them. So the caller of the initialiser does not retain
// them, and the initialiser of the superclass makes up for it where it is about to release them.
// The compiler drops the two counts with the two releases.

/// The fault that a context asks for, until the initialiser of its object has taken the request.
struct FaultRequest {
    // A word: two optional references are compared by twice as many instructions.
    /// The address of the entity, which the caller of `initialiseFault` keeps; 0 for no request.
    fileprivate var entity: UInt = 0

    fileprivate static func address(of entity: NSEntityDescription) -> UInt {
        UInt(bitPattern: ObjectIdentifier(entity))
    }

    /// Makes up for the references that the initialiser of a fault got uncounted.
    ///
    /// To be called once by the initialiser that has taken the request, and by no other.
    // SAFETY: the initialiser owns both arguments and releases them as it returns. Until then they
    // are there uncounted, as the caller of `initialiseFault` keeps them.
    @inline(__always)
    static func countArguments(_ entity: NSEntityDescription, _ context: NSManagedObjectContext) {
        _ = Unmanaged.passRetained(entity)
        _ = Unmanaged.passRetained(context)
    }
}

extension NSManagedObjectContext {
    /// Runs the initialiser of a fault. The caller keeps the context and the entity meanwhile, and
    /// gives the object its key.
    // SAFETY: from here until `countArguments` each argument has one count too few. The caller
    // keeps both, so neither goes meanwhile, and the initialiser that has taken the request adds
    // the counts before it releases the arguments. If none has taken it, or an insertion has got
    // these arguments, the trap ends the program before the missing counts matter.
    @inline(__always)
    final func initialiseFault(
        _ type: NSManagedObject.Type, _ entity: NSEntityDescription
    ) -> NSManagedObject {
        let request = Unmanaged.passUnretained(entity)
        making.faultRequest.entity = FaultRequest.address(of: entity)
        let object = type.init(
            entity: request.takeRetainedValue(),
            insertInto: Unmanaged.passUnretained(self).takeRetainedValue())
        // Insertions have given it a key.
        if making.faultRequest.entity != 0 || object.key.rawValue != 0 {
            misusedInitialiser(type)
        }
        return object
    }

    @inline(never)
    private final func misusedInitialiser(_ type: NSManagedObject.Type) -> Never {
        trap(
            "init(entity:insertInto:) of \(type) has to pass both arguments on to super.init, and "
                + "to make other objects of the context after that")
    }

    /// The runtime of the object that is being initialised, if it is the fault that was asked for
    /// and the runtime is known.
    // SAFETY: as for `runtimeReference(for:)`.
    @inline(__always)
    final func takeKnownFaultRequest(
        of entity: NSEntityDescription
    ) -> Unmanaged<EntityRuntime>? {
        guard let known = making.knownRuntime,
            known._withUnsafeGuaranteedRef({ $0.description === entity }),
            takeFaultRequest(of: entity)
        else { return nil }
        return known
    }

    /// Whether the object that is being initialised is the fault that was asked for.
    @inline(__always)
    final func takeFaultRequest(of entity: NSEntityDescription) -> Bool {
        guard making.faultRequest.entity == FaultRequest.address(of: entity) else { return false }
        making.faultRequest.entity = 0
        return true
    }
}
