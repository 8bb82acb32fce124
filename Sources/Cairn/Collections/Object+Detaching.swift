extension ThreadConfined where Self: ObjectBase {
    /// An unmanaged copy of the object, with copies of all objects that it leads to: what cycles and shared
    /// objects are in the original they are in the copy. Links that lead backwards are empty.
    ///
    /// The copy is a value of its own: it belongs to no place and knows nothing of later changes. Of an
    /// unmanaged object it is a copy too. A deleted object cannot be copied: that is misuse.
    ///
    /// - Complexity: O(objects that it leads to), whole: of a graph in which everything is linked, everything.
    public func detached() -> Self {
        let copies = ObjectCopies(for: nil)
        return copies.detached(self)
    }
}

extension RealmCollection where Element: ObjectBase {
    /// Unmanaged copies of the objects, as `Object.detached()` makes them. An object that several lead to, or
    /// that is there twice, is copied once.
    public func detached() -> [Element] {
        let copies = ObjectCopies(for: nil)
        // A loop may use an instance again for the next row; what is copied must be told apart.
        return (0..<count).map { copies.detached(self[$0]) }
    }
}

extension ObjectCopies {
    fileprivate func detached<Original: ObjectBase>(_ original: Original) -> Original {
        if let known = copy(of: original) as? Original { return known }
        let model = ObjectModelReader.model(of: original)
        guard original.isValid, let copy = model.type.init() as? Original else {
            Misuse.report(original.deletedError(nil), original.session)
            return Original()
        }
        note(copy, of: original)
        ObjectBuilder.fill(copy, from: original, _ObjectBuilding(copies: self), self)
        ObjectBuilder.fillPending(self)
        if let fault { Misuse.report(fault, original.session) }
        return copy
    }
}
