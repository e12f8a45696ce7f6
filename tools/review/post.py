# SPDX-License-Identifier: MIT
"""Posts what a pull request's own job collected: ``python -m tools.review.post REVIEW.json``, with the run in the environment.

The file comes from a job that ran a stranger's code. So the pull request is looked up by the run's own commit, never by
what the file says; paths, lines and lengths are checked; and its text stands in fenced blocks, where it is text.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

LARGEST = 1_000_000
MOST, LONGEST, LONGEST_BENCH = 20, 8_000, 20_000
ENTRY = re.compile(r"entries/[a-z0-9-]{1,40}/[a-z0-9-]{1,64}\.yaml")
MARK = "<!-- firstfault-review -->"
HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")


def read(path: Path) -> dict[str, Any]:
    """Read the collected file; anything that is not as it should be is left out."""
    raw = path.read_bytes()[:LARGEST]
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        return {"suggestions": [], "bench": ""}
    data = data if isinstance(data, dict) else {}
    bench = data.get("bench")
    listed = data.get("suggestions")
    return {
        "suggestions": [one for one in listed if is_suggestion(one)][:MOST] if isinstance(listed, list) else [],
        "bench": HIDDEN.sub("", bench)[:LONGEST_BENCH] if isinstance(bench, str) else "",
    }


def is_suggestion(one: Any) -> bool:
    """Whether this is a suggestion for lines of an entry."""
    if not isinstance(one, dict):
        return False
    file, first, last, text = (one.get(key) for key in ("file", "first", "last", "text"))
    return (
        isinstance(file, str) and bool(ENTRY.fullmatch(file)) and type(first) is int and type(last) is int and 1 <= first <= last <= 100_000
        and isinstance(text, str) and len(text) <= LONGEST and not HIDDEN.search(text)
    )


def fenced(text: str, language: str = "") -> str:
    """Give a text as a block that it cannot end itself."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"


def comments(suggestions: list[dict[str, Any]], known: set[tuple[str, str]]) -> list[dict[str, Any]]:
    """Give the review's comments, without those that were made before."""
    made = []
    for one in suggestions:
        body = f"`firstfault check --fix` writes this:\n\n{fenced(one['text'], 'suggestion')}"
        place = {"line": one["last"], "side": "RIGHT"} | ({"start_line": one["first"], "start_side": "RIGHT"} if one["first"] < one["last"] else {})
        if (one["file"], body) not in known:
            made.append({"path": one["file"], "body": body, **place})
    return made


def api(method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """Ask the code host; `gh` takes the token from the environment."""
    command = ["gh", "api", "--method", method, path, *(["--input", "-"] if body is not None else [])]
    done = subprocess.run(command, input=json.dumps(body) if body is not None else None, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{method} {path}: {done.stderr.strip()[:400]}")
    return json.loads(done.stdout or "null")


def pull_request(repository: str, owner: str, branch: str, commit: str) -> int | None:
    """Find the open pull request whose head this commit is."""
    found = api("GET", f"repos/{repository}/pulls?state=open&per_page=100&head={owner}:{branch}")
    return next((int(one["number"]) for one in found if one["head"]["sha"] == commit), None)


def main(path: str) -> None:
    """Post the review and the comment."""
    repository, owner, branch, commit = (os.environ[name] for name in ("REPOSITORY", "HEAD_OWNER", "HEAD_BRANCH", "HEAD_SHA"))
    if not (re.fullmatch(r"[0-9a-f]{40}", commit) and re.fullmatch(r"[A-Za-z0-9-]{1,40}", owner) and re.fullmatch(r"[\w./-]{1,200}", branch, re.ASCII)):
        raise SystemExit("the run's head has a name that is not used here; nothing was posted")
    number = pull_request(repository, owner, branch, commit)
    if number is None:
        print("no open pull request has this commit as its head")
        return
    data = read(Path(path))
    existing = api("GET", f"repos/{repository}/pulls/{number}/comments?per_page=100")
    fresh = comments(data["suggestions"], {(one["path"], one["body"]) for one in existing})
    if fresh:
        api("POST", f"repos/{repository}/pulls/{number}/reviews", {"commit_id": commit, "event": "COMMENT", "comments": fresh})
    if data["bench"].strip():
        body = {"body": f"{MARK}\nWhat this does to the bench (`firstfault bench tests/cases --compare`):\n\n{fenced(data['bench'], 'text')}"}
        old = next((one for one in api("GET", f"repos/{repository}/issues/{number}/comments?per_page=100") if one["body"].startswith(MARK)), None)
        api("PATCH", f"repos/{repository}/issues/comments/{old['id']}", body) if old else api("POST", f"repos/{repository}/issues/{number}/comments", body)
    print(f"pull request {number}: {len(fresh)} suggestions" + (", bench" if data["bench"].strip() else ""))


if __name__ == "__main__":
    main(*sys.argv[1:])
