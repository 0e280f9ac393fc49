#!/usr/bin/env python3
"""tcp-model.py - a model of TCP connections in a capture, from RFC 9293.

usage: tcp-model.py capture FILE         (writes the capture)
       tcp-model.py VIEW OUTPUT ROWS     (compares what dtrace printed with the model)

The capture has thousands of short connections. Each is a conversation in which segments were
repeated, removed or moved: all that files have whose packets were lost, or that were merged from
several sources. VIEW is "both", "client" or "server": the hosts that are local. OUTPUT is the
output of the program in tcp-model.sh, and ROWS that of tcplife wide.

The model knows which sequence numbers the file has shown, as sets. It keeps no pointers, and
shares nothing with the tracker.
"""
import itertools
import struct
import sys

FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
CLIENT, SERVER = 0, 1
# In half of the connections, the numbers wrap around.
ISS = [(1000, 5000), (2**32 - 3, 2**32 - 5)]
STATE = {'established': 1, 'syn-sent': 2, 'syn-received': 3, 'fin-wait-1': 4, 'fin-wait-2': 5,
         'time-wait': 6, 'closed': 7, 'close-wait': 8, 'last-ack': 9, 'listen': 10, 'closing': 11}


# -------------------------------------------------------------------------- conversations

class Talk:
    """Writes a conversation. Each segment acknowledges all that the other end has sent."""

    def __init__(self):
        self.seg, self.nxt = [], [0, 0]

    def say(self, who, flags=ACK, n=0, back=0, ack=None):
        """@back: how far before the next sequence number the segment begins"""
        seq = self.nxt[who] - back
        ack = (self.nxt[not who] if ack is None else ack) if flags & ACK else 0
        self.seg.append((who, flags, seq, ack, n))
        self.nxt[who] = max(self.nxt[who], seq + n + bool(flags & SYN) + bool(flags & FIN))
        return self

    def c(self, *a, **k):
        return self.say(CLIENT, *a, **k)

    def s(self, *a, **k):
        return self.say(SERVER, *a, **k)


def opened():
    return Talk().c(SYN).s(SYN | ACK).c()


def fast_open():
    return Talk().c(SYN, 3).s(SYN | ACK)


def crossed():
    t = Talk().c(SYN).s(SYN)
    t.say(CLIENT, SYN | ACK, back=1)
    return t.say(SERVER, SYN | ACK, back=1)


def conversations():
    """Returns pairs: a conversation, and the number of its first segment that may be changed."""
    F = FIN | ACK
    return [
        (opened().c(n=3).s().s(n=5).c().c(F).s().s(F).c(), 0),
        (opened().c(n=3).s(n=5).s(F).c().c(F).s(), 0),
        (opened().c(F, 2).s(F, 4, ack=1).c(F, 2, back=3).s().c(), 0),
        (opened().c(F).s(F, ack=1).c().s(), 0),
        (Talk().c(SYN).s(SYN | ACK).c(F, 4).s(F, 7).c(), 0),
        (Talk().c(SYN).s(SYN | ACK).c(n=4).s(F, 7).c(F).s(), 0),
        # the FIN in data that is sent again, wholly or in part
        (opened().c(n=3).c(F, 3, back=3).s().s(F).c(), 0),
        (opened().s(n=4).s(F, 5, back=2).c().c(F).s(), 0),
        # one end has closed, and the other goes on
        (opened().c(F).s().s(n=4).s(n=4).c().s(F).c(), 0),
        # single bytes: no keep-alives, because they are new
        (opened().c(n=1).s(n=1).c(n=1).s(n=1).c(F).s(F).c(), 0),
        # both close at once, and an end that waits for the other's FIN sends its own again
        (opened().s(F).c(F, ack=1).c(F, back=1).s(F, back=1).s().c(), 0),
        (fast_open().c().c(n=2).s(n=6).c(F).s(F).c(), 0),
        (Talk().c(SYN, 3).s(SYN | ACK, ack=1).c(n=3, back=3).s().c(F).s(F).c(), 0),
        (crossed().c(n=3).s(n=4).c(F).s(F).c(), 2),
        (crossed().c(n=3).s(n=4).c(F).s(F, ack=4).c().s(), 2),
    ]


