/* A Modbus server of libmodbus: "rtu DEVICE UNIT" or "tcp PORT". Register N of each table is N; bit N is N modulo 2. */
#include <errno.h>
#include <modbus/modbus.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIZE 64

static bool serve(modbus_t *context, modbus_mapping_t *mapping) {
    uint8_t query[MODBUS_TCP_MAX_ADU_LENGTH];
    for (;;) {
        int length = modbus_receive(context, query);
        if (length > 0 && modbus_reply(context, query, length, mapping) < 0)
            return false;
        if (length < 0 && errno == ECONNRESET)
            return true;
    }
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    bool is_tcp = strcmp(argv[1], "tcp") == 0;
    modbus_t *context =
        is_tcp ? modbus_new_tcp("127.0.0.1", atoi(argv[2])) : modbus_new_rtu(argv[2], 115200, 'N', 8, 1);
    modbus_mapping_t *mapping = modbus_mapping_new(SIZE, SIZE, SIZE, SIZE);
    if (!context || !mapping)
        return 1;
    for (int at = 0; at < SIZE; at++) {
        mapping->tab_bits[at] = mapping->tab_input_bits[at] = (uint8_t)(at % 2);
        mapping->tab_registers[at] = mapping->tab_input_registers[at] = (uint16_t)at;
    }
    if (!is_tcp && (modbus_set_slave(context, atoi(argv[3])) < 0 || modbus_connect(context) < 0))
        return 1;
    int listener = is_tcp ? modbus_tcp_listen(context, 1) : -1;
    puts("ready");
    fflush(stdout);
    do {
        if (is_tcp && modbus_tcp_accept(context, &listener) < 0)
            return 1;
    } while (serve(context, mapping));
    return 0;
}
