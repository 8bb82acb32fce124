import CairnQuery
import Testing

@Suite struct QueryLimitsTests {
    @Test func `a membership test of a few values needs no set`() {
        #expect(QueryLimits.linearMembershipCount > 0)
    }
}
