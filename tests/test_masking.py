# SPDX-License-Identifier: MIT
"""What leaves a report: every secret format hidden in every wrapping, and nothing that a diagnosis needs.

The secrets are made at run time from the formats' shapes. None is committed: a live-looking key in a repository is an alarm.
"""

import random
import re
import string
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firstfault.masking import Masker, mask

LETTERS, DIGITS = string.ascii_letters, string.digits
MIXED = LETTERS + DIGITS
URLSAFE = MIXED + "_-"
HEX = "0123456789abcdef"
BASE64 = MIXED + "+/"
RANDOM = random.Random(20261130)  # noqa: S311


def chars(count: int, alphabet: str = MIXED) -> str:
    """Random characters: never the same letter only, as a real key never is."""
    return "".join(RANDOM.choice(alphabet) for _ in range(count))


FORMATS = {
    "hugging face": lambda: "hf_" + chars(34, LETTERS),
    "hugging face organisation": lambda: "api_org_" + chars(34, LETTERS),
    "nvidia api": lambda: "nvapi-" + chars(64, URLSAFE[:-1]) + chars(1),
    "replicate": lambda: "r8_" + chars(37),
    "openai": lambda: "sk-proj-" + chars(48) + "T3Blbk" + "FJ" + chars(20),
    "openai, old": lambda: "sk-" + chars(48),
    "anthropic": lambda: "sk-ant-api03-" + chars(92) + "AA",
    "perplexity": lambda: "pplx-" + chars(48),
    "groq": lambda: "gsk_" + chars(52),
    "databricks": lambda: "dapi" + chars(32, HEX),
    "prefect": lambda: "pnu_" + chars(36),
    "langsmith": lambda: "lsv2_pt_" + chars(32, HEX) + "_" + chars(10, HEX),
    "aws access key": lambda: "AKIA" + chars(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
    "aws temporary key": lambda: "ASIA" + chars(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
    "google": lambda: "AIza" + chars(34) + "x",
    "google oauth": lambda: "ya29." + chars(60),
    "azure ad": lambda: chars(3) + "8Q~" + chars(34),
    "alibaba": lambda: "LTAI" + chars(20),
    "digitalocean": lambda: "dop_v1_" + chars(64, HEX),
    "github": lambda: "ghp_" + chars(36),
    "github oauth": lambda: "gho_" + chars(36),
    "github app": lambda: "ghs_" + chars(36),
    "github fine-grained": lambda: "github_pat_" + chars(22) + "_" + chars(59),
    "gitlab": lambda: "glpat-" + chars(20),
    "pypi": lambda: "pypi-" + "AgEIcHlwaS5vcmc" + chars(70),
    "npm": lambda: "npm_" + chars(36),
    "jfrog": lambda: "AKCp" + chars(69),
    "docker hub": lambda: "dckr_pat_" + chars(27),
    "jwt": lambda: "eyJ" + chars(30) + ".eyJ" + chars(60) + "." + chars(43),
    "vault": lambda: "hvs." + chars(95),
    "slack bot": lambda: "xoxb-" + chars(11, DIGITS) + "-" + chars(12, DIGITS) + "-" + chars(24),
    "slack app": lambda: "xapp-1-" + chars(11) + "-" + chars(13, DIGITS) + "-" + chars(40, HEX),
    "grafana": lambda: "glsa_" + chars(32) + "_" + chars(8, HEX),
    "sentry": lambda: "sntryu_" + chars(64, HEX),
    "telegram": lambda: chars(10, "123456789") + ":AA" + chars(33),
    "tailscale": lambda: "tskey-auth-" + chars(12) + "-" + chars(32),
    "1password": lambda: "ops_eyJ" + chars(250),
    "age": lambda: "AGE-SECRET-KEY-1" + chars(58, string.ascii_uppercase + DIGITS),
    "stripe": lambda: "sk_live_" + chars(24),
    "sendgrid": lambda: "SG." + chars(22) + "." + chars(43),
    "linear": lambda: "lin_api_" + chars(40),
    "shopify": lambda: "shpat_" + chars(32, HEX),
}
WRAPPINGS = ("{}", "token {} in a sentence", 'export HF_TOKEN="{}"', "SECRET={} python train.py", "['--api-key', '{}']", '{{"token": "{}"}}',
             "[rank3]: headers={{'Authorization': 'Bearer {}'}}", "https://host/path?q={}&x=1", "Namespace(key='{}', lr=0.1)")
NAMED = {
    "wandb": lambda: f"WANDB_API_KEY={chars(40, HEX)}",
    "wandb in a dump": lambda: f"environ({{'PATH': '/usr/bin', 'WANDB_API_KEY': '{chars(40, HEX)}', 'A': 'b'}})",
    "ngc": lambda: f"NGC_API_KEY={chars(84)}",
    "aws secret": lambda: f"AWS_SECRET_ACCESS_KEY={chars(40, BASE64)}",
    "aws session": lambda: f'"aws_session_token": "{chars(300, BASE64)}"',
    "password": lambda: f"password={chars(9)}",
    "password, escaped json": lambda: f'{{\\"password\\": \\"{chars(9)}\\"}}',
    "password argument": lambda: f"mysql --password {chars(9)} -h db",
    "token argument": lambda: f"train.py --hf_token={chars(24)} --lr 1",
    "argv": lambda: f"argv: ['train.py', '--token', '{chars(24)}']",
    "azure storage": lambda: f"AccountName=x;AccountKey={chars(86, BASE64)}==;EndpointSuffix=core",
    "docker config": lambda: f'"auth": "{chars(40)}"',
    "basic header": lambda: f"Authorization: Basic {chars(32)}=",
    "cookie": lambda: f"Cookie: session={chars(32)}; theme=dark",
    "api header": lambda: f"X-Api-Key: {chars(32)}",
    "curl user": lambda: f"curl -s -u robot:{chars(16)} https://host/x",
    "comet": lambda: f"COMET_API_KEY={chars(25)}",
    "generic token": lambda: f"token={chars(6)}7{chars(6).upper()}q8Z{chars(12)}4X",
    "yaml": lambda: f"client_secret: {chars(32)}",
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_a_known_format_is_hidden_in_every_wrapping(name: str, wrapping: str) -> None:
    RANDOM.seed(name + wrapping)  # the same secrets whichever tests are chosen
    for _ in range(5):
        secret = FORMATS[name]()
        masked = mask(wrapping.format(secret))
        assert secret not in masked.text
        assert secret[4:-4] not in masked.text


@pytest.mark.parametrize("name", NAMED)
def test_a_secret_is_known_by_the_name_before_it(name: str) -> None:
    RANDOM.seed(name)
    for _ in range(20):
        line = NAMED[name]()
        masked = mask(line)
        assert [span.kind for span in masked.spans if span.kind in ("token", "url")], line
        hidden = [line[span.start:span.end] for span in masked.spans]
        assert all(value not in masked.text for value in hidden)


NEVER = """
GPU-1b2c3d4e-aaaa-bbbb-cccc-1234567890ab
MIG-GPU-1b2c3d4e-aaaa-bbbb-cccc-1234567890ab/3/0
NVRM: Xid (PCI:0000:17:00): 79, pid=1234, GPU has fallen off the bus.
0000:17:00.0 and 0x7f3b5c0e1d50 and c10::Error at ::add<float>
comm 0x55d2a6e31c40 rank 3 nranks 16 cudaDev 3 busId 17000 commId 0x9f1c3b2a8d7e6f50 - Init COMPLETE
commHash 0x3aa0d1f2b4c5e677 ncclUniqueId: 2f8a9b3c4d5e6f708192a3b4c5d6e7f8
git sha 3f786850e387550fdab836ed7e6dc881de23001b, image sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
tokens/s: 48211.7 tokens per second=1234567890123456 num_tokens=4096 max_tokens=8192 token_type_ids=tensor([0])
pad_token='<|endoftext|>' pad_token=<pad> eos_token_id=128009 bos_token='<s>' image_token=<image_soft_token_0123456789>
KeyError: 'model.layers.0.self_attn.q_proj.weight'
key='model.layers.11.mlp.experts.3.down_proj.weight' missing key: model.embed_tokens.weight
sorted(names, key=lambda name: name.split('.')[0]) key_padding_mask=None
WorkNCCL(SeqNum=15734, OpType=ALLREDUCE, NumelIn=67108864, NumelOut=67108864, Timeout(ms)=600000)
nvidia-nccl-cu12==2.18.3.1 cudnn 8.9.2.26 version 12.1.3.1 NCCL version 2.27.3+cuda12.9 v1.2.3.4 tensorrt-10.0.1.6
connect to 127.0.0.1:29500, bind 0.0.0.0:8000, :::8000, [::]:29500, ::1
GID fe80:0000:0000:0000:0c42:a103:0065:4e5a lid 12 port 1 mlx5_0:1/RoCE fe80::c42:a1ff:fe65:4e5a
_ZN3c104cuda29c10_cuda_check_implementationEiPKcS2_jb
File "/usr/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1553, in _call_impl
/home/ubuntu/train.py /home/runner/work /root/.cache
token=use_auth_token, password=getpass(), secret=None, api_key=os.environ['KEY'], HF_TOKEN=${HF_TOKEN} token=*** token: <token>
use_auth_token=True hf_token=None --token $HF_TOKEN, password: required
trust_remote_code=True, model=meta-llama/Llama-3.1-8B-Instruct@0e9e39f249a16976918f6564b8830bc894c89659
@torch.no_grad() def f(): torchrun --nproc-per-node=8 train.py
2026-11-30T12:04:05.123456Z 12:34:56 [rank3]:[E1130 12:04:05.123456 1234 ProcessGroupNCCL.cpp:616]
git@github.com:pytorch/pytorch.git https://github.com/pytorch/pytorch/issues/1 https://huggingface.co/x?download=true
slurmstepd: error: Detected 1 oom_kill event in StepId=123.0 nid [3] 100%|##########| 12/12 [00:01<00:00, 9.3it/s]
[W socket.cpp:601] pair.cc:553 rank-3.log:26 run-1.out:1234 node-1.txt:3000 my-script.v1.py:1200 libnccl-net.so:1234 step-100.ckpt:2000
src.distributed:119 olmo.data:77 torch.distributed:1234 accelerate.utils.io:1234 huggingface.co:443 api.wandb.ai:443 192.0.2.x:80 loss:1.5
libcudart.so.12 GLIBC_2.34 sm_90a torch-2.9.0+cu128-cp311-cp311-manylinux_2_28_x86_64.whl
""".strip().split("\n")


@pytest.mark.parametrize("line", NEVER)
def test_what_a_diagnosis_needs_stays(line: str) -> None:
    assert mask(line).text == line


def test_a_pseudonym_is_the_same_everywhere() -> None:
    masker = Masker()
    first = masker.mask("node-a12:1:2 [0] NCCL INFO x\nnode-b7:1:2 [0] NCCL INFO x").text
    second = masker.mask("srun: error: node-b7: task 3: Killed, then node-a12.").text
    assert first == "<host-1>:1:2 [0] NCCL INFO x\n<host-2>:1:2 [0] NCCL INFO x"
    assert second == "srun: error: <host-2>: task 3: Killed, then <host-1>."
    assert masker.legend() == {"host": 2}


def test_short_and_full_host_name_are_one_host() -> None:
    masker = Masker(["node-a12.cluster.example.org"])
    assert masker.mask("node-a12 and node-a12.cluster.example.org and node-a123").text == "<host-1> and <host-1> and node-a123"


@pytest.mark.parametrize(("line", "expected"), [
    ('File "/home/alice/run/train.py"', 'File "/home/<user-1>/run/train.py"'),
    ("/Users/Zoë/x and C:\\Users\\Bob\\x and C:\\\\Users\\\\Bob\\\\x", "/Users/<user-1>/x and C:\\Users\\<user-2>\\x and C:\\\\Users\\\\<user-2>\\\\x"),
    ("USER=alice uid=1000(alice) /scratch/alice/ckpt", "USER=<user-1> uid=1000(<user-1>) /scratch/<user-1>/ckpt"),
    ("alice@node-b7:~$ ls", "<user-1>@<host-1>:~$ ls"),
    ("mail carol.d+x@corp.example.net now", "mail <email-1> now"),
    ("connect to 10.0.3.4:29500 failed, again 10.0.3.4", "connect to <ip-1>:29500 failed, again <ip-1>"),
    ("peer [2001:db8::12:34]:29500", "peer [<ip-1>]:29500"),
    ("http://robot:pw@proxy.corp:3128/ x", "http://<url-1> x"),
    ("GET https://b.s3.example.net/k?X-Amz-Signature=abc&x=1 403", "GET https://<url-1> 403"),
    ("ip-10-0-3-8 died", "<host-1> died"),
    ("Mar 22 14:02:31 ws-b kernel: [ 4412.1] AMD-Vi: Event", "Mar 22 14:02:31 <host-1> kernel: [ 4412.1] AMD-Vi: Event"),
    ("ssh alice@10.0.3.4", "ssh alice@<ip-1>"),
    ("import ray.cluster.utils, ray died", "import ray.cluster.utils, ray died"),
    ("node/10.0.3.4 -> 10.0.3.5<0>", "node/<ip-1> -> <ip-2><0>"),
    ("  host      : ws-b.lan", "  host      : <host-1>"),
    ("Connect to node-17.cluster.example.com:29500 failed", "Connect to <host-1>:29500 failed"),
    ("connect to login.hpc.example.edu:443, then head.pool.example.com:29500", "connect to <host-1>:443, then <host-2>:29500"),
    ("pod maxtext-0.maxtext:6002 is away, gpu17.pool-b:6379 too", "pod <host-1>:6002 is away, <host-2>:6379 too"),
    ("failed to connect to any network address of (trainer-0, 29500)", "failed to connect to any network address of (<host-1>, 29500)"),
    ("HTTPSConnectionPool(host='hub.corp.example.com', port=443): Failed to resolve 'hub.corp.example.com'",
     "HTTPSConnectionPool(host='<host-1>', port=443): Failed to resolve '<host-1>'"),
    ("failed to connect to all addresses; dns:///head.example.net:6379", "failed to connect to all addresses; dns:///<host-1>:6379"),
])
def test_people_and_machines_become_pseudonyms(line: str, expected: str) -> None:
    assert mask(line).text == expected


def test_a_secret_learnt_once_is_hidden_where_no_pattern_would_find_it() -> None:
    secret = chars(24) + "9"
    masker = Masker()
    masker.learn(f"WANDB_API_KEY={secret}")
    assert masker.mask(f"GET /u/{secret}x").text == "GET /u/<token-1>x"
    assert masker.mask_known(f"say {secret}").text == "say <token-1>"


def pem(lines: int) -> list[str]:
    """A private key's lines."""
    kind = "RSA " + "PRIVATE KEY"
    return [f"-----BEGIN {kind}-----", *(chars(60) + "aA1+" for _ in range(lines)), f"-----END {kind}-----"]


def test_a_private_key_is_hidden_line_by_line() -> None:
    key = pem(5)
    masked = Masker().mask_lines(["before", *key, "after"])
    assert len(masked) == 9
    assert masked[0] == "before" and masked[-1] == "after"
    assert all(re.fullmatch(r"<key-\d>", line) for line in masked[1:-1])


@pytest.mark.parametrize("piece", [slice(0, 4), slice(2, 5)])
def test_a_private_key_that_was_cut_is_hidden(piece: slice) -> None:
    masked = "\n".join(Masker().mask_lines(pem(5)[piece]))
    assert all(line not in masked for line in pem(5)[piece] if "-----" not in line)
    assert re.fullmatch(r"(<key-\d>\n?)+", masked)


def test_a_private_key_on_one_line_is_hidden() -> None:
    key = "\\n".join(pem(5))
    assert mask(f'"private_key": "{key}"').text in ('"private_key": "<key-1>"', '"private_key": "<token-1>"')


def test_spans_say_what_stood_where() -> None:
    text = "host 10.0.3.4 and /home/alice/x"
    masked = mask(text)
    assert [(span.kind, text[span.start:span.end], span.shown) for span in masked.spans] == [("ip", "10.0.3.4", "<ip-1>"), ("user", "alice", "<user-1>")]


PIECES = st.sampled_from([
    "token=", "password: ", "Bearer ", "-----BEGIN " + "PRIVATE KEY-----", "-----END " + "PRIVATE KEY-----", "/home/", "alice", "@",
    "node-1", ".corp", ":29500",
    "10.0.0.1", "::1", "fd00::2", "http://", "\"", "'", "\\", "\n", " ", "=", "hf_", "host : ", "Aa1+" * 16, "<host-1>", "\udc80", "\x1b[31m", "é"])


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES | st.text(max_size=8), max_size=30).map("".join))
def test_any_text_keeps_its_lines_and_what_is_not_masked(text: str) -> None:
    masked = mask(text)
    assert masked.text.count("\n") == text.count("\n")
    rebuilt, position = [], 0
    for span in masked.spans:
        assert position <= span.start < span.end
        rebuilt += [text[position:span.start], span.shown]
        position = span.end
    assert "".join([*rebuilt, text[position:]]) == masked.text


def test_masking_twice_changes_nothing() -> None:
    once = mask("node-a12:1:2 [0] NCCL INFO /home/alice 10.0.0.1 password=hunter22 a@b.example").text
    assert mask(once).text == once


@pytest.mark.parametrize("unit", [
    "key:", "a@", "1.1.1.1.", "::1", "/home/", "http://", "A", "password=", "eyJ", "a.b-", "curl ", "host : ", "sk-", "Bearer ", " ", "Jan  1 00:00:00 ",
    "slurmstepd: error: ", "x\n", "[a]:", "-----BEGIN " + "PRIVATE KEY-----", "user=", "token token=", "\\\\\"", "--token "])
def test_time_is_linear_in_the_text(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        started = time.process_time()
        mask(text)
        return time.process_time() - started

    seconds(1000)
    small, large = min(seconds(15_000) for _ in range(2)), min(seconds(60_000) for _ in range(2))
    assert large < 2
    assert large < 10 * small + 0.1  # four times the text; quadratic would be sixteen
