// SPDX-License-Identifier: Apache-2.0

@_exported import ECS
@_exported import LibraryImport
@_exported import ManagedObjects

/// The expression class that programs can create: on Linux Foundation's class of that name cannot
/// be created.
///
/// A file that imports Foundation by itself says which one it means with
/// `import class Lode.NSExpression`.
public typealias NSExpression = ManagedObjects.NSExpression
