internal import CairnStorage

/// Makes one membership test of the equalities of one column that stand in an OR: `a == 1 OR a == 2` is
/// `a IN {1, 2}`, which looks into a set or an index once.
enum EqualityMerger {
    static func merge(_ parts: [BoundCondition]) -> [BoundCondition] {
        var result: [BoundCondition] = []
        // The place in `result` of the column's test so far.
        var known: [Key: Int] = [:]
        var members: [Int: [BoundTest]] = [:]
        for part in parts {
            guard case .value(let column, let bound) = part, let form = Form(bound.test) else {
                result.append(part)
                continue
            }
            let key = Key(column: column, form: form)
            if let place = known[key] {
                members[place]?.append(bound)
            } else {
                known[key] = result.count
                members[result.count] = [bound]
                result.append(part)
            }
        }
        for (key, place) in known {
            guard let tests = members[place], tests.count > 1 else { continue }
            let form = key.form
            guard case .value(let column, _) = result[place] else { continue }
            result[place] = .value(column, union(tests, form))
        }
        return result
    }

    private struct Key: Hashable {
        let column: ColumnID
        let form: Form
    }

    /// What can be put together.
    private enum Form: Hashable {
        case words, doubles, bytes, decimals
        case text(TextFolding)

        init?(_ test: ValueTest) {
            guard !test.isNegated else { return nil }
            switch test.kind {
            case .words: self = .words
            case .int(let range) where range.lowerBound == range.upperBound: self = .words
            case .doubles: self = .doubles
            case .double(let range) where range.lowerBound == range.upperBound: self = .doubles
            case .bytes: self = .bytes
            case .decimals: self = .decimals
            case .text(let text) where text.relation == .equal || text.relation == .isIn:
                self = .text(text.folding)
            default: return nil
            }
        }
    }

    private static func union(_ tests: [BoundTest], _ form: Form) -> BoundTest {
        var words: [UInt64] = []
        var doubles: [Double] = []
        var bytes: [[UInt8]] = []
        var decimals: [DecimalNumber] = []
        var texts: [[UInt8]] = []
        for bound in tests {
            switch bound.test.kind {
            case .words(let more): words += more
            case .int(let range): words.append(UInt64(bitPattern: range.lowerBound))
            case .doubles(let more): doubles += more
            case .double(let range): doubles.append(range.lowerBound)
            case .bytes(let more): bytes += more
            case .decimals(let more): decimals += more
            case .text(let text):
                if text.relation == .isIn { texts += text.needles } else { texts.append(text.needle) }
            default: break
            }
        }
        // By the form and not by what is there: IN may have no members.
        let kind: ValueTest.Kind =
            switch form {
            case .words: .words(Array(Set(words)).sorted())
            case .doubles: .doubles(Array(Set(doubles)).sorted())
            case .bytes: .bytes(bytes)
            case .decimals: .decimals(decimals)
            case .text(let folding): .text(TextTest(isIn: texts, folding))
            }
        let acceptsNull = tests.contains { $0.test.acceptsNull }
        return BoundTest(merging: tests.count, into: ValueTest(kind, acceptsNull: acceptsNull))
    }
}
