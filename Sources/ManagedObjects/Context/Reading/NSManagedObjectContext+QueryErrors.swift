// SPDX-License-Identifier: Apache-2.0

import Foundation
import Query
import Store

extension NSManagedObjectContext {
    /// Gives errors of planning and evaluation Core Data's code.
    final func mappingQueryErrors<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw CoreDataError.map(error)
        } catch {
            // As it is: caught as a `CocoaError`, an `NSError` of a store would lose its domain.
            if error is CocoaError { throw error }
            throw CoreDataError.make(
                .persistentStoreOperation, "\(error)", [NSUnderlyingErrorKey: error])
        }
    }
}
