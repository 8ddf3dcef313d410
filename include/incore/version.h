/* Version of the Incore library. */
#ifndef INCORE_VERSION_H
#define INCORE_VERSION_H

#include "incore/status.h"

#define INCORE_VERSION_MAJOR 0
#define INCORE_VERSION_MINOR 2
#define INCORE_VERSION_PATCH 0
#define INCORE_VERSION "0.2.0"

#ifdef __cplusplus
extern "C" {
#endif

/* incore_version returns the version of the library that is running, such as "0.2.0". */
INCORE_API const char* incore_version(void);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_VERSION_H */
