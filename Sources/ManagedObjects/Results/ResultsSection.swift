// SPDX-License-Identifier: Apache-2.0

/// A section of a controller, the same one for as long as it has objects.
final class ResultsSection: NSFetchedResultsSectionInfo {
    let name: String
    var numberOfObjects = 0
    var index = -1
    /// The position of its first object.
    var start = 0
    private weak var owner: ResultsCore?

    init(_ name: String, _ owner: ResultsCore) {
        self.name = name
        self.owner = owner
    }

    var indexTitle: String? { owner?.indexTitle(of: name) }

    var objects: [Any]? {
        owner?.arrangement?.list.objects(in: start..<start + numberOfObjects)
    }
}
