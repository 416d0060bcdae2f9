// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// The kinds of requests, with Core Data's raw values.
public enum NSPersistentStoreRequestType: UInt, Sendable {
    /// A fetch.
    case fetchRequestType = 1
    /// A save.
    case saveRequestType = 2
    /// A batch insertion.
    case batchInsertRequestType = 5
    /// A batch update.
    case batchUpdateRequestType = 6
    /// A batch deletion.
    case batchDeleteRequestType = 7
}

/// A request of any kind to a store.
///
/// One of the subclasses of this module; a request of another class fails with 134091.
open class NSPersistentStoreRequest: NSObject, NSCopying {
    /// The stores that the request goes to; all of the coordinator's without a list.
    open var affectedStores: [NSPersistentStore]? {
        get { statedStores }
        set { statedStores = newValue }
    }
    // SAFETY: one thread at a time uses a request, and only the accessors, which take or replace
    // the whole list: no other access overlaps one of theirs.
    @exclusivity(unchecked) private final var statedStores: [NSPersistentStore]?

    /// Makes a request.
    public override init() {
        super.init()
    }

    /// The kind of request.
    open var requestType: NSPersistentStoreRequestType {
        trap("\(type(of: self)) does not say which kind of request it is")
    }

    /// A new request with the same settings, as the class of this module that it is of.
    ///
    /// Handlers are shared. A class that inherits from this one itself has to override the method,
    /// or it traps.
    open func copy(with zone: NSZone? = nil) -> Any {
        require(
            type(of: self) == NSPersistentStoreRequest.self,
            "\(type(of: self)) does not say how it is copied; override copy(with:)")
        let copy = NSPersistentStoreRequest()
        copy.affectedStores = affectedStores
        return copy
    }

    /// Runs the request; overridden by each kind of request.
    func run(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        throw CoreDataError.make(
            .persistentStoreUnsupportedRequestType,
            "a store cannot run a \(type(of: self)); use a fetch or a batch request")
    }
}

/// The result of a request; each kind of request has a subclass.
open class NSPersistentStoreResult: NSObject {}
