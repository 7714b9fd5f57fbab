/*
 * The form of an application that is put into a linked program: the content of its section `.nound_payload`.
 *
 *     magic     16 bytes, a NUL the last of them
 *     size      of all that follows the header, 4 bytes; all numbers are little-endian
 *     form      4 bytes: PAYLOAD_NONE, PAYLOAD_BYTECODE or PAYLOAD_TEXT
 *     zeros     8 bytes
 *     modules   the script, then its parts. Each is: length of the name, 4 bytes; size, 4 bytes; name, NUL; bytes,
 *               NUL
 *
 * cli/payload/elf-slot.mjs puts it there. It makes the section longer, so nothing but the header may be relied on
 * when the program is linked.
 */
#ifndef NOUND_PAYLOAD_H
#define NOUND_PAYLOAD_H

#define PAYLOAD_MAGIC "nound payload 2"
#define PAYLOAD_MAGIC_SIZE sizeof PAYLOAD_MAGIC

enum payload_form { PAYLOAD_NONE, PAYLOAD_BYTECODE, PAYLOAD_TEXT };

#endif
