/// How far queries go.
package enum QueryLimits {
    /// Up to how many values IN compares one after the other; above it looks into a hash set.
    package static let linearMembershipCount = 8
}
