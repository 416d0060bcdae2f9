// SPDX-License-Identifier: Apache-2.0

import CoreData

/// A company and the people who work there.
final class CompanyMO: NSManagedObject {
    @Managed var name: String
    @Managed var founded: Date?
    @Managed var workers: Set<WorkerMO>

    /// The one description of the entity: the model lists it, and relationships lead to it.
    static let entityDescription: NSEntityDescription = {
        let description = NSEntityDescription(from: CompanyMO.self)
        description.addProperty(
            NSAttributeDescription(name: "name", ofType: .stringAttributeType))
        description.addProperty(
            NSAttributeDescription(name: "founded", ofType: .dateAttributeType, isOptional: true))
        return description
    }()
}
