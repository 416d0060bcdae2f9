// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import Foundation
import ManagedObjects
import Schema
import Worlds

/// Managed objects of game objects that are despawned.
extension WorldFile {
    func didDespawn(_ object: GameObjectID) {
        let key = ObjectKey(rawValue: object.rawValue)
        guard deferredDeletions == nil else {
            deferredDeletions?.append(key)
            return
        }
        delete(key)
    }

    private func delete(_ key: ObjectKey) {
        // Whoever despawns has nobody to throw to.
        do { try deleteManaged(key) } catch { undeleted.append(key) }
    }

    private func deleteManaged(_ key: ObjectKey) throws {
        if let managed = try context.existingObject(for: key) { context.delete(managed) }
    }

    /// Deletes what could not be deleted before, unless the game object has come back.
    func deleteUndeleted() throws {
        while let key = undeleted.last {
            // Hooks of the object may add others behind it.
            let place = undeleted.count - 1
            if !world.isAlive(GameObjectID(rawValue: key.rawValue)) { try deleteManaged(key) }
            undeleted.remove(at: place)
        }
    }

    /// Deletes the managed objects of what a rollback has despawned.
    func deleteDeferred() {
        let keys = deferredDeletions ?? []
        deferredDeletions = nil
        for key in keys { delete(key) }
    }
}

/// Game objects whose managed objects are deleted.
///
/// Like any deletion, it can be taken back until it is saved, by undoing, by a rollback or by a
/// merge policy. So the world has the game object up to the commit, which takes it out together
/// with the object. Only managed objects that go along with it are deleted at once, as by a cascade
/// of their own relationships: then one undoing brings all of them back.
extension WorldFile {
    func propagateDeletion(of object: NSManagedObject) {
        guard let key = object.mainStoreKey else { return }
        var waiting = [GameObjectID(rawValue: key.rawValue)]
        var known = Set(waiting)
        while let target = waiting.popLast() {
            for source in world.directCompanions(of: target) where known.insert(source).inserted {
                // The save looks for what goes along again, and throws what it cannot read.
                do { if try !deleteCompanion(source) { waiting.append(source) } } catch { continue }
            }
        }
    }

    /// Deletes the managed object of a game object that goes along with another one.
    ///
    /// - Returns: Whether there is one: what goes along with that is found when it is propagated
    ///   itself.
    private func deleteCompanion(_ object: GameObjectID) throws -> Bool {
        let key = ObjectKey(rawValue: object.rawValue)
        if context.changedObject(for: key)?.isDeleted == true { return true }
        guard let managed = try context.existingObject(for: key) else { return false }
        context.delete(managed)
        return true
    }

    /// Whether the context is about to delete managed game objects.
    var deletesGameObjects: Bool {
        context.hasUnsavedDeletions && context.unsavedDeletions.contains { id(of: $0) != nil }
    }

    /// The ID of a managed game object, whatever class the model has for it.
    private func id(of object: NSManagedObject) -> GameObjectID? {
        guard let key = object.mainStoreKey, key.entity.rawValue == world.entity else { return nil }
        return GameObjectID(rawValue: key.rawValue)
    }

    /// Notes a managed object that the world has and no file yet.
    func noteUnsaved(_ object: GameObjectID) { unsavedObjects.insert(object) }

    /// What a save would take out of the world as it is now.
    var pendingDepartures: Departures {
        world.departures(of: deletedObjects + forgottenObjects)
    }

    /// The game objects whose saved managed objects are deleted.
    private var deletedObjects: [GameObjectID] {
        guard context.hasUnsavedDeletions else { return [] }
        return context.unsavedDeletions.compactMap(id)
    }

    /// The game objects whose managed objects were deleted before they were saved.
    private var forgottenObjects: [GameObjectID] {
        unsavedObjects.filter { !context.isInserted(ObjectKey(rawValue: $0.rawValue)) }
    }

    /// Finds what goes with deleted objects, and deletes the managed objects among it.
    ///
    /// - Throws: 1600 if the rule of a relationship denies it; what reading an object throws.
    func findDepartures() throws {
        let saved = world.departures(of: deletedObjects)
        let forgotten = forgottenObjects
        let all = forgotten.isEmpty ? saved : pendingDepartures
        // An object that was never saved leaves no trace, whatever the rule says.
        let denials = world.denials(of: saved, among: all)
        if let link = denials.first { throw denial(link, denials.count) }
        for object in all.companions { try deleteManaged(ObjectKey(rawValue: object.rawValue)) }
        departures = all
    }

    private func denial(_ link: AnyLink, _ count: Int) -> CocoaError {
        let others = count > 1 ? ", as do \(count - 1) other links" : ""
        var info: [String: Any] = [NSValidationKeyErrorKey: link.kind]
        // One that has no managed object goes along with another one.
        info[NSValidationObjectErrorKey] = context.unsavedDeletions.first {
            $0.mainStoreKey?.rawValue == link.target.rawValue
        }
        return CoreDataError.make(
            .validationRelationshipDeniedDelete,
            "the game object \(link.target) cannot be deleted: \(link.kind) of \(link.source) "
                + "leads to it and denies that\(others); end the relationship, or delete both",
            info)
    }
}
