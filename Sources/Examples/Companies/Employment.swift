// SPDX-License-Identifier: Apache-2.0

import CoreData

/// The relationship between a company and its workers, and the model that it completes.
enum Employment {
    /// The model of both classes, made once: a description belongs to one model.
    static let model: NSManagedObjectModel = {
        let (company, worker) = (CompanyMO.entityDescription, WorkerMO.entityDescription)
        let workers = NSRelationshipDescription()
        workers.name = "workers"
        workers.destinationEntity = worker
        workers.minCount = 0
        workers.maxCount = 0
        workers.deleteRule = .nullifyDeleteRule
        let employer = NSRelationshipDescription()
        employer.name = "company"
        employer.destinationEntity = company
        employer.minCount = 0
        employer.maxCount = 1
        employer.deleteRule = .nullifyDeleteRule
        (workers.inverseRelationship, employer.inverseRelationship) = (employer, workers)
        company.addProperty(workers)
        worker.addProperty(employer)
        let model = NSManagedObjectModel()
        model.entities = [company, worker]
        return model
    }()

    /// Opens a file of companies, creating it if need be.
    static func open(_ url: URL) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Companies", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }
}
