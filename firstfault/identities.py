# SPDX-License-Identifier: MIT
"""Who and where: user names, e-mail addresses, IP addresses, host names and private web addresses in log text.

Versions look like IPv4 addresses, C++ scopes look like IPv6, decorators look like e-mail, and `node` is a word as well as a
host: each finder has its own checks, and what stays is as much a rule here as what goes.
"""

import re
from collections.abc import Iterator

from .lazy import Pattern
from .secrets_known import HOOKS, SIGNED_QUERY

_Claim = tuple[int, int, str]

# Accounts that stand for a machine or a role, not for a person.
_PUBLIC_USERS = frozenset(
    "root ubuntu ec2-user runner user users ray jovyan nobody admin administrator public shared default app azureuser centos opc "
    "debian docker container vscode slurm nvidia node git sagemaker-user hadoop spark airflow mpi mpiuser nemo vllm data datasets "
    "dataset models model cache scratch work workspace project projects train trainer test tmp linuxbrew all~1 all conda "
    "mambauser lost+found".split())
_PUBLIC_HOSTS = frozenset(
    "localhost localhost4 localhost6 localdomain localhost.localdomain ip6-localhost unknown none null host hostname node nodes master "
    "worker workers head leader rank server client gpu cpu all default local kernel nan n/a error info warning debug launcher main "
    "trainer train driver".split())
_PUBLIC_DOMAINS = tuple(
    "github.com githubusercontent.com gitlab.com huggingface.co hf.co modelscope.cn pytorch.org nvidia.com python.org wandb.ai "
    "ray.io vllm.ai readthedocs.io kernel.org amazonaws.com googleapis.com google.com docker.io docker.com nvcr.io quay.io ghcr.io openai.com "
    "anthropic.com schedmd.com deepspeed.ai lightning.ai tensorflow.org jax.dev apache.org stackoverflow.com microsoft.com windows.net mlflow.org "
    "kubernetes.io k8s.io anaconda.org anaconda.com debian.org".split())

_USER_PATH = Pattern(r"(?:/home/|/homes/|/users?/|/Users/|\\{1,2}Users\\{1,2}|(?<![\w/~])~(?=[A-Za-z]))([^\s/\\\"'<>:|,;()\[\]{}@=]{1,64})")
_USER_NAMED = Pattern(r"\b(?:USER|LOGNAME|USERNAME|SUDO_USER|SLURM_JOB_USER|user|username|User|UserId)"
                         r"(?:\\?[\"'])?(?:=|:\s{0,2})(?:\\?[\"'])?([A-Za-z_][A-Za-z0-9._-]{1,31})(?![\w.(])")
_UID = Pattern(r"\b(?:[ug]id=\d{1,10}|UserId=\w{1,32}|groups=\d{1,10})\(?([A-Za-z_][A-Za-z0-9._-]{0,31})\)")
_PROMPT = Pattern(r"(?<![\w.@/-])([a-z_][a-z0-9._-]{0,31})@([A-Za-z0-9][A-Za-z0-9.-]{0,62}):(?=[~/])")
_EMAIL = Pattern(r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}(?![A-Za-z0-9_-])")
_IPV4 = Pattern(r"(?<![\w.])(\d{1,3}(?:\.\d{1,3}){3})(?![\w]|\.\d)")
# What stands before four numbers that are a version, as in `nvidia-nccl-cu12==2.18.3.1` and `cudnn 8.9.2.26`.
_VERSION_BEFORE = Pattern(r"(?:[=<>!~]=|\bv|\b[Vv]ers?(?:ion)?[:=]?|\brelease|(?<!\bip)(?<!\bIP)(?<=[A-Za-z])[-_]|"
                             r"\b(?:cudnn|cublas\w*|cuda|nccl|tensorrt|driver|firmware|fw|ofed|mofed|hpc-?x|ucx|bios|toolkit|ofi|efa|torch|python|"
                             r"aws-ofi-nccl|package|wheel)[:=]?)\s{0,2}\(?\Z", re.IGNORECASE)
_IPV6 = Pattern(r"(?<![\w:.])([0-9A-Fa-f]{0,4}:[0-9A-Fa-f:]{2,36}(?:\d{1,3}(?:\.\d{1,3}){3})?)(?![\w:])")
_URL = Pattern(r"\b[a-z][a-z0-9+.-]{1,20}://([^\s\"'<>`]{1,4000})", re.IGNORECASE)
_USERINFO = Pattern(r"[^\s/@?#]{1,400}@")

