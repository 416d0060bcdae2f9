// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Refreshing one side of a relationship that has unsaved changes: both sides agree in the file.
@Suite(.inBothPlaces) struct RefreshRelationshipTests {
    private let stack: Stack
    private let context: NSManagedObjectContext
    private let ann: NSManagedObject
    private let sales: NSManagedObject

    init() throws {
        stack = try Stack(PeopleModel.make())
        context = stack.context
        ann = context.make("Person", ["name": "Ann"])
        sales = context.make("Department", ["name": "sales"])
        try context.save()
    }

    /// The links of the file, from both sides.
    private func stored() throws -> [String] {
        let reader = stack.container.newBackgroundContext()
        var links: [String] = []
        for (entity, relationships) in [
            ("Person", ["department", "passport", "tags"]), ("Department", ["employees"]),
            ("Passport", ["holder"]), ("Tag", ["people"]),
        ] {
            for object in try reader.all(entity) {
                for relationship in relationships {
                    for id in object.objectIDs(forRelationshipNamed: relationship) {
                        let name = reader.object(with: id).text("name")
                        links.append("\(object.text("name")).\(relationship)=\(name)")
                    }
                }
            }
        }
        return links.sorted()
    }

    /// A new object that Ann leads to by a relationship; saved.
    private func partner(by relationship: String) throws -> NSManagedObject {
        let entity = ["tags": "Tag", "passport": "Passport"][relationship] ?? "Department"
        let partner = context.make(entity, ["name": "x"])
        ann.setValue(
            relationship == "tags" ? [partner] as Set : partner as Any, forKey: relationship)
        try context.save()
        return partner
    }

    /// Ann has a link that is taken away here, and that others end by changing or deleting her.
    @Test(arguments: ["tags", "department", "passport"], [false, true])
    func what_others_have_ended_does_not_come_back(
        _ relationship: String, _ isDeleted: Bool
    ) throws {
        let partner = try partner(by: relationship)
        ann.setValue(nil, forKey: relationship)
        let other = stack.container.newBackgroundContext()
        let theirs = try other.existingObject(with: ann.objectID)
        if isDeleted { other.delete(theirs) } else { theirs.setValue(nil, forKey: relationship) }
        try other.save()
        context.refresh(partner, mergeChanges: true)
        context.refresh(ann, mergeChanges: false)
        context.make("Tag", ["name": "more"])
        try context.save()
        #expect(try stored() == [])
        try stack.reopenChecked()
    }

    @Test(arguments: ["tags", "department", "passport"], [false, true])
    func what_a_parent_has_ended_does_not_come_back_in_a_child(
        _ relationship: String, _ isDeleted: Bool
    ) throws {
        let partner = try partner(by: relationship)
        let child = Stack.child(of: context)
        let theirs = try child.existingObject(with: ann.objectID)
        let theirPartner = try child.existingObject(with: partner.objectID)
        theirs.setValue(nil, forKey: relationship)
        if isDeleted { context.delete(ann) } else { ann.setValue(nil, forKey: relationship) }
        context.processPendingChanges()
        child.refresh(theirPartner, mergeChanges: true)
        child.refresh(theirs, mergeChanges: false)
        child.make("Tag", ["name": "more"])
        try child.save()
        try context.save()
        #expect(try stored() == [])
        try stack.reopenChecked()
    }

    @Test func the_destination_loses_what_was_not_saved() throws {
        ann.setValue(sales, forKey: "department")
        context.refresh(ann, mergeChanges: false)
        #expect(ann.isFault && !ann.hasChanges)
        #expect(ann.one("department") == nil && sales.many("employees").isEmpty)
        try context.save()
        #expect(try stored() == [])
    }

    @Test func the_former_destination_has_it_again() throws {
        ann.setValue(sales, forKey: "department")
        try context.save()
        ann.setValue(context.make("Department", ["name": "new"]), forKey: "department")
        context.refresh(ann, mergeChanges: false)
        #expect(ann.one("department") === sales && sales.many("employees") == [ann])
        try context.save()
        #expect(try stored() == ["Ann.department=sales", "sales.employees=Ann"])
    }

