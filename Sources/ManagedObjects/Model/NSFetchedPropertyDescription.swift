// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A property whose value is what a fetch finds: an array, made when it is first read.
///
/// ```swift
/// let equals = NSFetchedPropertyDescription()
/// equals.name = "equals"
/// equals.fetchRequest = NSFetchRequest(entityName: "Player")
/// equals.fetchRequest?.predicate = NSPredicate(format: "score == $FETCH_SOURCE.score")
/// player.properties.append(equals)
/// ```
///
/// The array stays until the object is refreshed or becomes a fault again, and cannot be set. The
/// request's predicate may name the object by `$FETCH_SOURCE`, with keys behind it as in
/// `year == $FETCH_SOURCE.year`, and this description by `$FETCHED_PROPERTY.name` and
/// `$FETCHED_PROPERTY.userInfo.key`.
///
/// It is read by key, or as a `@Managed` array of a class. Nothing of it is stored, so it does not
/// count in version hashes, and neither predicates nor sort descriptors can use it.
// SAFETY: as for the superclass; once the model is in use, the program leaves the request alone,
// too.
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
    /// What is fetched; it names an entity of the same model.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        get { request }
        set {
            checkMutable()
            request = newValue
        }
    }
    private var request: NSFetchRequest<any NSFetchRequestResult>?

    /// Makes an unnamed property without a request.
    public override init() {
        super.init()
    }

    /// Makes an editable copy with a request of its own.
    required public init(copying other: NSPropertyDescription) {
        super.init(copying: other)
        request = (other as? NSFetchedPropertyDescription)?.fetchRequest?.duplicate()
    }

    override func hasStructure(of other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSFetchedPropertyDescription else { return false }
        return super.hasStructure(of: other)
            && StructuralEquality.sameSearch(fetchRequest, other.fetchRequest)
    }

    /// Breaks the cycle of entity, property, request and entity, once the model goes.
    func releaseRequest() { request = nil }

    /// Refuses a request that names no entity of the model.
    func check() throws(ModelError) {
        let owner = "\(entity.name ?? "").\(name)"
        guard let fetchRequest else {
            throw ModelError("the fetched property \(owner) has no request; set fetchRequest")
        }
        let wanted = fetchRequest.entity?.name ?? fetchRequest.entityName
        guard let wanted, entity.model?.entitiesByName[wanted] != nil || entity.model == nil
        else {
            throw ModelError(
                "the request of the fetched property \(owner) is for \(wanted ?? "no entity"), "
                    + "which the model does not have")
        }
        guard entity.properties.allSatisfy({ $0 === self || $0.name != name }) else {
            throw ModelError("\(owner) is there twice; give the fetched property another name")
        }
    }
}
