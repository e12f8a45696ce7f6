# SPDX-License-Identifier: MIT
"""Secrets known by the name that stands before them: `WANDB_API_KEY=...`, `--token ...`, `"password": "..."`.

"token" and "key" are ordinary words in this field (`pad_token=`, `tokens/s`, `KeyError: 'x'`), so a bare one counts only
with a value that looks random; a name that says secret (`password`, `api_key`, `HF_TOKEN`) counts with nearly any value.
"""

import math
import re
from collections.abc import Iterator

from .lazy import Pattern

# The last word of the name, the separator and the value. The rest of the name is read leftwards by hand, so that no two
# repeats of this pattern compete for the same characters.
_PAIR = Pattern(
    r"(?P<word>passw(?:or)?d|passphrase|passcode|pwd|secret|credentials?|token|key|pat|dsn)"
    r"(?P<sep>\\{0,2}[\"']?\]?\s{0,3}(?:=>|:=|[:=]|,(?=\s{0,3}\\{0,2}[\"'])|(?<=[a-zA-Z])[ ](?=\S))\s{0,3})"
    r"(?P<quote>\\{0,2}[\"']|)", re.IGNORECASE)
_NAME = Pattern(r"[A-Za-z0-9_.-]{0,60}")
# A bare value is judged by its first 256 characters, so that `key:key:key:...` costs no more than its length times a constant.
_BARE = Pattern(r"[^\s\"',;&)}\]>|]{1,256}")
_BARE_REST = Pattern(r"[^\s\"',;&)}\]>|]*")

_ALWAYS = ("password", "passwd", "pwd", "passphrase", "passcode")
_OWNERS = (
    "api|access|secret|private|auth|hf|huggingface|hugging_face|hub|wandb|github|gh|gitlab|git|slack|refresh|bearer|session|"
    "bot|sas|ngc|nvidia|nvapi|openai|anthropic|cohere|mistral|groq|together|replicate|comet|neptune|mlflow|aws|azure|gcp|"
    "google|account|storage|client|service|oauth|jwt|encryption|encrypt|signing|master|admin|deploy|license|licence|webhook|"
    "datadog|dd|sentry|grafana|vault|kaggle|ray|runpod|lambda|modal|databricks|prefect|clearml|swanlab|dockerhub|docker|"
    "registry|npm|pypi|twine|artifactory|cloudflare|telegram|discord|pagerduty|consul|nomad|redis|db|database|mysql|postgres|"
    "sudo|root|user|ssh|gpg|serving|vllm|server|x-api"
)
_STRONG_NAME = Pattern(rf"(?:^|[_.-])(?:{_OWNERS})[_.-]?(?:access[_.-]?)?(?:key|token|secret|pat|credentials?|dsn)$|"
                          r"(?:^|[_.-])(?:api|access|auth)(?:key|token)$|(?:^|[_.-])secret$|secret[_.-]?(?:access[_.-]?)?key$", re.IGNORECASE)
_INNOCENT_NAME = Pattern(
    r"(?:^|[_.-])(?:pad|eos|bos|unk|sep|cls|mask|stop|image|video|audio|special|next|last|first|prev|num|max|min|per|start|end|"
    r"primary|foreign|sort|cache|partition|state|dict|column|label|image|text|data|input|output|group|public|store|prefix|"
    r"hash|lookup|metric|monitor|dataset|key_padding|idempotency|shape|feature|target|json|yaml|config|field|bad|user_defined|extra)"
    r"[_.-]?(?:token|key)$", re.IGNORECASE)
_PLACEHOLDER = Pattern(r"\A(?:[*xX.•#_-]{1,80}|<[^>]{0,100}>?|\$.{0,100}|%\(?.{0,60}|\{.{0,100}|\[.{0,100}|null|none|nil|true|false|yes|no|"
                          r"undefined|unset|n/?a|redacted|masked|hidden|your[_-].{0,60}|changeme|dummy|empty|not[_ -]?set|required|"
                          r"missing|invalid|expired|0|1|str|string|os\.environ.{0,80}|os\.getenv.{0,80}|self\..{0,80}|args\..{0,80})\Z",
                          re.IGNORECASE)
