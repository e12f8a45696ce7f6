# SPDX-License-Identifier: MIT
"""`llms.txt`: where a language model finds the text; the full texts are one file per family, so that none grows without end."""

from __future__ import annotations

from .api import VERSION, Texts
from .pieces import family_name
from .twins import entry_markdown, names_of


def files(texts: Texts, families: list[str], title: str, description: str, site: str) -> dict[str, str]:
    """Give llms.txt and the full text of each family."""
    of = {family: [entry for entry in texts.values() if entry["family"] == family and entry["status"] != "retired"] for family in families}
    shelves = "".join(
        f"- [{family_name(family)}]({site}{family}.md): {len(entries)} entries by the line that is printed; [their full texts]({site}llms/{family}.md)\n"
        for family, entries in of.items()
    )
    text = (
        f"# {title}\n\n> {description}\n\n"
        "Every page has a Markdown twin (`/ID/` is also `/ID.md`) and a JSON twin (`/ID.json`). An entry's signature is the literal text that the software prints.\n"
        "A line that an entry calls a wrapper or a consequence is not the cause: look for the first fault before it. Entries are CC BY 4.0.\n\n"
        f"## Start\n\n- [All entries]({site}entries.md): signature, what the line is, family\n- [Lines that hide the cause]({site}wrappers.md): where the real error is\n"
        f"- [Lines that look bad]({site}benign.md): harmless, and when not\n- [Glossary]({site}glossary.md)\n"
        f"- [Index as JSON]({site}api/v{VERSION}/index.json): ids, titles, signatures; an entry is `api/v{VERSION}/entries/ID.json`\n\n## Families\n\n{shelves}"
    )
    names = names_of(texts)
    whole = {f"llms/{family}.md": "\n---\n\n".join(entry_markdown(entry, names, "../") for entry in entries) for family, entries in of.items() if entries}
    return {"llms.txt": text, **whole}
