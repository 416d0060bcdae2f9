// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Worlds

/// What the history says of a world's components, by their Swift types.
///
/// ```swift
/// for transaction in transactions where transaction.author != "editor" {
///     for change in transaction.componentChanges ?? [] where change.isOf(Position.self) {
///         guard let object = change.gameObject else { continue }
///         print(object, world[object, Position.self] as Any)
///     }
/// }
/// ```
extension NSPersistentHistoryComponentChange {
    /// The ID of the game object in the world of its file, or of that which a link leads from;
    /// `nil` for a resource.
    public var gameObject: GameObjectID? {
        content.object.map { GameObjectID(rawValue: $0.rawValue) }
    }

    /// The ID of the game object that a link leads to; `nil` for components and resources.
    public var target: GameObjectID? {
        content.target.map { GameObjectID(rawValue: $0.rawValue) }
    }

    /// Whether a component of a type has changed, compared by the name in files.
    ///
    /// `Link<ChildOf>.self` and `Resource<Gravity>.self` stand for links and resources.
    public func isOf<C: NamedComponent>(_ type: C.Type) -> Bool {
        componentName == C.componentName
    }

    /// Whether it is about a game object itself, which was spawned or despawned.
    public var isOfGameObject: Bool { componentName == World.aliveName }
}
