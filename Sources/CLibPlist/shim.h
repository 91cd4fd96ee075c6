#ifndef SEALCHECK_CLIBPLIST_SHIM_H
#define SEALCHECK_CLIBPLIST_SHIM_H

#include <plist/plist.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * One face for every libplist since 2.2.0. Version 2.3 gave the import and export functions a result and renamed
 * PLIST_UINT, and 2.5 made data unsigned; Swift sees all three, C casts do not care. In every version the pointer stays
 * NULL when the function fails.
 */

static inline plist_t sealcheck_plist_from_xml(const void *bytes, uint32_t length)
{
    plist_t root = NULL;
    (void)plist_from_xml(bytes, length, &root);
    return root;
}

static inline plist_t sealcheck_plist_from_bin(const void *bytes, uint32_t length)
{
    plist_t root = NULL;
    (void)plist_from_bin(bytes, length, &root);
    return root;
}

/* The result is the caller's to free(). */
static inline char *sealcheck_plist_to_bin(plist_t node, uint32_t *length)
{
    char *bytes = NULL;
    *length = 0;
    (void)plist_to_bin(node, &bytes, length);
    return bytes;
}

static inline int sealcheck_plist_is_integer(plist_t node)
{
    return plist_get_node_type(node) == PLIST_UINT;
}

/* Owned by the node. */
static inline const void *sealcheck_plist_data(plist_t node, uint64_t *length)
{
    *length = 0;
    return plist_get_data_ptr(node, length);
}

#endif
