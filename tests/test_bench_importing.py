"""The short form of the bench of imports: killed and begun again, with the control that must fail."""

from __future__ import annotations

from bench import importing
from tests.surfaces import conftest as surfaces

settings = surfaces.settings

MESSAGES = 10_000
"""Progress is shown after a second: the import has to take longer than that on a fast machine too."""


def test_killed_and_begun_again_nothing_is_missing_or_doubled(settings):
    report = importing.run(MESSAGES, 1)
    assert report.is_good, report
    assert report.kills == 1


def test_an_import_without_ids_of_the_source_is_found_out(settings):
    report = importing.run(MESSAGES, 1, is_forgetful=True)
    assert report.stored > report.messages
