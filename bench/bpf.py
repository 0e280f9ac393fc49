"""bpf.py - reads statistics of loaded BPF programs by bpf(2), through ctypes."""

import ctypes
import os
import platform
import re
import struct

SYS_BPF = {"x86_64": 321, "aarch64": 280, "riscv64": 280, "s390x": 351, "ppc64le": 361}
PROG_GET_NEXT_ID, PROG_GET_FD_BY_ID, OBJ_GET_INFO_BY_FD, ENABLE_STATS = 11, 13, 15, 32

libc = ctypes.CDLL(None, use_errno=True)


def call(cmd, attr):
    """Makes a bpf(2) call.  attr is a mutable buffer.  Raises OSError."""
    number = SYS_BPF[platform.machine()]
    result = libc.syscall(number, cmd, attr, len(attr))
    if result < 0:
        err = ctypes.get_errno()
        raise OSError(err, f"bpf({cmd}): {os.strerror(err)}")
    return result


def enable_stats():
    """Enables run-time statistics while the returned descriptor is open; changes no sysctl."""
    return call(ENABLE_STATS, ctypes.create_string_buffer(struct.pack("I", 0), 4))


def program_ids():
    """Returns the ids of all loaded programs."""
    ids, attr = [], ctypes.create_string_buffer(12)
    while True:
        try:
            call(PROG_GET_NEXT_ID, attr)
        except FileNotFoundError:
            return ids
        ids.append(struct.unpack_from("II", attr.raw)[1])
        struct.pack_into("II", attr, 0, ids[-1], 0)


class Program:
    """A snapshot of one program's bpf_prog_info."""

    def __init__(self, prog_id):
        attr = struct.pack("III", prog_id, 0, 0)
        fd = call(PROG_GET_FD_BY_ID, ctypes.create_string_buffer(attr, len(attr)))
        try:
            info = ctypes.create_string_buffer(224)
            attr = struct.pack("IIQ", fd, len(info), ctypes.addressof(info))
            call(OBJ_GET_INFO_BY_FD, ctypes.create_string_buffer(attr, len(attr)))
        finally:
            os.close(fd)
        self.id = prog_id
        self.name = info.raw[64:80].rstrip(b"\0").decode()
        self.jited_bytes, xlated_bytes = struct.unpack_from("II", info.raw, 16)
        self.insns = xlated_bytes // 8
        self.run_time_ns, self.run_cnt = struct.unpack_from("QQ", info.raw, 192)


def programs_of(pid):
    """Returns the programs that a process holds by its own descriptor or by a link."""
    held = set()
    directory = f"/proc/{pid}/fdinfo"
    for name in os.listdir(directory):
        try:
            with open(f"{directory}/{name}", encoding="ascii", errors="replace") as f:
                held.update(int(i) for i in re.findall(r"^prog_id:\s*(\d+)", f.read(), re.M))
        except OSError:
            pass  # closed while we read the list
    return [Program(i) for i in program_ids() if i in held]