def moved(seg, i, j):
    rest = seg[:i] + seg[i + 1:]
    return rest[:j] + [seg[i]] + rest[j:]


def delayed(seg, first, who, k):
    """The segments of @who come @k segments of the other end later."""
    out, queue = list(seg[:first]), []
    for s in seg[first:]:
        if s[0] == who:
            queue.append([k, s])
            continue
        out.append(s)
        for q in queue:
            q[0] -= 1
        while queue and queue[0][0] <= 0:
            out.append(queue.pop(0)[1])
    return out + [q[1] for q in queue]


def changes(seg, first):
    n = len(seg)
    places = range(first, n)
    repeats = [seg[:j] + [seg[i]] + seg[j:] for i in places for j in range(i + 1, n + 1)]
    yield seg
    yield from repeats
    for r in repeats:
        for i in range(first, len(r)):
            yield r[:i] + r[i + 1:]
    for i, j in itertools.combinations(places, 2):
        yield seg[:i] + seg[i + 1:j] + seg[j + 1:]
    for i in range(max(first, 3), n):
        for j in range(i + 1, n):
            yield moved(seg, i, j)
    for who in (CLIENT, SERVER):
        for k in range(1, n):
            late = delayed(seg, first, who, k)
            yield late
            for i in range(first, n):
                yield late[:i] + late[i + 1:]
                yield late[:i] + [late[i]] + late[i:]
                yield late + [late[i]]


def with_reset(seg, first):
    """The conversation, ended after each of its segments by a reset from either end."""
    for j in range(3 + (first > 0), len(seg)):
        for who in (CLIENT, SERVER):
            nxt = max(s[2] + span(s) for s in seg[:j] if s[0] == who)
            yield seg[:j] + [(who, RST | ACK, nxt, 0, 0)] + seg[j:]


def span(s):
    return s[4] + bool(s[1] & SYN) + bool(s[1] & FIN)


def connections():
    seen = set()
    for talk, first in conversations():
        for seg in itertools.chain(changes(talk.seg, first), with_reset(talk.seg, first)):
            if tuple(seg) not in seen:
                seen.add(tuple(seg))
                yield seg


# -------------------------------------------------------------------------- the capture

