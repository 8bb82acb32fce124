import CairnQuery
import Testing

@Suite struct NearestNameTests {
    @Test(arguments: [("agee", "age"), ("nmae", "name"), ("NAME", "name"), ("ownr", "owner")])
    func `a misspelt name finds the property`(_ given: String, _ meant: String) {
        #expect(NearestName.find(given, in: ["age", "name", "owner", "weight"]) == meant)
    }

    @Test func `a name that is like none finds none`() {
        #expect(NearestName.find("colour", in: ["age", "name"]) == nil)
        #expect(NearestName.find("x", in: []) == nil)
    }
}
