"""A client without dtrace-fleet, with the certificate of NAME in FOLDER.

hostile.py SERVER FOLDER NAME flood SIZE SUBJECT [REPLY]: publishes messages of SIZE bytes as fast as
    it can. Each % in SUBJECT and REPLY is replaced by a new number.
hostile.py SERVER FOLDER NAME ask SUBJECT: sends an empty request, and prints the answer.
hostile.py SERVER FOLDER NAME put FILE SUBJECT: publishes the file, and prints the answer. A server that
    forbids the message answers "-ERR ...", followed by the reason.
hostile.py SERVER FOLDER NAME status SUBJECT: publishes a copy of the server's message that nobody
    listens, and prints the answer.
hostile.py SERVER FOLDER NAME send FILE SUBJECT REPLY: publishes the file, and waits until the server
    has it. The answer goes to the subject REPLY."""
import os
import socket
import ssl
import sys

address, folder, name, what = sys.argv[1:5]
host, port = address.split(':')
context = ssl.create_default_context(cafile=folder + '/ca.pem')
context.verify_flags |= ssl.VERIFY_X509_STRICT  # the default since Python 3.13
context.load_cert_chain(folder + '/%s.pem' % name, folder + '/%s.key' % name)
s = socket.create_connection((host, int(port)))
s.recv(4096)  # the server's greeting, before TLS
s = context.wrap_socket(s, server_hostname=host)
s.sendall(b'CONNECT {"verbose":false,"headers":true}\r\n')


def pub(subject, reply, body):
    return b'PUB %s %s %d\r\n%s\r\n' % (subject.encode(), reply.encode(), len(body), body)


def status(subject, reply, body):
    head = b'NATS/1.0 503\r\nStatus: 503\r\n\r\n'
    return b'HPUB %s %s %d %d\r\n%s\r\n' % (subject.encode(), reply.encode(), len(head), len(head), head)


def ask(subject, body, form=pub):
    inbox = '_INBOX.x' if name in ('viewer', 'admin') else '_INBOX_%s.x' % name
    s.sendall(b'SUB %s 1\r\n' % inbox.encode() + form(subject, inbox, body))
    f = s.makefile('rb')
    while not (line := f.readline()).startswith((b'MSG', b'HMSG', b'-ERR')):
        assert line
    return f.read(int(line.split()[-1])) if line.startswith((b'MSG', b'HMSG')) else line


def flood(size, subject, reply=''):
    body = os.urandom(size)
    n = 0
    while True:
        part, total = [], 0
        while total < 1 << 20:
            n += 1
            part.append(pub(subject.replace('%', str(n)), reply.replace('%', str(n)), body))
            total += len(part[-1])
        s.setblocking(True)
        s.sendall(b''.join(part))
        s.setblocking(False)
        try:
            if b'PING' in s.recv(1 << 16):
                s.setblocking(True)
                s.sendall(b'PONG\r\n')
        except (BlockingIOError, ssl.SSLWantReadError):
            pass


if what == 'flood':
    flood(int(sys.argv[5]), *sys.argv[6:])
if what == 'send':
    s.sendall(pub(*sys.argv[6:], open(sys.argv[5], 'rb').read()) + b'PING\r\n')
    lines = s.makefile('rb')
    while (line := lines.readline()) != b'PONG\r\n':
        assert line and not line.startswith(b'-ERR'), line
    sys.exit()
body = open(sys.argv[5], 'rb').read() if what == 'put' else b''
sys.stdout.write(ask(sys.argv[-1], body, status if what == 'status' else pub).decode())
