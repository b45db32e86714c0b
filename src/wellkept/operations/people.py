"""The operations on people."""

from __future__ import annotations

from dataclasses import replace

from wellkept.flows import answers
from wellkept.operations.operation import Operation, Parameter

PERSON = Parameter(name="reference", doc='A name, "my wife", "@handle" or a person id.', is_required=True)

PEOPLE: tuple[Operation, ...] = (
    Operation(
        name="people",
        python="people",
        cli=("people", "list"),
        rpc="memory.people",
        http=("GET", "/v1/people"),
        mcp="people",
        doc="List the people you know.",
        parameters=(Parameter(name="limit", kind="integer", doc="At most so many.", default=50),),
        answer=answers.people,
    ),
    Operation(
        name="person",
        python="person",
        cli=("people", "show"),
        rpc="memory.person",
        http=("GET", "/v1/people/{reference}"),
        doc="Show one person and what you may see of them.",
        parameters=(PERSON, Parameter(name="limit", kind="integer", doc="At most so many memories.", default=20)),
        answer=answers.person,
    ),
    Operation(
        name="alias_person",
        python="alias_person",
        cli=("people", "alias"),
        rpc="memory.alias_person",
        http=("POST", "/v1/people/{reference}/aliases"),
        doc="Also call a person so. Only you will see it, and the person.",
        parameters=(PERSON, Parameter(name="alias", doc="The other name, or an @handle.", is_required=True)),
        answer=answers.acquaintance,
    ),
    Operation(
        name="rename_person",
        python="rename_person",
        cli=("people", "rename"),
        rpc="memory.rename_person",
        http=("PATCH", "/v1/people/{reference}"),
        doc="Give a person another name; the earlier one stays as an alias.",
        parameters=(PERSON, Parameter(name="name", doc="The new name.", is_required=True)),
        answer=answers.acquaintance,
    ),
    Operation(
        name="merge_people",
        python="merge_people",
        cli=("people", "merge"),
        rpc="memory.merge_people",
        http=("POST", "/v1/people/merge"),
        doc="Say that two people are one: the first stays, the second becomes a part of it.",
        parameters=(
            Parameter(name="primary", doc="Who stays.", is_required=True),
            Parameter(name="secondary", doc="Who is the same.", is_required=True),
        ),
        answer=answers.merged,
    ),
    Operation(
        name="split_person",
        python="split_person",
        cli=("people", "split"),
        rpc="memory.split_person",
        http=("POST", "/v1/people/{reference}/split"),
        doc="Take back a merge: of the person with this id, or the last one into the person meant.",
        parameters=(PERSON,),
        answer=answers.people,
    ),
    Operation(
        name="review_people",
        python="review_people",
        cli=("people", "review"),
        rpc="memory.review_people",
        http=("POST", "/v1/people/review"),
        doc="List pairs that may be one person, or answer one.",
        parameters=(
            Parameter(name="same", kind="pair", doc="These two are one person.", default=()),
            Parameter(name="different", kind="pair", doc="These two are two; it is not asked again.", default=()),
        ),
        answer=answers.reviewed,
    ),
    Operation(
        name="forget_person",
        python="forget_person",
        cli=("people", "forget"),
        rpc="memory.forget_person",
        http=("DELETE", "/v1/people/{reference}"),
        doc="Take everything you keep about a person out of recall; each memory can be restored.",
        parameters=(
            replace(PERSON, rpc="person_id"),
            Parameter(
                name="delete_record",
                rpc="delete_person_record",
                kind="flag",
                doc="Also remove the person: names, relationships and all. That cannot be undone.",
                default=False,
            ),
        ),
        answer=answers.plain_json,
    ),
)
