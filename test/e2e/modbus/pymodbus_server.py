"""A Modbus server of pymodbus: "tcp PORT" or "rtu DEVICE". Units U from 1 to 20 have U * 100 + N at address N.

"rtu DEVICE 5,9,13-247" has these units instead. Unit 7 refuses holding register 0, and the first answer of unit 6 is
late.
"""

import asyncio
import sys
import time

from pymodbus.datastore import ModbusSequentialDataBlock, ModbusServerContext, ModbusSlaveContext
from pymodbus.server import StartAsyncSerialServer, StartAsyncTcpServer
from pymodbus.transaction import ModbusRtuFramer


class LateOnce(ModbusSlaveContext):
    isLate = True

    def getValues(self, fc_as_hex, address, count=1):
        if LateOnce.isLate:
            LateOnce.isLate = False
            time.sleep(0.15)
        return super().getValues(fc_as_hex, address, count)


def unit(number):
    def registers(first=0):
        return ModbusSequentialDataBlock(first, [number * 100 + at for at in range(first, 64)])

    def bits():
        return ModbusSequentialDataBlock(0, [(number + at) % 2 == 0 for at in range(64)])

    first = 10 if number == 7 and len(sys.argv) > 3 else 0
    context = LateOnce if number == 6 and len(sys.argv) > 3 else ModbusSlaveContext
    return context(di=bits(), co=bits(), hr=registers(first), ir=registers(), zero_mode=True)


def numbers(text):
    for part in text.split(","):
        first, *last = map(int, part.split("-"))
        yield from range(first, (last or [first])[0] + 1)


async def main():
    how, where, *units = sys.argv[1:]
    slaves = {number: unit(number) for number in numbers(units[0] if units else "1-20")}
    context = ModbusServerContext(slaves=slaves, single=False)
    print("ready", flush=True)
    if how == "tcp":
        await StartAsyncTcpServer(context, address=("127.0.0.1", int(where)))
    else:
        await StartAsyncSerialServer(context, framer=ModbusRtuFramer, port=where, baudrate=115200)


asyncio.run(main())
