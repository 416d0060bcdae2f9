// SPDX-License-Identifier: Apache-2.0

import CoreData

/// A person who works for one company or for none.
final class WorkerMO: NSManagedObject {
    @Managed var name: String
    @Managed var salary: Double
    @Managed var company: CompanyMO?

    /// The one description of the entity.
    static let entityDescription: NSEntityDescription = {
        let description = NSEntityDescription(from: WorkerMO.self)
        description.addProperty(
            NSAttributeDescription(name: "name", ofType: .stringAttributeType))
        description.addProperty(
            NSAttributeDescription(name: "salary", ofType: .doubleAttributeType))
        return description
    }()
}
