# SPDX-License-Identifier: MIT
"""The small pieces that pages are made of: commands, tables, badges, links."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import Any

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from .entry import Entry
from .markup import BASE, phrase

ROLES = {
    "root": ("root", "Root cause", "Can start a failure: when this line is the earliest of its kind, it is the first fault."),
    "either": ("either", "Root or consequence", "Starts a failure or follows from one: the other lines of the log decide."),
    "consequence": ("consequence", "Consequence", "Always follows another fault: look for what happened before it."),
    "wrapper": ("wrapper", "Wrapper", "Only reports that something else failed: the real error is elsewhere."),
    "benign": ("benign", "Harmless line", "Looks bad, and does not end a run by itself."),
}
BEHAVIOURS = {"crash": "Crash", "hang": "Hang", "slow": "Slow", "wrong-result": "Wrong result", "refuses-to-start": "Does not start", "goes-on": "Goes on"}
LAYERS = {
    "hardware": "the device or link itself speaks",
    "kernel": "the operating system or driver acts",
    "process": "one rank's own exception or crash",
    "communication": "what ranks see of each other",
    "launcher": "what a parent says of its children",
    "scheduler": "what the cluster says of the job",
}
LABELS = {
    "ddp-fsdp": "DDP and FSDP", "cuda-runtime": "CUDA runtime", "cuda-memory": "CUDA memory", "gpu-hardware": "GPU hardware", "nvlink-fabric": "NVLink fabric",
    "network-ib-roce": "InfiniBand and RoCE", "network-socket": "Sockets and names", "host-memory-disk": "Host memory and disk",
    "container-driver": "Containers and drivers", "compile-kernels": "Compilation and kernels", "precision-numerics": "Precision and numerics",
    "deepspeed": "DeepSpeed", "megatron-nemo": "Megatron and NeMo", "hf-stack": "Hugging Face stack", "serving-vllm": "Serving: vLLM",
    "serving-other": "Serving: others", "mpi-ucx": "MPI and UCX", "storage-hub": "Storage and hubs", "jax-tpu": "JAX and TPU", "rocm": "ROCm",
    "rendezvous-store": "Rendezvous and store", "data-loading": "Data loading", "silent": "Silent failures",
}
FORMATTER = HtmlFormatter(nowrap=True)


def family_name(family: str) -> str:
    """Give a family's name for people."""
    return LABELS.get(family, family.replace("-", " ").capitalize())


def role(entry: Entry) -> str:
    """Give the one word for what an entry's line is."""
    if entry.kind != "failure":
        return entry.kind
    roles = {signal["role"] for signal in entry.data["signals"]}
    return next((name for name in ("root", "either", "consequence", "wrapper") if name in roles), "consequence")


def badge(entry: Entry) -> str:
    """Show what an entry's line is."""
    style, label, meaning = ROLES[role(entry)]
    return f'<span class="pg-badge pg-{style}" title="{escape(meaning)}">{label}</span>'


def command(text: str) -> str:
    """Show a command that copies in one click."""
    return f'<div class="highlight pg-command"><pre><code>{escape(text.rstrip(), quote=False)}\n</code></pre></div>'


@cache
def code(text: str, language: str) -> str:
    """Show code in colours."""
    body = highlight(text.rstrip() + "\n", get_lexer_by_name(language), FORMATTER)
    return f'<div class="highlight"><pre><code>{body}</code></pre></div>'


def anchor_link(anchor: str, what: str) -> str:
    """Link to a place on this page, shown beside it when it is pointed at or focused."""
    return f'<a class="headerlink" href="#{anchor}" aria-label="Link to this {what}">#</a>'


def heading(anchor: str, title: str) -> str:
    """Show a heading below a section's, with the link to it."""
    return f'<h3 id="{anchor}">{escape(title)}{anchor_link(anchor, "part")}</h3>'


def table(heads: list[str], rows: list[list[str]], style: str = "", anchor: str = "") -> str:
    """Show a table whose cells are HTML already; on a phone each cell carries its column's name. With an anchor each row has a link to it."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    body = ""
    for place, row in enumerate(rows, 1):
        cells = [row[0] + anchor_link(f"{anchor}{place}", "row"), *row[1:]] if anchor else row
        body += (f'<tr id="{anchor}{place}">' if anchor else "<tr>") + "".join(f'<td data-head="{escape(heads[n])}">{cell}</td>' for n, cell in enumerate(cells)) + "</tr>"
    return f'<div class="pg-table {style}"><table class="pg-rows"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def bullets(items: list[str], style: str = "") -> str:
    """Show a list whose items are HTML already."""
    return (f'<ul class="{style}">' if style else "<ul>") + "".join(f"<li>{item}</li>" for item in items) + "</ul>"


def link(entry: Entry) -> str:
    """Link to an entry by its title."""
    return f'<a href="{BASE}{entry.id}/">{phrase(entry.data["title"])}</a>'


def card(entry: Entry) -> str:
    """Show an entry in a list: title, signature, badge, first sentence."""
    data: dict[str, Any] = entry.data
    return (
        f'<li class="pg-card"><p class="pg-card-title">{link(entry)} {badge(entry)}</p>'
        f'<code class="pg-card-line">{escape(data["signature"], quote=False)}</code></li>'
    )