def checksum(data):
    total = sum(struct.unpack('>%dH' % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def address(i):
    return bytes([10, 1 + i // 65536, i // 256 % 256, i % 256])


def packet(i, s):
    who, flags, seq, ack, n = s
    ends = [(address(i), 40000), (bytes([192, 0, 2, 2]), 80)]
    iss = ISS[i % 2]
    tcp = struct.pack('>HHIIBBHHH', ends[who][1], ends[not who][1], (seq + iss[who]) % 2**32,
                      (ack + iss[not who]) % 2**32 if flags & ACK else 0, 5 << 4, flags, 8000, 0, 0)
    ip = struct.pack('>BBHHHBBH4s4s', 0x45, 0, 40 + n, 1, 0, 64, 6, 0, ends[who][0], ends[not who][0])
    return ip[:10] + struct.pack('>H', checksum(ip)) + ip[12:] + tcp + b'x' * n


def write_capture(path):
    with open(path, 'wb') as f:
        f.write(struct.pack('<IHHiIII', 0xa1b2c3d4, 2, 4, 0, 0, 65535, 101))
        ms = 0
        for i, seg in enumerate(connections()):
            for s in seg:
                p = packet(i, s)
                f.write(struct.pack('<IIII', 1700000000 + ms // 1000, ms % 1000 * 1000, len(p), len(p)) + p)
                ms += 1


# -------------------------------------------------------------------------- the model

class End:
    """What the file has shown of one end. Numbers are relative: 0 is the SYN, and data follows."""

    def __init__(self):
        self.state = None       # None: no socket
        self.active = False
        self.heard = False      # the SYN+ACK for its SYN is in the file before
        self.crossed = False    # it has sent a SYN+ACK
        self.announced = False  # the change from LISTEN has been shown, or is not to be shown
        self.begun = False      # tcplife has seen the beginning
        self.sent = set()       # numbers that this end was seen to send
        self.shown = None       # number after the highest that the file shows as sent
        self.peer_ack = 0       # highest acknowledgement that it has received
        self.got = set()        # numbers of the peer that it has received in order
        self.ack = 0            # highest acknowledgement that it has sent
        self.base = None        # number of the peer's first byte, as far as known
        self.fin = None         # number of its own FIN
        self.peer_fin = None    # number of the peer's FIN
        self.fin_taken = False
        self.again = 0          # segments sent again
        self.bytes = [0, 0]     # bytes sent, and of them those sent again

    def top(self):
        return max([self.peer_ack] + [x + 1 for x in self.sent])

    def expects(self):
        n = max(self.base, self.ack)
        while n in self.got:
            n += 1
        return n


class Model:
    def __init__(self, local):
        self.end = [End(), End()]
        self.local = local
        self.attempt = None         # then "opening" and "done"
        self.opener = None
        self.syn = [False, False]   # a SYN without ACK was seen
        self.answered = False       # the SYN+ACK was seen
        self.no_syn = False         # the SYN+ACK was the first segment of the attempt
        self.acked = [False, False] # for a simultaneous open: the SYN was acknowledged
        self.fins = False           # the connection has ended by the FINs of both ends
        self.log = [[], []]
        self.rows = [[], []]
        self.keeps_alive = False    # the segment is a keep-alive with a byte

    # ---- states

    def change(self, who, new):
        e = self.end[who]
        self.log[who].append('%d>%d' % (STATE[e.state or 'closed'], STATE[new]))
        if self.is_established(who) and e.base is not None:
            numbers = e.peer_ack, e.top(), e.expects(), e.again, *e.bytes
            self.log[who][-1] += ':' + ','.join('%d' % n for n in numbers)
        if new in ('syn-received', 'established'):
            e.begun = True
        if new in ('closed', 'time-wait') and e.begun:
            row = e.top() - 1 - (e.fin is not None), e.expects() - e.base - e.fin_taken
            # tcplife shows no attempt that ended before it was established and carried nothing
            if e.state != 'syn-received' or any(row):
                self.rows[who].append(row)
        e.state = new

    def announce(self, who):
        e = self.end[who]
        if not e.active and not e.announced:
            e.announced = e.begun = True
            self.log[who].append('10>3')

    def establish(self, who):
        self.announce(who)
        if all(self.syn):
            self.end[who].base = 1
        self.change(who, 'established')

    def is_established(self, who):
        return self.end[who].state not in (None, 'syn-sent', 'syn-received', 'closed', 'gone')

    def fin_acked(self, who):
        e = self.end[who]
        if e.fin is None or e.peer_ack != e.fin + 1:
            return
        if e.state == 'fin-wait-1':
            self.change(who, 'fin-wait-2')
        elif e.state == 'closing':
            self.change(who, 'time-wait')
            self.fins = True
        elif e.state == 'last-ack':
            self.change(who, 'closed')
            self.fins = True

    def take_fin(self, who):
        e = self.end[who]
        new = {'established': 'close-wait', 'fin-wait-1': 'closing', 'fin-wait-2': 'time-wait'}.get(e.state)
        if e.peer_fin is None or e.fin_taken or e.expects() <= e.peer_fin or not new:
            return
        e.fin_taken = True
        self.change(who, new)
        self.fins = self.fins or new == 'time-wait'

    # ---- the handshake

    def follow(self, who, flags, n, ack):
        if flags & SYN and not flags & ACK:
            if self.attempt is None and self.end[who].state is None:
                self.attempt, self.opener = 'opening', who
            self.syn[who] = True
            return
        if self.attempt is None and flags & SYN and not any(e.state for e in self.end):
            self.attempt, self.opener, self.no_syn = 'opening', int(not who), True
        if self.attempt != 'opening':
            return
        if all(self.syn):
            self.acked[not who] = self.acked[not who] or ack >= 1
            if all(self.acked):
                self.attempt = 'done'
        elif flags & SYN:
            self.answered = self.answered or who != self.opener
        elif (who == self.opener and self.answered) or (self.no_syn and (n or flags & FIN)):
            self.attempt = 'done'

    def infer(self, who, sender, flags, seq, ack, n):
        """Makes a socket whose beginning the file lacks."""
        e = self.end[who]
        if e.state is not None or flags & SYN:
            return
        begins = self.attempt != 'opening' and (n or flags & FIN)
        if not (begins or (sender == self.opener and
                (self.attempt == 'opening' or self.no_syn)) or self.is_established(not who)):
            return
        e.state, e.announced = 'established', True
        e.base = ack if who == sender else seq
        e.shown = seq if who == sender else None
        e.peer_ack = seq if who == sender else ack

    # ---- a segment

    def segment(self, s):
        who, flags, seq, ack, n = s
        if flags & RST:
            self.reset(who, int(not who), seq)
            return
        self.follow(who, flags, n, ack)
        numbers = set(range(seq, seq + span(s)))
        if self.local[who]:
            self.send(who, flags, seq, ack, n, numbers)
        if self.local[not who]:
            self.receive(int(not who), flags, seq, ack, n, numbers)

    def open_by_send(self, who, flags, seq, ack, n):
        e = self.end[who]
        if flags & SYN and not flags & ACK:
            if e.state is None and self.attempt == 'opening':
                e.active = True
                e.base = 1 if self.no_syn else None
                e.heard = self.no_syn
                self.change(who, 'syn-sent')
        elif flags & SYN:
            if e.state is None and self.attempt == 'opening' and who != self.opener:
                # without the SYN, its data is unknown
                e.state, e.base, e.peer_ack = 'syn-received', ack if self.no_syn else 1, 1
        else:
            self.infer(who, who, flags, seq, ack, n)
        if not flags & ACK:
            return
        if e.state in ('syn-sent', 'syn-received') and e.active and self.attempt == 'done':
            self.establish(who)
        elif e.state == 'syn-sent' and flags & SYN and all(self.syn):
            e.base = 1
            self.change(who, 'syn-received')
        elif e.state == 'syn-sent' and not flags & SYN and not all(self.syn):
            self.establish(who)
        elif e.state == 'syn-received' and self.no_syn and self.attempt == 'done':
            self.establish(who)
        if e.state == 'established' and e.base is None:
            e.base = 1 if all(self.syn) else ack

    def is_repeated(self, e, flags, seq, n, numbers):
        top = max([x + 1 for x in e.sent], default=e.shown)
        self.keeps_alive = False
        if not numbers or top is None or seq >= top:
            return False
        if flags & SYN and flags & ACK and e.active and not e.crossed:
            return False    # the first answer to a SYN that crossed its own
        self.keeps_alive = n == 1 and not flags & (SYN | FIN) and seq + 1 == top == e.peer_ack
        return not self.keeps_alive

    def count(self, who, again, first, n):
        e = self.end[who]
        if again:
            self.log[who].append('again')
            e.again += 1
            e.bytes[1] += min(n, max([x + 1 for x in e.sent], default=e.shown) - first)
        elif self.keeps_alive:
            return
        e.bytes[0] += n

    def send(self, who, flags, seq, ack, n, numbers):
        e = self.end[who]
        if e.state in ('closed', 'gone'):
            if self.fins and self.is_repeated(e, flags, seq, n, numbers):
                self.log[who].append('again')
            return
        self.open_by_send(who, flags, seq, ack, n)
        if e.state is None:
            return
        if flags & ACK and e.state != 'syn-sent':
            e.ack = max(e.ack, ack)
        again = self.is_repeated(e, flags, seq, n, numbers)
        if flags & SYN and flags & ACK:
            e.crossed = True
        if e.state != 'syn-sent':
            self.take_fin(who)
        if flags & FIN and e.fin is None and max(numbers) + 1 >= e.peer_ack:
            e.fin = max(numbers)
            if e.state == 'syn-received':
                self.announce(who)
            new = {'established': 'fin-wait-1', 'syn-received': 'fin-wait-1', 'close-wait': 'last-ack'}.get(e.state)
            if new:
                self.change(who, new)
        self.count(who, again, seq + bool(flags & SYN), n)
        e.sent |= numbers
        if flags & FIN:
            self.fin_acked(who)

    def receive(self, who, flags, seq, ack, n, numbers):
        e = self.end[who]
        self.infer(who, int(not who), flags, seq, ack, n)
        if e.state in (None, 'closed', 'gone'):
            return
        if flags & SYN and not flags & ACK:
            if self.no_syn and not e.active:
                e.base = 1
            if e.state == 'syn-sent' and all(self.syn):
                e.base = 1
                self.change(who, 'syn-received')
            return
        if flags & SYN and e.active and 0 < ack <= e.top():
            e.base = 1
            e.heard = True
        e.peer_ack = max(e.peer_ack, ack)
        if e.active and e.state in ('syn-sent', 'syn-received') and all(self.acked):
            self.establish(who)
        elif e.state == 'syn-received' and self.attempt != 'opening' and not flags & SYN:
            self.establish(who)
        self.fin_acked(who)
        if e.state in ('closed', 'syn-sent') and not e.heard:
            return
        if e.state == 'closed':
            return
        if flags & FIN and max(numbers) + 1 >= e.expects():
            e.peer_fin = max(numbers)
        if seq + bool(flags & SYN) <= e.expects():
            e.got |= numbers
        self.take_fin(who)

    def reset(self, who, to, seq):
        x, y = self.end[who], self.end[to]
        alive = (None, 'closed', 'gone')
        if self.local[who] and x.state not in alive + ('time-wait',):
            self.change(who, 'closed')
        if not self.local[to] or y.state in alive:
            return
        short = seq + 1 == y.expects() and y.state in ('close-wait', 'last-ack', 'closing')
        if seq != y.expects() and not short:
            return
        if y.state == 'time-wait':
            y.state = 'gone'
        else:
            self.change(to, 'closed')


# -------------------------------------------------------------------------- the comparison

def relative(addr, who, what):
    """Subtracts the initial sequence numbers. Leaves out the numbers of a socket that is opening."""
    state, _, numbers = what.partition(':')
    if not numbers or state.split('>')[0] in ('2', '3', '7', '10'):
        return state
    iss = ISS[int(addr.split('.')[3]) % 2]
    v = [int(n) for n in numbers.split(',')]
    v[:3] = [(v[0] - iss[who]) % 2**32, (v[1] - iss[who]) % 2**32, (v[2] - iss[not who]) % 2**32]
    return state + ':' + ','.join(str(n) for n in v)


def read_events(path):
    """Returns what the program printed: by client address and end, the events and the row."""
    events = {}
    for line in open(path):
        if not line.strip():
            continue
        who, addr, what = line.split()
        events.setdefault((addr, int(who)), []).append(relative(addr, int(who), what))
    return events


def read_rows(path):
    """Returns the rows of tcplife wide: by client address and end, bytes sent and received."""
    rows = {}
    for line in list(open(path))[1:]:
        v = line.split()
        if not v:
            continue
        sent, received, laddr, raddr = int(v[-7]), int(v[-6]), v[-4], v[-2]
        key = (raddr, SERVER) if v[-3] == '80' else (laddr, CLIENT)
        rows.setdefault(key, []).append((sent, received))
    return rows


def compare(view, output, rows):
    local = [view != 'server', view != 'client']
    events, rows = read_events(output), read_rows(rows)
    wrong = n = 0
    for n, seg in enumerate(connections(), 1):
        addr = '.'.join(str(b) for b in address(n - 1))
        m = Model(local)
        for s in seg:
            m.segment(s)
        for who in (CLIENT, SERVER):
            got, row = events.get((addr, who), []), rows.get((addr, who), [])
            if got == m.log[who] and row == m.rows[who]:
                continue
            wrong += 1
            if wrong > 5:
                continue
            print('%s %s, view %s' % (addr, 'server' if who else 'client', view))
            for s in seg:
                letters = ''.join(c for c, f in zip('SFRA', (SYN, FIN, RST, ACK)) if s[1] & f)
                print('  %s %s seq %d ack %d len %d' % ('<' if s[0] else '>', letters, s[2], s[3], s[4]))
            print('  model  %s %s' % (' '.join(m.log[who]), m.rows[who]))
            print('  dtrace %s %s' % (' '.join(got), row))
    print('%s: %d connections, %d ends wrong' % (view, n, wrong))
    return wrong


def main():
    if len(sys.argv) == 3 and sys.argv[1] == 'capture':
        write_capture(sys.argv[2])
    elif len(sys.argv) == 4:
        sys.exit(compare(*sys.argv[1:]) != 0)
    else:
        sys.exit(__doc__)


main()