# Source code in a traceback: `token=use_auth_token`, `password=getpass.getpass()`.
_CODE = Pattern(r"\A[A-Za-z_][a-z_]{0,60}(?:[.(\[].{0,60})?\Z")
_FILLER = Pattern(r"\A(?:is|was|has|for|of|in|and|or|not|to|authentication|auth)\Z", re.IGNORECASE)
_PATHLIKE = Pattern(r"\A(?:[.~]{0,2}/|[A-Za-z]:[\\/])")
_HEX = Pattern(r"\A[0-9a-fA-F]{24,128}\Z")
_NUMBER = Pattern(r"\A[-+]?\d{1,15}(?:\.\d{1,15})?\Z")


def entropy(value: str) -> float:
    """Bits per character."""
    length = len(value)
    return -sum(n / length * math.log2(n / length) for n in (value.count(c) for c in set(value))) if length else 0.0


_LOWER, _UPPER, _DIGIT, _OTHER = (Pattern(chars) for chars in ("[a-z]", "[A-Z]", "[0-9]", "[^A-Za-z0-9]"))
_RUNS = Pattern("[a-z]{3,}")
_VOWEL = Pattern("[aeiou]")


def looks_random(value: str) -> bool:
    """At least 16 characters of three classes with 3.5 bits each, and no word: numbers, names and paths are none."""
    value = value[:128]
    if len(value) < 16 or _PATHLIKE.match(value) or _NUMBER.match(value) or not _DIGIT.search(value):
        return False
    if sum(bool(kind.search(value)) for kind in (_LOWER, _UPPER, _DIGIT, _OTHER)) < 3:
        return False
    # Words have runs of small letters with a vowel (`Qwen2ForCausalLM`, `layers.0.weight`); random base64 hardly has any.
    words = sum(len(run) for run in _RUNS.findall(value) if _VOWEL.search(run))
    return words < 0.42 * len(value) and entropy(value) >= 3.5


def is_placeholder(value: str) -> bool:
    """`***`, `<token>`, `${TOKEN}`, `None`: a value that hides nothing."""
    return bool(_PLACEHOLDER.match(value[:120]))


def find_named(text: str) -> Iterator[tuple[int, int]]:
    """Where the values of named secrets stand: (start, end)."""
    position = 0
    while found := _PAIR.search(text, position):
        position = found.end("word")
        name = _NAME.match(text[max(0, found.start() - 60):found.start()][::-1])[0][::-1] + found["word"]
        start, end = _value(text, found)
        if end > start and _is_secret(name, found["sep"], text[start:end], bool(found["quote"])):
            end = end if found["quote"] else _BARE_REST.match(text, end).end()
            yield start, end
            position = end


def _value(text: str, found: re.Match[str]) -> tuple[int, int]:
    start, quote = found.end(), found["quote"]
    if not quote:
        value = _BARE.match(text, start)
        return start, value.end() if value else start
    newline = text.find("\n", start, start + 1000)
    limit = newline if newline >= 0 else min(len(text), start + 1000)
    end = text.find(quote, start, limit)
    return start, end if end >= 0 else limit


def _is_secret(name: str, sep: str, value: str, quoted: bool) -> bool:
    argument = name.startswith("--")
    # `word value` and `word, "value"` name a secret only where words are arguments: `--token abc`, `['--token', 'abc']`.
    if len(value) < 3 or not argument and (not sep.strip() or sep.lstrip("\\\"']").startswith(",")):
        return False
    lowered = name.lower().lstrip("-")
    certain = lowered.endswith(_ALWAYS)
    strong = not certain and (len(lowered) > 5 and bool(_STRONG_NAME.search(lowered)) or argument and lowered == "token")
    if not (certain or strong or looks_random(value) or argument and len(value) >= 20 and _HEX.match(value)):
        return False
    if _PATHLIKE.match(value) or _FILLER.match(value) or is_placeholder(value) or _INNOCENT_NAME.search(name):
        return False
    if certain:
        return quoted or not _CODE.match(value)
    if value.startswith(("http://", "https://")):
        return False
    return not strong or len(value) >= 8 and not _NUMBER.match(value) and (quoted or not _CODE.match(value))
