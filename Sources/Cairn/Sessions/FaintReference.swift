internal import CRuntime

/// A reference that does not keep its object alive, for objects that are retained often: a `weak` one
/// would make every retain of the object slower.
///
/// Any thread may ask for the object while another lets its last reference go.
final class FaintReference<Referent: AnyObject>: @unchecked Sendable {
    // @unchecked: the pointer never changes; the runtime's counts are atomic.
    private let pointer: UnsafeMutableRawPointer

    init(_ object: Referent) {
        pointer = Unmanaged.passUnretained(object).toOpaque()
        swift_unownedRetain(pointer)
    }

    deinit {
        swift_unownedRelease(pointer)
    }

    /// The object; nil once its last reference has gone.
    var object: Referent? {
        swift_tryRetain(pointer).map { Unmanaged<Referent>.fromOpaque($0).takeRetainedValue() }
    }
}
