internal import CairnPredicate
internal import CairnStorage

/// Brings a comparison with a constant into the terms of a kind of values, or says why that cannot be.
struct ValueTestMaker {
    let kind: ValueKind
    /// What is compared, for messages: `Dog.age`.
    let subject: () -> String
    let place: Place
    /// The row of an object; nil for one that equals no row.
    let rowOfObject: (UInt64) throws(QueryError) -> RowKey?

    func make(_ relation: Comparison.Relation, _ literal: Literal, _ options: Comparison.Options)
        throws(QueryError)
        -> ValueTest
    {
        try checkOperator(relation, options)
        switch relation {
        case .isIn: return try membership(literal, options)
        case .between: return try between(literal)
        case .notEqual: return try make(.equal, literal, options).inverted
        default: break
        }
        if case .null = literal { return againstNull(relation) }
        switch kind {
        case .bool: return ValueTest(.bool(try bool(literal)))
        case .int, .double, .float, .date, .decimal: return try ordered(relation, literal)
        case .string, .binary: return try text(relation, literal, options)
        case .objectId, .uuid: return ValueTest(.bytes([try identifier(literal)]))
        case .link:
            guard case .object(let number) = literal else { throw mismatch(literal) }
            guard let row = try rowOfObject(number) else { return ValueTest(.nothing) }
            return ValueTest(.words([row.value + 1]))
        case .backlinks: throw unsupported(relation)
        }
    }

    // MARK: Operators

    func checkOperator(
        _ relation: Comparison.Relation, _ options: Comparison.Options
    ) throws(QueryError) {
        let allowed: [Comparison.Relation]
        switch kind {
        case .bool, .objectId, .uuid, .link: allowed = [.equal, .notEqual, .isIn]
        case .int, .float, .double, .date, .decimal:
            allowed = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .isIn]
        case .string, .binary:
            allowed = [
                .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .beginsWith,
                .endsWith,
                .contains, .like,
            ]
        case .backlinks: allowed = []
        }
        guard allowed.contains(relation) else { throw unsupported(relation) }
        let isOrder = [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(relation)
        if !options.isEmpty, isOrder {
            throw QueryError(
                .unsupportedOperator,
                "\(relation.rawValue) has no [c] or [d]: the order of strings is that of their bytes.", place)
        }
        if options.contains(.diacriticInsensitive), relation == .like {
            throw QueryError(
                .unsupportedOperator, "LIKE has no [d]. LIKE[c] is there, and CONTAINS[cd].", place)
        }
    }

    private func unsupported(_ relation: Comparison.Relation) -> QueryError {
        QueryError(
            .unsupportedOperator,
            "\(relation.rawValue) cannot be asked of \(subject()), which is \(TypeNames.name(of: kind)).",
            place
        )
    }

    func mismatch(_ literal: Literal) -> QueryError {
        QueryError(
            .typeMismatch,
            "\(subject()) is \(TypeNames.name(of: kind)) and cannot be compared with \(TypeNames.name(of: literal)).",
            place)
    }

    // MARK: Constants

    /// `== nil` fits null alone; whatever else is said of nil fits nothing. But binary, as Realm has it,
    /// contains nil wherever it is not null.
    private func againstNull(_ relation: Comparison.Relation) -> ValueTest {
        switch relation {
        case .equal: .constant(false, acceptsNull: true)
        case .beginsWith, .endsWith, .contains: .constant(kind == .binary, acceptsNull: false)
        default: .constant(false, acceptsNull: false)
        }
    }

    private func bool(_ literal: Literal) throws(QueryError) -> Bool {
        switch literal {
        case .bool(let value): return value
        case .int(0): return false
        case .int(1): return true
        default: throw mismatch(literal)
        }
    }

    private func identifier(_ literal: Literal) throws(QueryError) -> [UInt8] {
        switch (kind, literal) {
        case (.objectId, .objectID(let high, let low)): return Self.bytes(high, low)
        case (.uuid, .uuid(let high, let low)): return Self.bytes(high, low)
        default: throw mismatch(literal)
        }
    }

    /// Two numbers, their highest bytes first. In one piece of memory: there may be very many.
    private static func bytes<Low: FixedWidthInteger>(_ high: UInt64, _ low: Low) -> [UInt8] {
        let byteCount = 8 + MemoryLayout<Low>.size
        return [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, count in
            let raw = UnsafeMutableRawBufferPointer(bytes)
            raw.storeBytes(of: high.bigEndian, as: UInt64.self)
            raw.storeBytes(of: low.bigEndian, toByteOffset: 8, as: Low.self)
            count = byteCount
        }
    }

