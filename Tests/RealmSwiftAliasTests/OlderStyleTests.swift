import Foundation
import RealmSwift
import Testing

/// Models that name their keys in class functions.
struct OlderStyleTests {
    private func makeRealm() throws -> Realm {
        try Realm(configuration: .forTest([Contact.self, Company.self]))
    }

    @Test func `contacts are made from dictionaries and found by their key`() throws {
        let realm = try makeRealm()
        try realm.write {
            realm.create(
                Contact.self,
                value: ["email": "ada@example.org", "name": "Ada", "employer": ["name": "Engines"]])
            realm.create(Contact.self, value: Contact(value: ["email": "bob@example.org", "name": "Bob"]))
        }
        let ada = try #require(realm.object(ofType: Contact.self, forPrimaryKey: "ada@example.org"))
        #expect(ada.employer?.name == "Engines")
        #expect(ada.nickname == nil)
        let company = try #require(realm.object(ofType: Company.self, forPrimaryKey: "Engines"))
        #expect(company.employees.map(\.name) == ["Ada"])

        try realm.write {
            realm.create(
                Contact.self, value: ["email": "ada@example.org", "nickname": "Countess"], update: .modified)
        }
        #expect(ada.name == "Ada")
        #expect(ada.nickname == "Countess")
        #expect(ada.employer == company)
    }

    @Test func `the schema says what the class functions do`() throws {
        let realm = try makeRealm()
        let schema = try #require(realm.schema["Contact"])
        #expect(schema.primaryKeyProperty?.name == "email")
        #expect(schema["name"]?.isIndexed == true)
        #expect(schema.properties.map(\.name) == ["email", "name", "nickname", "employer"])
        #expect(schema["employer"]?.objectClassName == "Company")
    }

    @Test func `properties that are not stored belong to the instance`() throws {
        let realm = try makeRealm()
        let contact = Contact(value: ["email": "x@example.org"])
        contact.isSelected = true
        try realm.write { realm.add(contact) }
        #expect(contact.isSelected)
        #expect(realm.objects(Contact.self)[0].isSelected == false)
    }

    @Test func `values by their names`() throws {
        let realm = try makeRealm()
        let contact = Contact(value: ["x@example.org", "X"])
        try realm.write { realm.add(contact) }
        #expect(contact["name"] as? String == "X")
        #expect(contact.value(forKey: "nickname") == nil)
        try realm.write { contact.setValue("Xa", forKey: "nickname") }
        #expect(contact.nickname == "Xa")
        #expect(contact.objectSchema.className == "Contact")
    }
}
