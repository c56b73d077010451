"""From a spec to a release: the one place that knows every kind of spec.

A kind is a family: functions that check a spec, look at its sources, build, certify and prove it
again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

from sorites.canonical import Json
from sorites.engines.choose import on_this_machine
from sorites.engines.engine import Engine
from sorites.engines.serial import Serial
from sorites.errors import FaultyRelease, InvalidRelease, InvalidSpec, Problem
from sorites.families.family import Family
from sorites.licences import licence_problems
from sorites.progress import Progress, Silent
from sorites.release.certificates.certificates import CONFIG, certified, told
from sorites.release.certificates.refusal import certificate_faults
from sorites.release.describe.hub_ids import card_problems
from sorites.release.hub.mirror import mirror_from_environment
from sorites.release.manifest.recorded import Release, read_manifest
from sorites.release.manifest.verify import verify_release
from sorites.release.tasks.benchmark import task_problems
from sorites.release.write import check_out, write_release
from sorites.sources.fetch import obtain
from sorites.sources.own_version import warn_of_versions
from sorites.sources.pins import moving_addresses
from sorites.specfile.load import load
from sorites.specfile.model import Spec
from sorites.unfinished import unfinished

__all__ = [
    "FAMILIES",
    "Family",
    "check_spec",
    "compile_spec",
    "obtain_sources",
    "prove_again",
    "spec_warnings",
]


def _argument_schemes() -> Family:
    from sorites.families import argument_schemes as of

    return Family(
        check=of.check,
        build=of.build,
        reprove=of.reprove,
        describe=of.describe,
        splits=of.split_names,
        recheck=of.recheck,
        certify=of.certify,
    )


def _audit() -> Family:
    from sorites.families import audit as of

    return Family(
        check=of.check,
        build=of.build,
        reprove=of.reprove,
        describe=of.describe,
        splits=of.split_names,
        adapts=False,
    )


def _sense_relations() -> Family:
    from sorites.families import sense_relations as of

    return Family(
        check=of.check,
        build=of.build,
        reprove=of.reprove,
        describe=of.describe,
        splits=of.split_names,
        # Nothing is proved there but by the certificates: all else is quick, and always checked.
        recheck=of.reprove,
        certify=of.certify,
    )


def _veridicality() -> Family:
    from sorites.families import veridicality as of

    return Family(
        check=of.check,
        build=of.build,
        reprove=of.reprove,
        describe=of.describe,
        splits=of.split_names,
        recheck=of.recheck,
        certify=of.certify,
    )


FAMILIES: Mapping[str, Callable[[], Family]] = {
    "argument-schemes": _argument_schemes,
    "audit": _audit,
    "sense-relations": _sense_relations,
    "veridicality": _veridicality,
}
"""Imports a family: what some of them need, such as a prover, takes seconds that others spare."""


def check_spec(path: Path) -> Spec:
    """Read a spec and everything that can be known to be wrong with it without its sources.

    Raises UnreadableSpec, and InvalidSpec with all problems in the order of their lines.
    """
    spec = load(path)
    family = FAMILIES[spec.kind]()
    own = family.check(spec)
    problems = [
        *own,
        # What a spec will make is known only where it can be made.
        *task_problems(spec, None if own else family.splits(spec)),
        *card_problems(spec),
        *licence_problems(spec, adapted=family.adapts),
    ]
    if problems:
        raise InvalidSpec(
            sorted(problems, key=lambda found: (found.file, found.line, found.column))
        )
    return spec


def compile_spec(
    path: Path,
    out: Path,
    *,
    workers: int = 1,
    engine: Engine | None = None,
    progress: Progress,
) -> Path:
    """Compile a spec to the release ``out/NAME/VERSION``, whole or not at all.

    The ``engine`` does the work; without one, as many processes as there are ``workers`` do. A
    compile that was stopped goes on from what it had done.

    Raises SoritesError in one of its kinds; then nothing was written.
    """
    engine = engine or on_this_machine(workers)
    spec = check_spec(path)
    check_out(spec, out)
    files = obtain_sources(spec, progress)
    family = FAMILIES[spec.kind]()
    document = cast("Mapping[str, Json]", spec.document.data)
    sizes = {name: file.stat().st_size for name, file in files.items()}
    with unfinished(document, {name: pin.sha256 for name, pin in spec.sources.items()}) as place:
        content = family.build(
            spec, files, engine=engine, progress=progress, scratch=place / "rows"
        )
        if family.certify is not None:
            tables = {split.key: split.table for split in content.splits}
            found = family.certify(
                tables, document, engine=engine, progress=progress, scratch=place / "certificates"
            )
            content = certified(content, found)
        return write_release(
            spec, content, out, source_bytes=sizes, progress=progress, engine=engine
        )


def obtain_sources(spec: Spec, progress: Progress) -> dict[str, Path]:
    """The verified content of each source of a spec, by its id; raises SourceError.

    Warns, with SourceWarning, of a source that says that it is of another version.
    """
    mirror = mirror_from_environment()
    files = {name: obtain(pin, progress, mirror=mirror) for name, pin in spec.sources.items()}
    warn_of_versions(spec.sources, files)
    return files


def spec_warnings(spec: Spec) -> list[Problem]:
    """What is not wrong with a valid spec and may go wrong one day, in the order of its lines."""
    document = spec.document
    found = [
        document.problem(
            path,
            f'the address moves: behind "{part}" another file will stand one day',
            "name the address of this version",
        )
        for path, part in moving_addresses(spec)
    ]
    found += [
        document.problem(
            ("sources", name, "sha256"),
            "the source is not pinned, so the spec does not compile",
            f"run: sorites pin {spec.path} --source {name}",
        )
        for name, pin in spec.sources.items()
        if pin.sha256 is None
    ]
    return sorted(found, key=lambda problem: (problem.file, problem.line, problem.column))


def prove_again(directory: Path, *, with_z3: bool = False, engine: Engine | None = None) -> Release:
    """Verify a release: every checksum, then every label by its certificate, from its words.

    Labels without certificates, and with ``with_z3`` all, are proved again from what stands in
    their rows. Raises FaultyRelease with each fault found, and InvalidRelease if no release is
    there that this version knows how to prove.
    """
    tables = verify_release(directory)
    release = read_manifest(directory)
    if release.kind not in FAMILIES:
        raise InvalidRelease(
            f"{directory}: a release of kind {release.kind}, which this version does not know"
        )
    family = FAMILIES[release.kind]()
    rows = {key: table for key, table in tables.items() if key[0] != CONFIG}
    faults: list[str] = []
    reprove = family.reprove
    if family.certify is not None and release.certificates:
        expected = family.certify({}, release.document, engine=Serial(), progress=Silent())
        if release.certificates != told(expected.readings):
            faults.append("release.json tells check.py otherwise than the spec does")
        faults += certificate_faults(directory, engine=engine)
        if family.recheck is not None and not with_z3:
            # What certificates do not show: all else that the rows say.
            reprove = family.recheck
    faults += reprove(rows, release.document, engine=engine)
    if faults:
        raise FaultyRelease([f"{directory}: {fault}" for fault in faults])
    return release
