import CairnPredicate
import Foundation
import Testing

@Suite struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "PredicateFuzz/Corpus")

    @Test func `what the fuzzer begins with has no fault`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(!names.isEmpty)
        for name in names {
            let bytes = try Data(contentsOf: Self.folder.appending(path: name))
            let text = String(decoding: bytes, as: UTF8.self)
            if let fault = RoundTrip.fault(of: text, RoundTrip.arguments(for: text)) {
                Issue.record("\(name): \(fault)")
            }
        }
    }
}
