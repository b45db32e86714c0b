"""A hook of mkdocs: links that lead out of `docs/` become the names of the files, as the site has the pages alone."""

from __future__ import annotations

import posixpath
import re
from typing import Any

_LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]*)\]\((?P<target>(?!\w+:)[^)#\s]+)(?:#[^)\s]*)?\)")


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:  # noqa: ANN401 -- what mkdocs hands over
    """The page without links that lead nowhere on the site."""
    folder = posixpath.dirname(page.file.src_uri)

    def kept(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, link["target"]))
        return (
            f"{link['text']} (`{target.removeprefix('../')}` in the repository)" if target.startswith("..") else link[0]
        )

    return _LINK.sub(kept, markdown)
