internal import Foundation

/// The text that `description` gives, in Realm's form. Never fails.
enum ObjectDescription {
    /// How deep linked objects are shown.
    static let maximumDepth = 5
    /// How many bytes of binary data are shown.
    static let maximumByteCount = 24

    static func text(
        of object: ObjectBase, depth: Int = maximumDepth, _ room: DescriptionRoom = DescriptionRoom()
    ) -> String {
        let name = object.storedClassName
        guard depth > 0 else { return "<Maximum depth exceeded>" }
        guard room.takeObject() else { return "<Maximum number of objects exceeded>" }
        guard object.isValid else { return "[invalid object]" }
        if let session = object.session, !session.isFrozen, !session.confinement.isHere {
            return "[\(name) of another thread]"
        }
        let model = ObjectModelReader.model(of: object)
        var lines: [String] = []
        for (ordinal, property) in model.properties.enumerated() where !property.schema.isComputed {
            let value = object.anyValue(ordinal, model)
            lines.append("\t\(property.schema.name) = \(text(of: value, depth: depth, room));")
        }
        return "\(name) {\n" + lines.joined(separator: "\n") + "\n}"
    }

    static func text(of value: Any?, depth: Int, _ room: DescriptionRoom) -> String {
        switch value {
        case nil: return "(null)"
        case let object as ObjectBase: return indented(text(of: object, depth: depth - 1, room))
        case let data as Data: return text(of: data)
        case let collection as any DescribedCollection:
            return indented(collection.text(depth: depth - 1, room))
        case let value?: return "\(value)"
        }
    }

    static func text(of data: Data) -> String {
        let shown = data.prefix(maximumByteCount).map { String(format: "%02x", $0) }.joined()
        return data.count > maximumByteCount ? "<\(shown)... \(data.count) total bytes>" : "<\(shown)>"
    }

    private static func indented(_ text: String) -> String { text.replacing("\n", with: "\n\t") }
}

/// A collection that is shown inside of objects.
protocol DescribedCollection {
    func text(depth: Int, _ room: DescriptionRoom) -> String
}

/// How many objects one text may still show. Depth alone is no bound: where each of a hundred objects
/// leads to all of them, five deep is ten thousand million.
final class DescriptionRoom {
    private var objectCount = 500

    /// Whether there is room for one more.
    func takeObject() -> Bool {
        guard objectCount > 0 else { return false }
        objectCount -= 1
        return true
    }
}
