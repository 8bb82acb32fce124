internal import CairnPredicate
package import Foundation

extension StatedPredicate {
    /// What a predicate of Foundation's macro `#Predicate` states.
    ///
    /// - Throws: `misuse` for an expression that no query can say, with its name; `invalidValue` for a value
    ///   that none can take.
    package init<Element>(_ predicate: Foundation.Predicate<Element>) throws(RealmError) {
        var translator = PredicateTranslator(predicate.variable.key)
        condition = try translator.condition(predicate.expression)
        objects = translator.values.objects
    }
}
