// Values.
extension PredicatePrinter {
    mutating func write(_ literal: Literal) {
        switch literal {
        case _ where style == .templated:
            text += "%@"
            arguments.append(literal)
        case .null: text += "NULL"
        case .bool(let value): text += value ? "TRUE" : "FALSE"
        case .int(let value): text += "\(value)"
        case .double(let value) where value.isFinite: text += "\(value)"
        case .string(let value): writeQuoted(value)
        case .array(let elements): schedule(Self.list(elements.map { .literal($0) }, "{", "}"))
        default:
            switch style {
            case .parsable, .templated:
                text += "%@"
                arguments.append(literal)
            case .readable:
                text += literal.words
            }
        }
    }

    private mutating func writeQuoted(_ value: String) {
        text += "'"
        for scalar in value.unicodeScalars {
            switch scalar {
            case "'": text += "\\'"
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "'"
    }
}

extension Literal {
    /// A value that the grammar cannot write, for people to read.
    fileprivate var words: String {
        switch self {
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        case .bytes(let bytes): bytes.count > 16 ? "<\(bytes.count) bytes>" : "<\(Self.hexadecimal(bytes))>"
        case .date(let seconds): "date(\(seconds))"
        case .objectID(let high, let low):
            "objectId(\(Self.hexadecimal(high, digits: 16))\(Self.hexadecimal(UInt64(low), digits: 8)))"
        case .uuid(let high, let low):
            "uuid(\(Self.hexadecimal(high, digits: 16))\(Self.hexadecimal(low, digits: 16)))"
        case .decimal(let high, let low):
            "decimal(\(Self.hexadecimal(high, digits: 16))\(Self.hexadecimal(low, digits: 16)))"
        case .object(let number): "object(\(number))"
        case .null, .bool, .int, .string, .array: ""
        }
    }

    private static func hexadecimal(_ value: UInt64, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: digits - text.utf8.count) + text
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { hexadecimal(UInt64($0), digits: 2) }.joined()
    }
}
