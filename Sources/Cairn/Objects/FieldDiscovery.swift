internal import CRuntime
@_spi(Reflection) import Swift

/// Finds the stored properties of a class by the metadata that the compiler leaves.
struct FieldDiscovery {
    struct Field {
        /// As it is written in the program, without the wrapper's underscore.
        let name: String
        let offset: Int
        let type: any PersistedProperty.Type
        let options: UInt8
        /// Of `LinkingObjects`.
        let originProperty: String?
    }

    private(set) var fields: [Field] = []
    /// Whether there are stored properties that are not `@Persisted`.
    private(set) var hasOwnFields = false

    /// - Throws: `fail` for a class that was built without reflection metadata.
    init(_ type: ObjectBase.Type) throws(RealmError) {
        // One instance, to ask the wrappers what they were declared with.
        let prototype = type.init()
        let base = Unmanaged.passUnretained(prototype).toOpaque()
        var found: [Field] = []
        var others = 0
        var end = 0
        _ = _forEachField(of: type, options: Self.classFields) { name, offset, fieldType, _ in
            end = max(end, offset)
            guard let wrapper = fieldType as? any PersistedProperty.Type else {
                others += 1
                return true
            }
            let options = (base + offset).load(fromByteOffset: 2, as: UInt8.self)
            found.append(
                Field(
                    name: Self.declaredName(String(cString: name)), offset: offset,
                    type: wrapper, options: options, originProperty: wrapper.originProperty(base + offset)))
            return true
        }
        withExtendedLifetime(prototype) {}
        fields = found
        hasOwnFields = others > Self.baseFieldCount
        let size = cairn_instance_size(unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self))
        if end == 0, size > Self.baseSize {
            throw RealmError(
                .fail,
                """
                The class '\(type.className())' was built without reflection metadata, so its properties \
                cannot be found. Build it without the compiler's option -disable-reflection-metadata.
                """, className: type.className())
        }
    }

    /// The name that a property was declared with, of the name in the metadata: that has the wrapper's underscore;
    /// and of a name in backticks with spaces or signs it has the backticks too, around the underscore, and spaces
    /// that do not break.
    private static func declaredName(_ label: String) -> String {
        var name = label
        if name.count > 2, name.hasPrefix("`"), name.hasSuffix("`") {
            name = String(name.dropFirst().dropLast()).replacing("\u{A0}", with: " ")
        }
        return name.hasPrefix("_") ? String(name.dropFirst()) : name
    }

    /// `.classType`, which the standard library declares as a variable.
    private static var classFields: _EachFieldOptions { _EachFieldOptions(rawValue: 1) }

    /// The stored properties of `ObjectBase` itself.
    private static let baseFieldCount: Int = {
        var count = 0
        _ = _forEachField(of: ObjectBase.self, options: classFields) { _, _, _, _ in
            count += 1
            return true
        }
        return count
    }()

    private static let baseSize = cairn_instance_size(
        unsafeBitCast(ObjectBase.self as AnyClass, to: UnsafeRawPointer.self))
}
