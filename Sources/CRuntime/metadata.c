#include "CRuntime.h"

// Declared and called, not looked up by dlsym: with a static standard library there is nothing to
// look it up in.
struct range {
    uintptr_t start;
    size_t length;
};

// The head of the runtime's record of an image's sections; more ranges follow.
struct sections {
    uintptr_t version;
    const void *base;
    const void *unused[2];
    struct range protocols;
    struct range conformances;
    struct range types;
};

extern void swift_enumerateAllMetadataSections(
    bool (*body)(const struct sections *sections, void *context), void *context);

// The head of the descriptor of a class.
struct class_descriptor {
    uint32_t flags;
    int32_t parent;
    int32_t name;
    int32_t access_function;
    int32_t fields;
    int32_t superclass;
};

enum {
    kind_mask = 0x1f,
    kind_class = 16,
    is_generic = 0x80,
};

// The head of a class's metadata where there is no Objective-C.
struct class_metadata {
    uintptr_t kind;
    const void *superclass;
    uint32_t flags;
    uint32_t instance_address_point;
    uint32_t instance_size;
    uint16_t instance_alignment_mask;
};

struct metadata_response {
    const void *metadata;
    size_t state;
};

typedef __attribute__((swiftcall)) struct metadata_response (*access_function)(size_t request);

struct enumeration {
    void (*body)(const void *metadata, void *context);
    void *context;
    size_t image_count;
};

static const void *relative(const int32_t *field) {
    return (const char *)field + *field;
}

static const struct class_descriptor *descriptor_at(const int32_t *record) {
    // The two low bits say what the record refers to: 0 a descriptor, 1 a pointer to one.
    const int32_t kind = *record & 3;
    const char *place = (const char *)record + (*record & ~3);
    if (kind == 0) return (const struct class_descriptor *)place;
    if (kind == 1) return *(const struct class_descriptor *const *)place;
    return NULL;
}

static bool visit_image(const struct sections *sections, void *context) {
    struct enumeration *enumeration = context;
    enumeration->image_count += 1;
    if (!enumeration->body) return true;
    const int32_t *record = (const int32_t *)sections->types.start;
    for (size_t count = sections->types.length / sizeof *record; count > 0; count--, record++) {
        const struct class_descriptor *descriptor = descriptor_at(record);
        if (!descriptor || (descriptor->flags & kind_mask) != kind_class) continue;
        if (descriptor->flags & is_generic || descriptor->superclass == 0) continue;
        if (descriptor->access_function == 0) continue;
        access_function access = (access_function)relative(&descriptor->access_function);
        const void *metadata = access(0).metadata;
        if (metadata) enumeration->body(metadata, enumeration->context);
    }
    return true;
}

void cairn_each_class(void (*body)(const void *metadata, void *context), void *context) {
    struct enumeration enumeration = {body, context, 0};
    swift_enumerateAllMetadataSections(visit_image, &enumeration);
}

size_t cairn_image_count(void) {
    struct enumeration enumeration = {NULL, NULL, 0};
    swift_enumerateAllMetadataSections(visit_image, &enumeration);
    return enumeration.image_count;
}

size_t cairn_instance_size(const void *metadata) {
    return ((const struct class_metadata *)metadata)->instance_size;
}

size_t cairn_instance_alignment_mask(const void *metadata) {
    return ((const struct class_metadata *)metadata)->instance_alignment_mask;
}