    @Test func what_members_have_set_stays() throws {
        ann.setValue(sales, forKey: "department")
        sales.setValue("other", forKey: "name")
        context.refresh(sales, mergeChanges: false)
        #expect(sales.text("name") == "sales" && sales.hasChanges)
        #expect(ann.one("department") === sales && sales.many("employees") == [ann])
        try context.save()
        #expect(try stored() == ["Ann.department=sales", "sales.employees=Ann"])
        ann.setValue(nil, forKey: "department")
        context.refresh(sales, mergeChanges: false)
        #expect(sales.many("employees") == [ann] && ann.one("department") === sales)
        let other = context.make("Department", ["name": "other"])
        ann.setValue(other, forKey: "department")
        context.refresh(sales, mergeChanges: false)
        #expect(sales.many("employees").isEmpty && other.many("employees") == [ann])
        try context.save()
        #expect(try stored() == ["Ann.department=other", "other.employees=Ann"])
    }

    @Test func both_sides_of_many_go_back() throws {
        let (red, blue) = (context.make("Tag", ["name": "red"]), context.make("Tag", ["name": "b"]))
        ann.setValue(Set([red]), forKey: "tags")
        try context.save()
        ann.setValue(Set([blue]), forKey: "tags")
        context.refresh(ann, mergeChanges: false)
        #expect(ann.many("tags") == [red] && red.many("people") == [ann])
        #expect(blue.many("people").isEmpty)
        ann.setValue(Set([blue]), forKey: "tags")
        context.refresh(blue, mergeChanges: false)
        context.refresh(red, mergeChanges: false)
        try context.save()
        #expect(try stored() == ["Ann.tags=red", "red.people=Ann"])
    }

    @Test func a_partner_that_was_taken_stays_taken() throws {
        let passport = context.make("Passport", ["name": "p"])
        ann.setValue(passport, forKey: "passport")
        try context.save()
        let bob = context.make("Person", ["name": "Bob", "passport": passport])
        context.refresh(ann, mergeChanges: false)
        #expect(ann.one("passport") == nil && passport.one("holder") === bob)
        try context.save()
        #expect(try stored() == ["Bob.passport=p", "p.holder=Bob"])
        ann.setValue(passport, forKey: "passport")
        context.refresh(passport, mergeChanges: false)
        #expect(ann.one("passport") == nil && bob.one("passport") === passport)
        try context.save()
        #expect(try stored() == ["Bob.passport=p", "p.holder=Bob"])
    }

    @Test func a_deletion_that_is_dropped_gives_partners_their_side_back() throws {
        ann.setValue(sales, forKey: "department")
        try context.save()
        context.delete(ann)
        context.processPendingChanges()
        #expect(sales.many("employees").isEmpty)
        context.refresh(ann, mergeChanges: false)
        #expect(!ann.isDeleted && sales.many("employees") == [ann])
        try context.save()
        #expect(try stored() == ["Ann.department=sales", "sales.employees=Ann"])
    }

    @Test func a_deleted_partner_stays_gone() throws {
        ann.setValue(sales, forKey: "department")
        try context.save()
        context.delete(sales)
        context.processPendingChanges()
        context.refresh(ann, mergeChanges: false)
        #expect(ann.one("department") == nil)
        try context.save()
        #expect(try stored() == [])
    }

    @Test(arguments: [NSMergePolicy.overwrite, .rollback])
    func policies_leave_no_link_to_what_is_gone(_ policy: NSMergePolicy) throws {
        context.mergePolicy = policy
        ann.setValue(context.make("Passport", ["name": "p"]), forKey: "passport")
        ann.setValue(sales, forKey: "department")
        let other = context.make("Department", ["name": "other"])
        try context.save()
        _ = (ann.text("name"), sales.text("name"), sales.many("employees"))
        let theirs = stack.container.newBackgroundContext()
        let passport = try #require(try theirs.named("p", "Passport"))
        passport.one("holder")?.setValue(40, forKey: "age")
        theirs.delete(passport)
        try theirs.named("sales", "Department")?.setValue("theirs", forKey: "name")
        try theirs.save()
        ann.setValue("Anne", forKey: "name")
        sales.setValue("mine", forKey: "name")
        ann.setValue(other, forKey: "department")
        try context.save()
        let links =
            policy == .overwrite
            ? ["Anne.department=other", "other.employees=Anne"]
            : ["Ann.department=theirs", "theirs.employees=Ann"]
        #expect(try stored() == links)
    }
}