_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})"
_NAME = rf"{_LABEL}(?:\.{_LABEL}){{0,6}}"
_FILES = ("(?:py|pyx|c|cc|cpp|cxx|cu|cuh|h|hpp|hh|inc|go|rs|java|js|mjs|ts|rb|pl|sh|log|txt|out|err|stdout|stderr|json|jsonl|ya?ml|toml|ini|cfg|conf|csv|md|so|"
          "slurm|sbatch|gz|zip|pt|pth|ckpt|bin|safetensors|pkl|npz)")
# What masking shows instead of a name: a text that was masked once is not masked again.
_PSEUDONYM = Pattern(r"(?:host|ip|user)-\d{1,6}")
_HOST_LINES = [Pattern(pattern, re.MULTILINE) for pattern in (
    rf"({_NAME}):\d{{1,8}}:\d{{1,8}} \[\d{{1,3}}\] NCCL ",
    rf"^\s{{0,8}}host\s{{1,8}}: ({_NAME})\s*$",
    # host and port; not torchrun's own prefix of role and local rank, `[default1]:`, with what the rank printed behind it
    rf"\[(?!default\d)({_NAME})\]:(?!\d{{4}}-\d\d-)\d{{2,5}}(?!\d)",
    rf"\b(?:MASTER_ADDR|master_addr|HOSTNAME|SLURMD_NODENAME|SLURM_NODENAME|NODE_NAME|POD_NAME|HOST|hostname|nodename|rdzv_endpoint|"
    rf"MASTER_HOST|node_name)(?:\\?[\"'])?(?:=|:\s{{0,2}})(?:\\?[\"'])?({_NAME})",
    rf"^[A-Z][a-z]{{2}} [ \d]\d \d\d:\d\d:\d\d ({_NAME}) [A-Za-z]",
    rf"\bsrun: error: ({_NAME}): task",
    rf"\bslurmstepd: error: [^\n]{{0,120}}? ON ({_NAME}) ",
    rf"\b[a-z]{{2,12}}:///?({_NAME}):\d{{2,5}}",
    r"(?<![\w.-])(ip-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}(?:\.[a-z0-9.-]{1,80})?)(?![\w-])",
    rf"(?<![\w./@-])({_LABEL}(?:\.{_LABEL}){{0,5}}\.(?:internal|local|lan|corp|intra|intranet|cluster|svc))(?![\w-]|\.[A-Za-z])",
    rf"\bnetwork address(?:es)? of \(({_NAME}), \d{{1,5}}\)",  # c10d's socket
    rf"\bhost='({_LABEL}(?:\.{_LABEL}){{1,6}})', port=|\b[Ff]ailed to resolve '({_LABEL}(?:\.{_LABEL}){{1,6}})'",  # urllib3's pool and resolver
)]
_GATES = ("NCCL ", "host", "]:", "HOST", "NODE", "MASTER", "master_addr", "node", "rdzv", "srun", "slurmstepd", "://", "ip-", ".in", ".l",
          ".c", ".svc", "POD", " kernel", "network address", "to resolve")
# Before a port a name with dots is a machine when its end or its beginning says so: a module (`olmo.data:77`) and a file before
# its line (`socket.cpp:601`, `rank-3.log:26`) stand there too.
_ENDPOINTS = [Pattern(pattern) for pattern in (
    rf"(?<![\w./@-])({_LABEL}(?:\.{_LABEL}){{1,5}}\.(?:com|net|org|edu|gov|mil|dev|cloud|eu|de|ch|fr|uk|jp|cn|kr|us|nl|se|au|ca)):\d{{2,5}}(?![\w:])",
    rf"(?<![\w./@-])((?=[A-Za-z0-9-]{{0,62}}\d\.){_LABEL}(?:\.{_LABEL}){{0,6}}\.(?!{_FILES}:)[a-z][a-z0-9-]{{0,62}}):\d{{4,5}}(?![\w:])",
    rf"(?<![\w./@-])({_LABEL}\.(?:com|net|org|edu|gov|dev|cloud)):\d{{4,5}}(?![\w:])",
)]


def find(text: str) -> list[_Claim]:
    """Users, e-mail, IP addresses and private web addresses; host names are learnt from `find_hosts`."""
    claims = [(*span, "url") for span in _urls(text)]
    claims += [(*span, "user") for span in _users(text)]
    if "@" in text:
        claims += [(*found.span(), "email") for found in _EMAIL.finditer(text) if _is_email(found[0])]
    claims += [(*span, "ip") for span in _addresses(text)]
    return claims


