"""The operations on a user's profile, and on the changes of it that wait for a yes."""

from __future__ import annotations

from wellkept.flows import answers
from wellkept.operations.operation import Operation, Parameter

PROPOSAL = Parameter(name="proposal_id", doc="Id of the question, from the list.", is_required=True)

CONSENT: tuple[Operation, ...] = (
    Operation(
        name="profile",
        python="profile",
        cli=("consent", "profile"),
        rpc="memory.profile",
        http=("GET", "/v1/profile"),
        doc="Show what applications may call you and know you by.",
        answer=answers.plain_json,
    ),
    Operation(
        name="consents",
        python="consents",
        cli=("consent", "list"),
        rpc="memory.consents",
        http=("GET", "/v1/consents"),
        doc="List the changes of your profile that wait for a yes.",
        parameters=(
            Parameter(
                name="state",
                doc="Which ones.",
                default="pending",
                choices=("pending", "approved", "rejected", "expired"),
            ),
            Parameter(name="limit", kind="integer", doc="At most so many.", default=100),
        ),
        answer=answers.plain_json,
    ),
    Operation(
        name="approve",
        python="approve",
        cli=("consent", "approve"),
        rpc="memory.approve",
        http=("POST", "/v1/consents/{proposal_id}/approve"),
        doc="Say yes to a change of your profile.",
        parameters=(PROPOSAL,),
        answer=answers.plain_json,
    ),
    Operation(
        name="reject",
        python="reject",
        cli=("consent", "reject"),
        rpc="memory.reject",
        http=("POST", "/v1/consents/{proposal_id}/reject"),
        doc="Say no to a change of your profile.",
        parameters=(PROPOSAL,),
        answer=answers.plain_json,
    ),
)
