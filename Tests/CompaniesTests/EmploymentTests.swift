// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

@testable import Companies

/// The tutorial's program, used as its readers use it.
@Suite struct EmploymentTests {
    private let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("EmploymentTests-\(UUID().uuidString)")
    private var url: URL { directory.appendingPathComponent("companies.lode") }

    private func withRegister(_ body: (Register) throws -> Void) throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let container = try Employment.open(url)
        let register = Register(moc: container.viewContext)
        let mill = register.found("Mill", on: Date(timeIntervalSinceReferenceDate: 86_400))
        register.hire("Ada", salary: 5_200, at: mill)
        register.hire("Grace", salary: 6_100, at: mill)
        register.hire("Linus", salary: 4_700)
        try register.moc.save()
        try body(register)
    }

    @Test func each_class_keeps_one_description_that_both_sides_share() throws {
        try withRegister { register in
            let entities = try #require(
                register.moc.persistentStoreCoordinator?.managedObjectModel.entitiesByName)
            #expect(entities["CompanyMO"] === CompanyMO.entityDescription)
            #expect(entities["WorkerMO"] === WorkerMO.entityDescription)
            let workers = try #require(
                CompanyMO.entityDescription.relationshipsByName["workers"])
            let company = try #require(WorkerMO.entityDescription.relationshipsByName["company"])
            #expect(workers.destinationEntity === WorkerMO.entityDescription)
            #expect(company.destinationEntity === CompanyMO.entityDescription)
            #expect(workers.inverseRelationship === company)
            #expect(company.inverseRelationship === workers)
            #expect(workers.isToMany)
            #expect(!company.isToMany)
        }
    }

    @Test func helpers_describe_what_they_are_told() {
        let entity = NSEntityDescription(from: WorkerMO.self)
        #expect(entity.name == "WorkerMO")
        #expect(entity.managedObjectClassName == NSStringFromClass(WorkerMO.self))
        let note = NSAttributeDescription(
            name: "note", ofType: .stringAttributeType, isOptional: true)
        entity.addProperty(note)
        #expect(entity.properties.map(\.name) == ["note"])
        #expect(note.attributeType == .stringAttributeType)
        #expect(note.isOptional)
        #expect(!NSAttributeDescription(name: "age", ofType: .integer16AttributeType).isOptional)
    }

    @Test func finds_a_company_and_its_workers_after_reopening() throws {
        try withRegister { _ in
            let again = Register(moc: try Employment.open(url).viewContext)
            let mill = try #require(try again.company("Mill"))
            #expect(again.describe(mill) == "Mill: Grace (6100), Ada (5200)")
            #expect(mill.founded == Date(timeIntervalSinceReferenceDate: 86_400))
            #expect(try again.unemployed().map(\.name) == ["Linus"])
            #expect(try again.company("Forge") == nil)
        }
    }

    @Test func a_worker_has_one_company_or_none() throws {
        try withRegister { register in
            let mill = try #require(try register.company("Mill"))
            let forge = register.found("Forge")
            let grace = try #require(mill.workers.first { $0.name == "Grace" })
            grace.company = forge
            #expect(register.describe(mill) == "Mill: Ada (5200)")
            #expect(register.describe(forge) == "Forge: Grace (6100)")
            mill.addToWorkers(grace)
            #expect(grace.company === mill)
            #expect(register.describe(forge) == "Forge: nobody")
            mill.removeFromWorkers(grace)
            #expect(grace.company == nil)
            try register.moc.save()
            #expect(try register.unemployed().map(\.name) == ["Grace", "Linus"])
        }
    }

    @Test func workers_outlive_their_company() throws {
        try withRegister { register in
            register.moc.delete(try #require(try register.company("Mill")))
            try register.moc.save()
            #expect(try register.unemployed().map(\.name) == ["Ada", "Grace", "Linus"])
        }
    }

    @Test func a_company_without_name_is_refused() throws {
        try withRegister { register in
            _ = CompanyMO(context: register.moc)
            let error = #expect(throws: CocoaError.self) { try register.moc.save() }
            #expect(error?.code.rawValue == NSValidationMissingMandatoryPropertyError)
            #expect(register.moc.insertedObjects.count == 1)
        }
    }
}