def find_hosts(text: str) -> Iterator[str]:
    """Host names that the lines of known software give away."""
    if any(gate in text for gate in _GATES) or "\n" in text:
        for pattern in _HOST_LINES:
            for found in pattern.finditer(text):
                yield found[found.lastindex or 1]
    for pattern in _ENDPOINTS if ":" in text and "." in text else ():
        for found in pattern.finditer(text):
            yield found[1]
    for found in _PROMPT.finditer(text) if "@" in text else ():
        yield found[2]


def is_private_host(name: str) -> bool:
    """Whether a name says which machine it was: neither a word of the field nor a public service."""
    lowered = name.lower().rstrip(".")
    if len(lowered) < 3 or lowered in _PUBLIC_HOSTS or lowered.isdigit() or is_address(lowered):
        return False
    if _PSEUDONYM.fullmatch(lowered):
        return False
    return lowered.startswith("ip-") or not any(lowered == domain or lowered.endswith("." + domain) for domain in _PUBLIC_DOMAINS)


def is_address(name: str) -> bool:
    """Whether a name is an IP address in digits."""
    return bool(re.fullmatch(r"\d{1,3}(?:\.\d{1,3}){3}", name)) or ":" in name


def stands_alone(text: str, start: int, end: int, kind: str) -> bool:
    """Whether a learnt name stands there as a whole, not as a part of another word."""
    before, after = text[start - 1:start], text[end:end + 2]
    if kind == "user":  # a user name may be a word of the language: only in a path or before @
        return before in ("/", "\\", "~") and (not after or after[0] in "/\\ \"':,)\n") or after[:1] == "@" and not before.isalnum()
    joined = "_-" if kind == "host" else "_"
    if before.isalnum() or before in joined and before or before == "." and text[start - 2:start - 1].isalnum():
        return False
    return not (after[:1].isalnum() or after[:1] in joined and after[:1] or after[:1] == "." and after[1:].isalnum())


def _users(text: str) -> Iterator[tuple[int, int]]:
    patterns = [_USER_PATH] if any(gate in text for gate in ("home", "user", "User", "~")) else []
    patterns += [_USER_NAMED] if "USER" in text or "user" in text or "User" in text or "LOGNAME" in text else []
    patterns += [_UID] if "id=" in text or "UserId" in text else []
    patterns += [_PROMPT] if "@" in text else []
    for pattern in patterns:
        for found in pattern.finditer(text):
            if found[1].lower() not in _PUBLIC_USERS and not found[1].startswith((".", "$", "*", "%")) and not found[1].isdigit():
                yield found.span(1)


def _is_email(found: str) -> bool:
    local, _, domain = found.partition("@")
    return local not in ("git", "org", "hg") and not domain.lower().endswith((".py", ".so", ".whl", ".txt", ".json", ".git", ".yaml"))


def _addresses(text: str) -> Iterator[tuple[int, int]]:
    for found in _IPV4.finditer(text):
        parts = [int(part) for part in found[1].split(".")]
        usable = all(part <= 255 for part in parts) and 0 < parts[0] < 240 and parts[0] != 127 and parts[0] != 255
        if usable and found[1] != "169.254.169.254" and not _VERSION_BEFORE.search(text[max(0, found.start() - 24):found.start()]):
            yield found.span(1)
    for found in _IPV6.finditer(text) if "::" in text or text.count(":") >= 7 else ():
        if _is_ipv6(found[1].rstrip(":") if not found[1].endswith("::") else found[1], text[max(0, found.start() - 24):found.start()]):
            yield found.span(1)


def _is_ipv6(candidate: str, before: str) -> bool:
    if not any(char.isdigit() for char in candidate) or "gid" in before.lower():
        return False
    import ipaddress  # few logs hold anything that gets here

    try:
        address = ipaddress.IPv6Address(candidate)
    except ValueError:
        return False
    # Link-local addresses are InfiniBand GIDs more often than anything else, and lead nowhere.
    return not (address.is_loopback or address.is_unspecified or address.is_link_local or int(address) < 1 << 32)


def _urls(text: str) -> Iterator[tuple[int, int]]:
    if "://" not in text:
        return
    for found in _URL.finditer(text):
        inner = found[1].rstrip(".,;)]}")
        start = found.start(1)
        if _USERINFO.match(inner) or SIGNED_QUERY.search(inner) or HOOKS.match("//" + inner):
            yield start, start + len(inner)
