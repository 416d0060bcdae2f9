// SPDX-License-Identifier: Apache-2.0

/// One section of a controller's results, as it is when it is asked.
public protocol NSFetchedResultsSectionInfo {
    /// The value of the section key path, as text.
    var name: String { get }
    /// The title in an index of the sections.
    var indexTitle: String? { get }
    /// The number of objects.
    var numberOfObjects: Int { get }
    /// The objects in order; nil once the controller is gone.
    ///
    /// - Complexity: O(objects of the section), with each call.
    var objects: [Any]? { get }
}

/// What happened to an object or to a section, with Core Data's raw values.
public enum NSFetchedResultsChangeType: UInt, Sendable {
    /// It is new among the results.
    case insert = 1
    /// It is no longer among the results.
    case delete = 2
    /// It changed, and stands elsewhere; never of a section.
    case move = 3
    /// It changed where it stands; never of a section.
    case update = 4
}
