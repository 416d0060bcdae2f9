// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Traps

/// The classes of stores that programs have registered.
enum RegisteredStores {
    private static let builtIn = [NSSQLiteStoreType, NSInMemoryStoreType, LodeStoreType]
    // Programs register on any thread.
    private static let classes = Mutex<[String: NSPersistentStore.Type]>([:])

    static func storeClass(for type: String) -> NSPersistentStore.Type? {
        classes.withLock { $0[type] }
    }

    static var all: [String: AnyClass] {
        var result: [String: AnyClass] = classes.withLock { $0 }
        for type in builtIn { result[type] = NSPersistentStore.self }
        return result
    }

    static func set(_ storeClass: AnyClass?, for type: String) {
        require(
            !builtIn.contains(type), "\(type) is a type of the library's own; choose another name")
        guard let storeClass else { return classes.withLock { $0[type] = nil } }
        guard let subclass = storeClass as? NSPersistentStore.Type,
            subclass is NSAtomicStore.Type || subclass is NSIncrementalStore.Type
        else {
            trap(
                "\(storeClass) must be a subclass of NSAtomicStore or NSIncrementalStore")
        }
        classes.withLock { $0[type] = subclass }
    }
}

extension NSPersistentStoreCoordinator {
    /// The classes of all types of stores; those of the library's own are `NSPersistentStore`.
    public class var registeredStoreTypes: [String: AnyClass] { RegisteredStores.all }

    /// Has stores of a type made of a class, or with nil no longer.
    ///
    /// Traps for a class that is no subclass of ``NSAtomicStore`` or ``NSIncrementalStore``, and
    /// for a type of the library's own.
    public class func registerStoreClass(
        _ storeClass: AnyClass?, forStoreType storeType: String
    ) {
        RegisteredStores.set(storeClass, for: storeType)
    }

    /// Has stores of a type made of a class, or with nil no longer.
    public class func registerStoreClass(
        _ storeClass: AnyClass?, type: NSPersistentStore.StoreType
    ) {
        RegisteredStores.set(storeClass, for: type.rawValue)
    }
}
