"""Found tables as files: CSV for programs, Markdown for people, LaTeX for papers."""

from __future__ import annotations

import csv
import io
from itertools import groupby

from sorites_eval.reporting.analyses.found import Found
from sorites_eval.reporting.analyses.layout import Layout, column_name, laid_out, text_of

__all__ = ["to_csv", "to_latex", "to_markdown"]

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"$<$",
        ">": r"$>$",
        "±": r"$\pm$",
        "Δ": r"$\Delta$",
        "–": "--",
        "×": r"$\times$",
        "·": r"$\cdot$",
    }
)


def to_csv(found: Found) -> str:
    """One line a combination of values: the dimensions, then every measure, unrounded."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    dimensions = (*found.rows, *found.columns)
    writer.writerow((*dimensions, *found.measures))
    for line in found.lines:
        key = [_cell(line.key[dimension]) for dimension in dimensions]
        values = [line.values[name] for name in found.measures]
        writer.writerow((*key, *("" if value is None else value for value in values)))
    return stream.getvalue()


def _cell(value: object) -> object:
    """Text that no spreadsheet takes for a formula."""
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return f"'{value}"
    return "" if value is None else value


def to_markdown(found: Found) -> str:
    """A heading, the table, and its notes."""
    layout = laid_out(found)
    heads = [*found.rows, *_columns(found, layout)]
    lines = [f"# {_plain(found.title)}", ""]
    if found.source:
        lines += [f"After {_plain(found.source)}.", ""]
    if not layout.rows:
        return "\n".join([*lines, "No run fits this analysis.", ""])
    if measure := _only(found, layout):
        lines += [f"The values are of {measure}.", ""]
    lines.append(_line(heads))
    lines.append(_line(["---"] * len(found.rows) + ["--:"] * len(layout.columns)))
    for row in layout.rows:
        cells = [layout.cell(row, column) for column in layout.columns]
        lines.append(_line([*map(text_of, row), *cells]))
    lines += [line for note in found.notes for line in ("", _plain(note))]
    return "\n".join(lines) + "\n"


def _columns(found: Found, layout: Layout) -> list[str]:
    alone = bool(_only(found, layout))
    return [column_name(key, measure, alone=alone) for key, measure in layout.columns]


def _only(found: Found, layout: Layout) -> str:
    """The measure of all columns, if there is but one and columns are told apart by a key."""
    measures = {measure for _, measure in layout.columns}
    return measures.pop() if found.columns and len(measures) == 1 else ""


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(map(_plain, cells))} |"


def _plain(text: str) -> str:
    """Text that cannot end a cell or open markup in Markdown."""
    text = " ".join(text.split())
    for sign in "\\|<`*[":
        text = text.replace(sign, f"\\{sign}")
    return text


def to_latex(found: Found) -> str:
    """A table for booktabs, with a caption and a label; headings of columns are grouped."""
    layout = laid_out(found)
    measure = _only(found, layout)
    last = [] if measure else [_latex(name) for _, name in layout.columns]
    head = []
    for place in range(len(found.columns)):
        values = [text_of(key[place]) for key, _ in layout.columns]
        prefixes = [key[: place + 1] for key, _ in layout.columns]
        head.append([*_spans(list(zip(prefixes, values, strict=True)))])
    names = [_latex(name) for name in found.rows]
    rows = [" & ".join([*[""] * len(names), *cells]) + r" \\" for cells in head[:-1]]
    final = last or (head[-1] if head else [])
    if last and head:
        rows.append(" & ".join([*[""] * len(names), *head[-1]]) + r" \\")
    rows.append(" & ".join([*names, *final]) + r" \\")
    caption = _latex(found.title) + (f" ({_latex(measure)})" if measure else "")
    body = [
        " & ".join(
            [
                *(_latex(text_of(value)) for value in row),
                *(_latex(layout.cell(row, column)) for column in layout.columns),
            ]
        )
        + r" \\"
        for row in layout.rows
    ]
    source = [f"% After {' '.join(found.source.split())}."] if found.source else []
    notes = [f"% {' '.join(note.split())}" for note in found.notes]
    return "\n".join(
        [
            *source,
            *notes,
            r"% needs \usepackage{booktabs}",
            r"\begin{table}",
            r"\centering",
            rf"\begin{{tabular}}{{{'l' * len(names)}{'r' * len(layout.columns)}}}",
            r"\toprule",
            *rows,
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            rf"\caption{{{caption}.}}",
            rf"\label{{tab:{found.name}}}",
            r"\end{table}",
            "",
        ]
    )


def _spans(values: list[tuple[object, str]]) -> list[str]:
    """Headings over columns: those of neighbours that are the same become one."""
    found = []
    for (_, value), several in groupby(values):
        width = len(list(several))
        text = _latex(value)
        found.append(text if width == 1 else rf"\multicolumn{{{width}}}{{c}}{{{text}}}")
    return found


def _latex(text: str) -> str:
    return " ".join(text.split()).translate(_LATEX)
