#ifndef CAIRN_RUNTIME_METADATA_H
#define CAIRN_RUNTIME_METADATA_H

// What the Swift runtime knows of the classes of this process. The layouts are those of the stable
// ABI (docs/ABI/TypeMetadata.rst of the Swift repository) as they are where there is no Objective-C.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Calls the body with the metadata of each class of the process's images that is not generic and
/// has a superclass.
void cairn_each_class(void (*_Nonnull body)(const void *_Nonnull metadata, void *_Nullable context),
                      void *_Nullable context);

/// The number of images that have Swift metadata: when it changes there may be more classes.
size_t cairn_image_count(void);

/// The bytes of an instance of a class, its header included.
size_t cairn_instance_size(const void *_Nonnull metadata);

/// The bytes at which an instance of a class must be aligned, less one.
size_t cairn_instance_alignment_mask(const void *_Nonnull metadata);

// References that do not keep an object alive and can be asked for it. Unlike Swift's `weak`, which
// moves an object's counts out of it and so makes every later retain dearer, they count in the object.
// These are functions of the Swift runtime; `object` is a Swift object.

/// Keeps the object's memory, not the object.
void *_Nonnull swift_unownedRetain(void *_Nonnull object);

/// Ends what `swift_unownedRetain` began.
void swift_unownedRelease(void *_Nonnull object);

/// Retains the object unless it is being destroyed, or was: then null.
void *_Nullable swift_tryRetain(void *_Nonnull object);

#endif
