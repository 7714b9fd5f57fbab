"""Sets a noun and reads it, by MicroPython's requests: `request.py MODULE URL TOKEN`. Prints each answer as a line."""
import sys

requests = __import__(sys.argv[1])
headers = {"Authorization": "Bearer " + sys.argv[3]}
for answer in (requests.put(sys.argv[2], json={"led": 1}, headers=headers), requests.get(sys.argv[2], headers=headers)):
    print(answer.status_code, answer.json())
    answer.close()
