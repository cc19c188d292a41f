"""Opens connections that send one request and read the response slowly.

Node cannot set the buffers of a socket. With those of the kernel, the first megabytes of a response on the loopback interface are never
in the memory of the server.
"""

import socket
import sys
import time

port, connections, bytes_per_second, request = sys.argv[1:5]
sockets = []
for _ in range(int(connections)):
    each = socket.socket()
    each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    each.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    each.connect(("127.0.0.1", int(port)))
    each.sendall(request.encode())
    each.setblocking(False)
    sockets.append(each)
while True:
    for each in sockets:
        try:
            each.recv(int(bytes_per_second))
        except OSError:
            # Nothing has arrived, or the server has closed the connection.
            pass
    time.sleep(1)
