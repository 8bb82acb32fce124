internal import CairnPredicate
public import Foundation

// Foundation's macro #Predicate knows localizedStandardContains, and Foundation on Linux has not what it
// makes of it.

extension PredicateExpressions {
    /// `text.localizedStandardContains(other)`: whether a text has another in it, whatever their capitals
    /// and diacritical marks. In a query it is `CONTAINS[cd]`.
    public struct StandardContains<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        public typealias Output = Bool

        public let root: Root
        public let other: Other

        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try root.evaluate(bindings).localizedStandardContains(try other.evaluate(bindings))
        }
    }

    /// For the macro `#Predicate`.
    @_disfavoredOverload
    public static func build_localizedStandardContains<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StandardContains<Root, Other> {
        StandardContains(root: root, other: other)
    }
}

extension PredicateExpressions.StandardContains: Sendable where Root: Sendable, Other: Sendable {}

extension PredicateExpressions.StandardContains: Codable where Root: Codable, Other: Codable {}

extension PredicateExpressions.StandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StandardContains: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        try translator.text(root, .contains, other, [.caseInsensitive, .diacriticInsensitive])
    }
}
