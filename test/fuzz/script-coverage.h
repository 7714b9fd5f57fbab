/*
 * Counts the jumps of the script for libFuzzer; cmake/Fuzz.cmake puts it in front of the engine's source.
 *
 * libFuzzer takes each byte of the section __libfuzzer_extra_counters for one more edge of the program. A jump is an
 * instruction that does not follow the one before it in memory, or that follows a conditional one.
 */
#include <stdbool.h>
#include <stdint.h>

#define NOUND_JUMPS (1u << 15)

__attribute__((section("__libfuzzer_extra_counters"), used)) static uint8_t nound_jumps[NOUND_JUMPS];

/* Longer than any instruction. */
#define NOUND_LONGEST_INSTRUCTION 16u

static inline void nound_count_instruction(const uint8_t *instruction, bool conditional) {
    static uintptr_t last;
    static bool last_was_conditional;
    uintptr_t here = (uintptr_t)instruction;
    if (last_was_conditional || here - last > NOUND_LONGEST_INSTRUCTION) {
        uint32_t mixed = (uint32_t)(last * 0x9e3779b1u) ^ (uint32_t)here;
        uint8_t *counter = &nound_jumps[(mixed * 0x85ebca6bu) >> 17];
        *counter += *counter < UINT8_MAX;
    }
    last = here;
    last_was_conditional = conditional;
}

/* Expanded where the engine's opcodes have names. */
#define NOUND_INSTRUCTION(pc)                                                                                          \
    nound_count_instruction(                                                                                           \
        (pc), *(pc) == OP_if_false || *(pc) == OP_if_true || *(pc) == OP_if_false8 || *(pc) == OP_if_true8)
