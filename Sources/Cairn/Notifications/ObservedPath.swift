internal import CairnStorage

/// A path of properties as the engine sees it, from the objects that are observed to a property of theirs or
/// of objects that they lead to.
struct ObservedPath {
    /// One property on the way.
    struct Step: Hashable {
        let table: SpaceID
        let column: ColumnID
        /// Where it leads; nil for a value.
        let target: SpaceID?
        /// Whether the column mirrors a link of the target.
        let isInverse: Bool
    }

    /// At least one.
    let steps: [Step]
    /// The name of the first property in the program.
    let firstName: String
}

/// Makes paths out of words.
struct ObservedPathReader {
    private let session: RealmSession

    init(_ session: RealmSession) {
        self.session = session
    }

    /// The paths that a text stands for: more than one where it has a `*`, which is every stored property of a
    /// class.
    ///
    /// - Throws: `misuse` where the class has no such property.
    func paths(_ text: String, from ordinal: Int) throws(RealmError) -> [ObservedPath] {
        let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return try paths(names[...], ordinal, [], "", text)
    }

    private func paths(
        _ names: ArraySlice<String>, _ ordinal: Int, _ before: [ObservedPath.Step], _ firstName: String,
        _ text: String
    ) throws(RealmError) -> [ObservedPath] {
        guard let name = names.first else { return [ObservedPath(steps: before, firstName: firstName)] }
        let properties = session.models[ordinal].schema.allProperties
        var result: [ObservedPath] = []
        for (place, property) in properties.enumerated() {
            guard name == "*" ? !property.isComputed : name == property.name else { continue }
            guard let step = step(ordinal, place) else { continue }
            let rest = names.dropFirst()
            let first = before.isEmpty ? property.name : firstName
            guard !rest.isEmpty else {
                result.append(ObservedPath(steps: before + [step], firstName: first))
                continue
            }
            guard let className = property.objectClassName, let target = session.ordinal(named: className)
            else {
                // Of a wildcard, what leads nowhere ends the path.
                if name == "*" { continue }
                throw Self.misfit(
                    text, "'\(name)' of '\(session.models[ordinal].schema.className)' leads to no object")
            }
            result += try paths(rest, target, before + [step], first, text)
        }
        if result.isEmpty, name != "*" {
            throw Self.misfit(text, "'\(session.models[ordinal].schema.className)' has no property '\(name)'")
        }
        return result
    }

    private func step(_ ordinal: Int, _ property: Int) -> ObservedPath.Step? {
        let access = session.handle(ordinal)
        let position = access.position(property)
        guard position >= 0 else { return nil }
        let column = access.table.definition.columns[position]
        return ObservedPath.Step(
            table: access.table.definition.space, column: column.id, target: column.target,
            isInverse: column.isHidden)
    }

    private static func misfit(_ text: String, _ reason: String) -> RealmError {
        RealmError(.misuse, "Invalid key path '\(text)' to be observed: \(reason).")
    }
}