    private func ordered(_ relation: Comparison.Relation, _ literal: Literal) throws(QueryError) -> ValueTest
    {
        guard let scalar = ScalarRelation(rawValue: relation.rawValue) else { throw unsupported(relation) }
        if kind == .date {
            guard case .date(let seconds) = literal else { throw mismatch(literal) }
            return Self.test(ComparedNumber.double(seconds).doubles(scalar).map { .double($0) })
        }
        guard let number = ComparedNumber(literal) else { throw mismatch(literal) }
        switch kind {
        case .int: return Self.test(number.integers(scalar).map { .int($0) })
        case .double: return Self.test(number.doubles(scalar).map { .double($0) })
        case .float: return Self.test(number.floats(scalar).map { .float($0) })
        default: return Self.test(Self.decimals(scalar, number.decimal))
        }
    }

    private static func decimals(_ relation: ScalarRelation, _ number: DecimalNumber) -> ValueTest.Kind? {
        if number.isNaN { return nil }
        switch relation {
        case .equal: return .decimals([number])
        case .less:
            return .decimal(lower: nil, includesLower: false, upper: number, includesUpper: false)
        case .lessOrEqual:
            return .decimal(lower: nil, includesLower: false, upper: number, includesUpper: true)
        case .greater:
            return .decimal(lower: number, includesLower: false, upper: nil, includesUpper: false)
        case .greaterOrEqual:
            return .decimal(lower: number, includesLower: true, upper: nil, includesUpper: false)
        default: return nil
        }
    }

    private static func test(_ kind: ValueTest.Kind?) -> ValueTest { ValueTest(kind ?? .nothing) }

    // MARK: BETWEEN and IN

    private func between(_ literal: Literal) throws(QueryError) -> ValueTest {
        guard case .array(let bounds) = literal, bounds.count == 2 else {
            throw QueryError(
                .typeMismatch, "BETWEEN takes two values, as in \(subject()) BETWEEN {1, 2}.", place)
        }
        if case .null = bounds[0] { throw mismatch(bounds[0]) }
        if case .null = bounds[1] { throw mismatch(bounds[1]) }
        let lower = try ordered(.greaterOrEqual, bounds[0])
        let upper = try ordered(.lessOrEqual, bounds[1])
        switch (lower.kind, upper.kind) {
        case (.int(let lower), .int(let upper)):
            return Self.test(Self.intersection(lower, upper).map { .int($0) })
        case (.double(let lower), .double(let upper)):
            return Self.test(Self.intersection(lower, upper).map { .double($0) })
        case (.float(let lower), .float(let upper)):
            return Self.test(Self.intersection(lower, upper).map { .float($0) })
        case (.decimal(let lower, _, _, _), .decimal(_, _, let upper, _)):
            return ValueTest(.decimal(lower: lower, includesLower: true, upper: upper, includesUpper: true))
        default: return ValueTest(.nothing)
        }
    }

    private static func intersection<T>(_ left: ClosedRange<T>, _ right: ClosedRange<T>) -> ClosedRange<T>? {
        let lower = max(left.lowerBound, right.lowerBound)
        let upper = min(left.upperBound, right.upperBound)
        return lower <= upper ? lower...upper : nil
    }

    private func membership(_ literal: Literal, _ options: Comparison.Options) throws(QueryError) -> ValueTest
    {
        guard case .array(let members) = literal else {
            throw QueryError(
                .typeMismatch,
                "IN takes a collection of values, as in \(subject()) IN %@ with an array.", place)
        }
        var acceptsNull = false
        var values: [Literal] = []
        values.reserveCapacity(members.count)
        for member in members { if case .null = member { acceptsNull = true } else { values.append(member) } }
        return ValueTest(try kind(of: values, options), acceptsNull: acceptsNull)
    }

