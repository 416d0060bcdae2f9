// SPDX-License-Identifier: Apache-2.0

import CoreData

@main
struct Main {
    static func main() throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("Companies-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let container = try Employment.open(directory.appendingPathComponent("companies.lode"))
        let register = Register(moc: container.viewContext)

        let mill = register.found("Mill")
        let forge = register.found("Forge")
        register.hire("Ada", salary: 5_200, at: mill)
        let grace = register.hire("Grace", salary: 6_100, at: mill)
        register.hire("Linus", salary: 4_700)
        try register.moc.save()
        print(register.describe(mill))

        // Setting one side moves the worker from one company's set to the other's.
        grace.company = forge
        print(register.describe(mill))
        print(register.describe(forge))

        // The delete rule nullifies: the people stay.
        register.moc.delete(forge)
        try register.moc.save()
        let names = try register.unemployed().map(\.name)
        print("without a company: \(names.joined(separator: ", "))")
    }
}
