/*
 * Writes lines to standard error while the program serves. Their reader may stall, so no write waits. A line that
 * cannot be written is dropped whole. The next line says how many were dropped.
 */
#ifndef NOUND_LOG_OUTPUT_H
#define NOUND_LOG_OUTPUT_H

#include <stddef.h>

/*
 * Finds how to write without waiting. To be called once at the start, while everything can be opened still. Without it,
 * lines are written as to a file.
 */
void log_output_open(void);

/* Writes a line (printf(3)), without its line feed; the end is cut off if it has more than 4 KB. */
void log_output_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes a line. text: without its line feed; bytes beyond 8,000 are cut off. */
void log_output_line(const char *text, size_t length);

#endif