    private func kind(
        of values: [Literal], _ options: Comparison.Options
    ) throws(QueryError) -> ValueTest.Kind {
        switch kind {
        case .bool:
            var wanted: Set<Bool> = []
            for value in values { wanted.insert(try bool(value)) }
            if wanted.count == 2 { return .everything }
            return wanted.first.map { .bool($0) } ?? .nothing
        case .int:
            return .words(
                try gather(values) { ComparedNumber($0)?.integers(.equal) }.map {
                    UInt64(bitPattern: $0.lowerBound)
                })
        case .double:
            return .doubles(try gather(values) { ComparedNumber($0)?.doubles(.equal) }.map(\.lowerBound))
        case .float:
            return .doubles(
                try gather(values) { ComparedNumber($0)?.floats(.equal) }.map { Double($0.lowerBound) })
        case .date:
            var dates: [Double] = []
            for value in values {
                guard case .date(let seconds) = value else { throw mismatch(value) }
                if !seconds.isNaN { dates.append(seconds) }
            }
            return .doubles(dates)
        case .decimal:
            var numbers: [DecimalNumber] = []
            for value in values {
                guard let number = ComparedNumber(value) else { throw mismatch(value) }
                if !number.isNaN { numbers.append(number.decimal) }
            }
            return .decimals(numbers)
        case .string, .binary:
            var texts: [[UInt8]] = []
            texts.reserveCapacity(values.count)
            for value in values { texts.append(try bytes(value)) }
            return .text(TextTest(isIn: texts, folding(options)))
        case .objectId, .uuid:
            var identifiers: [[UInt8]] = []
            identifiers.reserveCapacity(values.count)
            for value in values { identifiers.append(try identifier(value)) }
            return .bytes(identifiers)
        case .link:
            var rows: [UInt64] = []
            for value in values {
                guard case .object(let number) = value else { throw mismatch(value) }
                if let row = try rowOfObject(number) { rows.append(row.value + 1) }
            }
            return .words(rows)
        case .backlinks: throw unsupported(.isIn)
        }
    }

    /// The ranges of numbers; those that no value of the kind equals are left out.
    private func gather<Range>(
        _ values: [Literal], _ range: (Literal) -> Range?
    ) throws(QueryError) -> [Range] {
        var result: [Range] = []
        result.reserveCapacity(values.count)
        for value in values {
            guard ComparedNumber(value) != nil else { throw mismatch(value) }
            if let found = range(value) { result.append(found) }
        }
        return result
    }

    // MARK: Texts

    private func text(
        _ relation: Comparison.Relation, _ literal: Literal, _ options: Comparison.Options
    ) throws(QueryError) -> ValueTest {
        let needle = try bytes(literal)
        let folding = folding(options)
        switch relation {
        case .equal: return ValueTest(.text(TextTest(.equal, needle, folding)))
        case .less: return ValueTest(.text(TextTest(.less, needle)))
        case .lessOrEqual: return ValueTest(.text(TextTest(.lessOrEqual, needle)))
        case .greater: return ValueTest(.text(TextTest(.greater, needle)))
        case .greaterOrEqual: return ValueTest(.text(TextTest(.greaterOrEqual, needle)))
        case .like: return ValueTest(.text(TextTest(.like, needle, folding)))
        default: break
        }
        // As in Realm, where Foundation's rule holds: an empty text is not looked for and not found.
        guard !needle.isEmpty else { return ValueTest(.nothing) }
        switch relation {
        case .beginsWith: return ValueTest(.text(TextTest(.beginsWith, needle, folding)))
        case .endsWith: return ValueTest(.text(TextTest(.endsWith, needle, folding)))
        case .contains: return ValueTest(.text(TextTest(.contains, needle, folding)))
        default: throw unsupported(relation)
        }
    }

    private func bytes(_ literal: Literal) throws(QueryError) -> [UInt8] {
        switch (kind, literal) {
        case (.string, .string(let text)): return Array(text.utf8)
        case (.binary, .bytes(let bytes)): return bytes
        default: throw mismatch(literal)
        }
    }

    private func folding(_ options: Comparison.Options) -> TextFolding {
        TextFolding(options, of: kind)
    }
}

extension TextFolding {
    /// What the options of a comparison mean for values of a kind. Binary is never folded by Unicode's rules:
    /// its bytes are no text.
    init(_ options: Comparison.Options, of kind: ValueKind) {
        self = []
        switch kind {
        case .string:
            if options.contains(.caseInsensitive) { insert(.caseInsensitive) }
            if options.contains(.diacriticInsensitive) { insert(.diacriticInsensitive) }
        case .binary:
            if options.contains(.caseInsensitive) { insert(.asciiCaseInsensitive) }
        default: break
        }
    }
}
