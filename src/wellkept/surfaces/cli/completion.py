"""`wellkept completion`: the scripts that make shells complete commands and options, PowerShell among them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import click
from click.shell_completion import (
    CompletionItem,
    ShellComplete,
    add_completion_class,
    get_completion_class,
    split_arg_string,
)

SHELLS = ("bash", "zsh", "fish", "powershell")
TEXT = 'Print the completion script of a shell: eval "$(wellkept completion bash)".'
_POWERSHELL = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $env:COMP_WORDS = $commandAst.ToString()
    $env:COMP_WORD = $wordToComplete
    $env:%(complete_var)s = "powershell_complete"
    %(prog_name)s | ForEach-Object {
        $value, $help = $_.Split("`t", 2)
        if (-not $help) { $help = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, "ParameterValue", $help)
    }
    Remove-Item Env:COMP_WORDS, Env:COMP_WORD, Env:%(complete_var)s
}
"""


@add_completion_class
class PowerShell(ShellComplete):
    """What PowerShell asks and is told: the line so far and the word at its end; a completion a line, with its help."""

    name = "powershell"
    source_template = _POWERSHELL

    def get_completion_args(self) -> tuple[list[str], str]:
        """The whole words so far, and the one that is being typed."""
        words, begun = split_arg_string(os.environ["COMP_WORDS"])[1:], os.environ["COMP_WORD"]
        return words[:-1] if begun and words[-1:] == [begun] else words, begun

    def format_completion(self, item: CompletionItem) -> str:
        """The word and what it does."""
        return f"{item.value}\t{item.help or ''}"


def command(root: Callable[[], click.Command], variable: str) -> click.Command:
    """The command that prints the script. `root` makes the whole command line; a shell that asks sets `variable`."""

    def callback(shell: str) -> None:
        kind: Any = get_completion_class(shell)
        click.echo(kind(root(), {}, "wellkept", variable).source())

    shells = click.Argument(["shell"], type=click.Choice(SHELLS))
    more = "For PowerShell, in your $PROFILE: wellkept completion powershell | Out-String | Invoke-Expression"
    return click.Command("completion", params=[shells], help=f"{TEXT}\n\n{more}", short_help=TEXT, callback=callback)
