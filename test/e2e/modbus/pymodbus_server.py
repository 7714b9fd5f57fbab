"""A Modbus server of pymodbus: "tcp PORT" or "rtu DEVICE". Units U from 1 to 20 have U * 100 + N at address N."""

import asyncio
import sys

from pymodbus.datastore import ModbusSequentialDataBlock, ModbusServerContext, ModbusSlaveContext
from pymodbus.server import StartAsyncSerialServer, StartAsyncTcpServer
from pymodbus.transaction import ModbusRtuFramer


def unit(number):
    def registers():
        return ModbusSequentialDataBlock(0, [number * 100 + at for at in range(64)])

    def bits():
        return ModbusSequentialDataBlock(0, [(number + at) % 2 == 0 for at in range(64)])

    return ModbusSlaveContext(di=bits(), co=bits(), hr=registers(), ir=registers(), zero_mode=True)


async def main():
    context = ModbusServerContext(slaves={number: unit(number) for number in range(1, 21)}, single=False)
    how, where = sys.argv[1:]
    print("ready", flush=True)
    if how == "tcp":
        await StartAsyncTcpServer(context, address=("127.0.0.1", int(where)))
    else:
        await StartAsyncSerialServer(context, framer=ModbusRtuFramer, port=where, baudrate=115200)


asyncio.run(main())
