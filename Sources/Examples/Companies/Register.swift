// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Who works where: the questions and changes of the tutorial.
struct Register {
    let moc: NSManagedObjectContext

    /// Founds a company; the register saves nothing by itself.
    @discardableResult
    func found(_ name: String, on date: Date? = nil) -> CompanyMO {
        let company = CompanyMO(context: moc)
        company.name = name
        company.founded = date
        return company
    }

    /// Adds a worker, who starts at a company or without one.
    @discardableResult
    func hire(_ name: String, salary: Double, at company: CompanyMO? = nil) -> WorkerMO {
        let worker = WorkerMO(context: moc)
        worker.name = name
        worker.salary = salary
        worker.company = company
        return worker
    }

    /// The company of a name.
    func company(_ name: String) throws -> CompanyMO? {
        let request = NSFetchRequest<CompanyMO>(entityName: "CompanyMO")
        request.predicate = NSPredicate(format: "name == %@", name)
        request.fetchLimit = 1
        return try moc.fetch(request).first
    }

    /// The people without a company, by name.
    func unemployed() throws -> [WorkerMO] {
        let request = NSFetchRequest<WorkerMO>(entityName: "WorkerMO")
        request.predicate = NSPredicate(format: "company == nil")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try moc.fetch(request)
    }

    /// A company with its people, best paid first.
    func describe(_ company: CompanyMO) -> String {
        let workers = company.workers.sorted { ($1.salary, $0.name) < ($0.salary, $1.name) }
        let names = workers.map { "\($0.name) (\(Int($0.salary)))" }.joined(separator: ", ")
        return "\(company.name): \(names.isEmpty ? "nobody" : names)"
    }
}
