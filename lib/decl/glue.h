/* glue.h - words made of macros' values, for declarations. */
#ifndef NDP_IFACE_GLUE_H
#define NDP_IFACE_GLUE_H

#define DECL_GLUE2(a, b) a##b
#define DECL_GLUE(a, b) DECL_GLUE2(a, b)
#define DECL_TEXT2(a) #a
#define DECL_TEXT(a) DECL_TEXT2(a)

/* The member of struct config for a parameter of the group that is being read.
 */
#define OWNER_FIELD2(group, param) group##_##param
#define OWNER_FIELD1(group, param) OWNER_FIELD2(group, param)
#define OWNER_FIELD(param) OWNER_FIELD1(OWNER, param)

#endif
