"""Every command and option, from the command line itself."""

from __future__ import annotations

from importlib import import_module

import typer
from typer.core import TyperArgument, TyperOption

from generate.markdown import cell, table
from sorites.cli.exit_codes import MEANINGS

__all__ = ["commands_page"]

_HOMES = {"sorites": "sorites.cli.app", "sorites-eval": "sorites_eval.cli"}


def commands_page(program: str) -> str:
    """The reference of a program: what it does, then each command with its options."""
    group = typer.main.get_command(import_module(_HOMES[program]).app)
    lines = [f"# `{program}`", "", _plain(group.help), ""]
    context = typer.Context(group, info_name=program)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        lines += [f"## `{program} {name}`", "", _plain(command.help), ""]
        arguments = [each for each in command.params if each.param_type_name == "argument"]
        options = [each for each in command.params if each.param_type_name == "option"]
        usage = " ".join([program, name, "[OPTIONS]", *(_argument(each) for each in arguments)])
        lines += ["```text", usage, "```", ""]
        lines += [table(["", "", ""], [_row(each) for each in [*arguments, *options]])]
        if command.epilog:
            lines += ["", "```text", command.epilog.removeprefix("Example: "), "```", ""]
    if program == "sorites":
        lines += [
            "## Exit codes",
            "",
            table(["", ""], [(str(code.value), cell(text)) for code, text in MEANINGS.items()]),
        ]
    return "\n".join(lines)


def _argument(parameter: TyperArgument) -> str:
    name = (parameter.metavar or parameter.name or "").upper()
    return f"{name}..." if parameter.nargs == -1 and not name.endswith("...") else name


def _row(parameter: TyperArgument | TyperOption) -> tuple[str, str, str]:
    names = [*parameter.opts, *parameter.secondary_opts]
    shown = " ".join(f"`{name}`" for name in names)
    if parameter.param_type_name == "argument":
        shown = f"`{_argument(parameter)}`"
    default = parameter.default
    if parameter.required:
        note = "**Required.**"
    elif default in (None, False, (), []) or callable(default):
        note = ""
    else:
        note = f"Default: `{default}`."
    return shown, cell(parameter.help or ""), note


def _plain(text: str | None) -> str:
    """A docstring as paragraphs, without the marks that Rich reads."""
    return (text or "").replace("[bold]", "**").replace("[/]", "**").replace("\b", "")
