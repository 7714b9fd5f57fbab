"""A Modbus server of pymodbus: "tcp PORT" or "rtu DEVICE". Units U from 1 to 20 have U * 100 + N at address N.

"rtu DEVICE 5,9,13-247" has these units instead. Unit 7 refuses holding register 0, and the first answer of unit 6 is
late. Runs with pymodbus 3.0 and later.
"""

import asyncio
import inspect
import sys
import time

from pymodbus import datastore
from pymodbus.datastore import ModbusSequentialDataBlock, ModbusServerContext
from pymodbus.server import StartAsyncSerialServer, StartAsyncTcpServer

try:
    from pymodbus.framer import FramerType
    from pymodbus.server import ModbusSerialServer

    rtu = FramerType.RTU
    # On a serial line, a unit that is missing answers nothing.
    known = inspect.signature(ModbusSerialServer).parameters
    silent = {name: True for name in ("ignore_missing_slaves", "ignore_missing_devices") if name in known}
except ImportError:
    from pymodbus.transaction import ModbusRtuFramer as rtu

    silent = {}
UnitContext = getattr(datastore, "ModbusDeviceContext", None) or datastore.ModbusSlaveContext


class LateOnce(UnitContext):
    isLate = True

    def getValues(self, fc_as_hex, address, count=1):
        if LateOnce.isLate:
            LateOnce.isLate = False
            time.sleep(0.15)
        return super().getValues(fc_as_hex, address, count)


def unit(number):
    def registers(first=0):
        # A block counts from 1.
        return ModbusSequentialDataBlock(first + 1, [number * 100 + at for at in range(first, 64)])

    def bits():
        return ModbusSequentialDataBlock(1, [(number + at) % 2 == 0 for at in range(64)])

    first = 10 if number == 7 and len(sys.argv) > 3 else 0
    context = LateOnce if number == 6 and len(sys.argv) > 3 else UnitContext
    return context(di=bits(), co=bits(), hr=registers(first), ir=registers())


def numbers(text):
    for part in text.split(","):
        first, *last = map(int, part.split("-"))
        yield from range(first, (last or [first])[0] + 1)


async def main():
    how, where, *chosen = sys.argv[1:]
    units = {number: unit(number) for number in numbers(chosen[0] if chosen else "1-20")}
    context = ModbusServerContext(units, single=False)
    print("ready", flush=True)
    if how == "tcp":
        await StartAsyncTcpServer(context, address=("127.0.0.1", int(where)))
    else:
        await StartAsyncSerialServer(context, framer=rtu, port=where, baudrate=115200, **silent)


asyncio.run(main())
