# SPDX-License-Identifier: MIT
"""The secret formats that turn up in training and serving logs, as data: keyword gate, then a bounded pattern.

Each row is (gate, pattern). The gate is a plain substring that must be in the text before the pattern is tried, so the
many formats cost one `in` each. Every repeat is bounded and no pattern has two neighbouring repeats over the same
characters: time stays linear on any input. The hidden part is group 1 where there is one, else the whole match.
"""

import re

from .lazy import Pattern

_END = r"(?![A-Za-z0-9_-])"
_NOT_IN_WORD = r"(?<![A-Za-z0-9_-])"

_TOKENS: list[tuple[str, str]] = [
    # ML hubs, trackers and model providers
    ("hf_", r"hf_[A-Za-z0-9]{30,64}"),
    ("api_org_", r"api_org_[A-Za-z0-9]{30,64}"),
    ("wandb", r"wandb_v1_[A-Za-z0-9_-]{20,120}"),
    ("nvapi-", r"nvapi-[A-Za-z0-9_-]{40,100}"),
    ("r8_", r"r8_[A-Za-z0-9]{36,40}"),
    ("sk-", r"sk-ant-[a-z0-9]{3,10}-[A-Za-z0-9_-]{60,120}"),
    ("sk-", r"sk-(?:proj-|svcacct-|admin-|or-v1-|lf-)?[A-Za-z0-9_-]{20,200}"),
    ("pk-lf-", r"pk-lf-[a-f0-9-]{36}"),
    ("pplx-", r"pplx-[A-Za-z0-9]{40,64}"),
    ("gsk_", r"gsk_[A-Za-z0-9]{40,64}"),
    ("xai-", r"xai-[A-Za-z0-9]{60,100}"),
    ("fw_", r"fw_[A-Za-z0-9]{22,40}"),
    ("lsv2_", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{8,12}"),
    ("rpa_", r"rpa_[A-Z0-9]{36,50}"),
    ("esecret_", r"esecret_[A-Za-z0-9]{20,60}"),
    ("dapi", r"dapi[a-f0-9]{32}(?:-\d)?"),
    ("pnu_", r"pnu_[A-Za-z0-9]{36}"),
    ("KGAT_", r"KGAT_[A-Za-z0-9]{32}"),
    # clouds
    ("A", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"),
    ("ABSK", r"ABSK[A-Za-z0-9+/]{109,269}={0,2}"),
    ("AIza", r"AIza[A-Za-z0-9_-]{35}"),
    ("ya29.", r"ya29\.[A-Za-z0-9_-]{20,400}"),
    ("GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{28}"),
    ("Q~", r"[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}"),
    ("LTAI", r"LTAI[A-Za-z0-9]{17,21}"),
    ("_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    # code hosts and registries
    ("gh", r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    ("github_pat_", r"github_pat_[A-Za-z0-9_]{60,90}"),
    ("gl", r"gl(?:pat|dt|rt|ptt|cbt|imt|agent|soat|ft|oas|ffct)-[A-Za-z0-9_-]{20,300}"),
    ("pypi-", r"pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,300}"),
    ("npm_", r"npm_[A-Za-z0-9]{36}"),
    ("AKCp", r"AKCp[A-Za-z0-9]{69}"),
    ("cmVmd", r"cmVmdGtu[A-Za-z0-9]{56}"),
    ("dckr_", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,60}"),
    # infrastructure and messaging
    ("eyJ", r"eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{8,4000}(?:\.[A-Za-z0-9_-]{0,1000})?"),
    ("hv", r"hv[sbr]\.[A-Za-z0-9_-]{20,300}"),
    ("xox", r"xox[abeoprs]-[A-Za-z0-9-]{10,250}"),
    ("xapp-", r"xapp-\d-[A-Za-z0-9-]{20,200}"),
    ("gl", r"gl(?:c_[A-Za-z0-9+/]{32,400}={0,2}|sa_[A-Za-z0-9]{32}_[a-f0-9]{8})"),
    ("sntry", r"sntry[su]_[A-Za-z0-9+/=_-]{40,400}"),
    (":A", r"\d{8,12}:A[A-Za-z0-9_-]{34}"),
    ("tskey-", r"tskey-[a-z]{2,12}-[A-Za-z0-9-]{10,100}"),
    ("ops_eyJ", r"ops_eyJ[A-Za-z0-9+/=_-]{100,2000}"),
    ("AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    ("_live_", r"[sr]k_live_[A-Za-z0-9]{20,120}"),
    ("SG.", r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    ("atlasv1", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),
    ("ATATT3", r"ATATT3[A-Za-z0-9_=-]{80,250}"),
    ("lin_api_", r"lin_api_[A-Za-z0-9]{40}"),
    ("shp", r"shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32}"),
    ("ntn_", r"ntn_[A-Za-z0-9]{40,50}"),
]

_SHAPES: list[tuple[str, str]] = [
    ("earer ", r"[Bb]earer\s{1,4}([A-Za-z0-9._~+/=-]{12,4000})"),
    ("uthorization", r"[Aa]uthorization\\?[\"']?\s{0,4}[:=]\s{0,4}\\?[\"']?(?:(?:Basic|Token|Bearer|token|basic)\s{1,4})?"
                     r"([A-Za-z0-9._~+/=:-]{8,4000})"),
    ("ookie", r"(?:Set-)?[Cc]ookie\\?[\"']?\s{0,4}:\s{0,4}([^\r\n\"']{6,4000})"),
    ("curl", r"(?<=\s)(?:-u|--user)[ =]{0,2}[\"']?([^\s\"':]{1,100}:[^\s\"']{2,200})"),
    ("wandb login", r"wandb login(?: --relogin)?[ =]{1,2}([A-Fa-f0-9]{40})"),
    ("\"auth\"", r"\"auth\"\s{0,4}:\s{0,4}\"([A-Za-z0-9+/=]{12,400})\""),
    ("AccountKey=", r"AccountKey=([A-Za-z0-9+/]{40,100}={0,2})"),
    ("SharedAccess", r"SharedAccess(?:Key|Signature)=([^\s;\"']{16,400})"),
]

# (gate, pattern), tried in order; the first to claim a piece of text keeps it
PATTERNS: list[tuple[str, Pattern]] = [
    *((gate, Pattern(_NOT_IN_WORD + pattern + _END)) for gate, pattern in _TOKENS),
    *((gate, Pattern(pattern)) for gate, pattern in _SHAPES),
]

# Query fields that make an address a password: presigned storage links, Azure SAS, callback tokens.
SIGNED_QUERY = Pattern(
    r"[?&](?:X-Amz-(?:Signature|Credential|Security-Token)|X-Goog-Signature|Signature|AWSAccessKeyId|sig|sv|token|access_token|"
    r"api_?key|key|auth|password|secret|code|Policy|Key-Pair-Id)=[^&\s]", re.IGNORECASE)
HOOKS = Pattern(r"//(?:hooks\.slack\.com/|discord(?:app)?\.com/api/webhooks/|[A-Za-z0-9.-]{1,100}\.webhook\.office\.com/|"
                   r"outlook\.office\.com/webhook)")
