"""The TypeScript client: its generated files are up to date, and it works with node against a real server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

from scripts import typescript
from tests.surfaces import conftest as surfaces
from wellkept import __version__

serve, settings = surfaces.serve, surfaces.settings


def test_generated_files_are_up_to_date():
    for name, text in typescript.files().items():
        assert (typescript.FOLDER / name).read_text(encoding="utf-8") == text, "run scripts/typescript.py"


def test_the_package_has_the_version_of_this_one_and_all_its_files():
    package = json.loads((typescript.FOLDER / "package.json").read_text(encoding="utf-8"))
    assert package["version"] == __version__
    assert all((typescript.FOLDER / name).is_file() for name in package["files"])


def test_it_works_with_node(serve):
    node = shutil.which("node")
    assert node is not None, "no node: the TypeScript client cannot be tested"
    _, (url,) = serve()
    tests = sorted(str(path) for path in (typescript.FOLDER / "test").glob("*.test.js"))
    done = subprocess.run(
        [node, "--test", *tests],
        env={**os.environ, "WELLKEPT_URL": url},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# pass 6" in done.stdout
    assert "# fail 0" in done.stdout
