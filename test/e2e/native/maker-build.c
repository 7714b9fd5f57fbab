/* mod_system.c of a maker's build, which has a contact and requires tokens. */
#define NOUND_CONTACT "mailto:psirt@maker.example"
#define NOUND_ACCESS_REQUIRED
#include "system/mod_system.c"
