/*
 * A Modbus client of libmodbus: "rtu DEVICE UNIT" or "tcp PORT UNIT", then "COUNT PAUSE". It reads 100 input registers
 * from 0 on, COUNT times, PAUSE ms apart. If the last word is "write", it first sets register 0 to 7, and coil 0 to 1.
 * It prints the sum of what it read, the exceptions of its writes, and the microseconds of processor time it took.
 */
#include <errno.h>
#include <modbus/modbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define REGISTERS 100

int main(int argc, char **argv) {
    if (argc < 6)
        return 2;
    int is_tcp = strcmp(argv[1], "tcp") == 0;
    modbus_t *context =
        is_tcp ? modbus_new_tcp("127.0.0.1", atoi(argv[2])) : modbus_new_rtu(argv[2], 115200, 'N', 8, 1);
    if (!context || modbus_set_slave(context, atoi(argv[3])) < 0 || modbus_connect(context) < 0)
        return 1;
    modbus_set_response_timeout(context, 5, 0);
    int register_errno = 0;
    int coil_errno = 0;
    if (argc > 6 && strcmp(argv[6], "write") == 0) {
        register_errno = modbus_write_register(context, 0, 7) < 0 ? errno - MODBUS_ENOBASE : 0;
        coil_errno = modbus_write_bit(context, 0, 1) < 0 ? errno - MODBUS_ENOBASE : 0;
    }
    uint16_t values[REGISTERS];
    long sum = 0;
    struct timespec pause = {atoi(argv[5]) / 1000, atoi(argv[5]) % 1000 * 1000000L};
    for (int times = atoi(argv[4]); times > 0; times--) {
        if (modbus_read_input_registers(context, 0, REGISTERS, values) != REGISTERS)
            return 1;
        for (int at = 0; at < REGISTERS; at++)
            sum += values[at];
        if (pause.tv_sec > 0 || pause.tv_nsec > 0)
            nanosleep(&pause, NULL);
    }
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    printf("%ld %d %d %ld\n", sum, register_errno, coil_errno, used.tv_sec * 1000000 + used.tv_nsec / 1000);
    modbus_close(context);
    modbus_free(context);
    return 0;
}
