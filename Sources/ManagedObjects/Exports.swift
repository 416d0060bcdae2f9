// SPDX-License-Identifier: Apache-2.0

// The codes and names of the errors that Core Data throws.
@_exported import CocoaErrors
// As `import CoreData` does on Apple's systems: its API is made of Foundation's types.
@_exported import Foundation
// On Apple's systems Foundation has the undo manager.
@_exported import Undo
// What NSPredicate.parse(_:arguments:) throws, which a program has to be able to name.
@_exported import struct Predicates.PredicateSyntaxError
