"""A Modbus client of pymodbus: "tcp PORT" or "rtu DEVICE". Sets registers and a coil, and prints what it reads."""

import inspect
import sys

from pymodbus.client import ModbusSerialClient, ModbusTcpClient

if sys.argv[1] == "tcp":
    client = ModbusTcpClient("127.0.0.1", port=int(sys.argv[2]))
else:
    client = ModbusSerialClient(sys.argv[2], baudrate=115200, stopbits=1, bytesize=8, parity="N")
names = inspect.signature(client.read_coils).parameters
unit = {next(name for name in ("device_id", "slave", "unit") if name in names or name == "unit"): 17}
assert client.connect()
answers = [
    client.write_register(10, 55, **unit),
    client.write_registers(10, [56], **unit),
    client.write_coil(0, True, **unit),
    client.write_coils(0, [True], **unit),
    client.write_register(11, 1, **unit),
]
print(*(getattr(answer, "exception_code", 0) if answer.isError() else 0 for answer in answers))
print(*client.read_holding_registers(10, count=1, **unit).registers)
print(*client.read_input_registers(0, count=2, **unit).registers)
print(client.read_coils(0, count=1, **unit).bits[0])
client.close()
