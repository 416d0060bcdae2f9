// SPDX-License-Identifier: Apache-2.0

import Foundation

enum Module {
    final class Tag: NSManagedObject {}
}

class Item: NSManagedObject {
    @Managed var name: String
    /// A comment, an attribute and line breaks.
    @available(*, deprecated)
    @Managed var /* why not */ legacy: String?  // the old one
    @Managed("countInModel") final var count: Int
    @Managed var `class`: String
    @Managed var `sort order`: Int
    @Managed var tags: Set<Module.Tag>
    @Managed var `default`: Set<Module.Tag>
    @Managed var owner: Item?
    @Managed private(set) var parts: Swift.Set<Item>?

    func addPart(_ item: Item) { addToParts(item) }
}

extension Item {
    /// Public.
    @Managed public var inPublic: String
    @Managed package var inPackage: Set<Item>
    @Managed internal var inInternal: Set<Item>
    @Managed fileprivate var inFileprivate: Set<Item>
    @Managed private var inPrivate: Set<Item>
    @Managed var loose: NSSet?
    @Managed var ordered: NSOrderedSet
    @Managed var maybeOrdered: Optional<NSOrderedSet>

    func touchPrivate() {
        addToInPrivate(self)
        inPrivate = inPrivate.union([self])
    }
}

final class SpecialItem: Item {
    @Managed var extra: Int
    @Managed override var name: String
    @Managed override var tags: Set<Module.Tag>
}

/// A class other modules may inherit from.
open class OpenItem: NSManagedObject {
    /// Open.
    @Managed open var title: String
    /// Public to read, private to change.
    @Managed public private(set) var log: Set<OpenItem>

    func record() { addToLog(self) }
}

@MainActor
final class ScreenItem: NSManagedObject {
    @Managed var title: String
    @Managed nonisolated var quiet: Set<ScreenItem>
}
