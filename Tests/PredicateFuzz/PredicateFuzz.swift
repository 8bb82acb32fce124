// Built with the sources of CairnPredicate and RoundTrip.swift as one module by Scripts/fuzz.

/// What libFuzzer calls with each input: any bytes are predicate text, with what is no Unicode mended.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPredicate(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    if let fault = RoundTrip.fault(of: text, RoundTrip.arguments(for: text)) {
        fatalError("\(text.debugDescription): \(fault)")
    }
    return 0
}
