// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What to load as a store: file, type and options.
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: url)
/// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
/// container.persistentStoreDescriptions = [description]
/// ```
open class NSPersistentStoreDescription: NSObject, NSCopying {
    /// The kind of store; a file unless said otherwise.
    open var type: String = NSSQLiteStoreType
    /// The file; `/dev/null` stands for a store in memory.
    open var url: URL?
    /// The name of a model configuration; nil for all entities.
    open var configuration: String?
    /// Whether ``NSPersistentContainer/loadPersistentStores(completionHandler:)`` returns early.
    open var shouldAddStoreAsynchronously = false
    /// Whether a file of another version of the model is migrated to this one; otherwise it is
    /// refused with 134100.
    ///
    /// An option of the same meaning among ``options`` comes first.
    open var shouldMigrateStoreAutomatically = true
    /// Whether a migration is inferred from the two models, which is the only kind there is here:
    /// without it a file that would be migrated is refused with 134140.
    ///
    /// An option of the same meaning among ``options`` comes first.
    open var shouldInferMappingModelAutomatically = true
    /// The options that the store is added with.
    open private(set) var options: [String: NSObject] = [:]
    /// SQLite's pragmas: kept for compatibility, as no store is an SQLite file.
    open private(set) var sqlitePragmas: [String: NSObject] = [:]

    /// Describes a store at a file.
    public init(url: URL) {
        self.url = url
        super.init()
    }

    /// Describes a store in memory.
    public convenience override init() {
        self.init(url: URL(fileURLWithPath: "/dev/null"))
    }

    /// Sets or, with nil, removes an option.
    open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

    /// Sets or, with nil, removes a pragma, which changes nothing.
    open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
        sqlitePragmas[name] = value
    }

    /// How long to wait for a store, in seconds: kept for compatibility, as opening never waits.
    open var timeout: TimeInterval {
        get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
        set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
    }

    /// A description with the same settings.
    open func copy(with zone: NSZone? = nil) -> Any {
        let result = NSPersistentStoreDescription()
        result.url = url
        result.type = type
        result.configuration = configuration
        result.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
        result.shouldMigrateStoreAutomatically = shouldMigrateStoreAutomatically
        result.shouldInferMappingModelAutomatically = shouldInferMappingModelAutomatically
        result.options = options
        result.sqlitePragmas = sqlitePragmas
        return result
    }

    /// Whether an object is a description with the same settings.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentStoreDescription else { return false }
        return url == other.url && type == other.type && configuration == other.configuration
            && shouldAddStoreAsynchronously == other.shouldAddStoreAsynchronously
            && shouldMigrateStoreAutomatically == other.shouldMigrateStoreAutomatically
            && shouldInferMappingModelAutomatically == other.shouldInferMappingModelAutomatically
            && options == other.options && sqlitePragmas == other.sqlitePragmas
    }

    /// Agrees with ``isEqual(_:)``; descriptions change, so do not keep them in sets meanwhile.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(url)
        hasher.combine(type)
        hasher.combine(configuration)
        return hasher.finalize()
    }

    /// Whether saves are refused.
    open var isReadOnly: Bool {
        get { (options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false }
        set { setOption(NSNumber(value: newValue), forKey: NSReadOnlyPersistentStoreOption) }
    }
}
