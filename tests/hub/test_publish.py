from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import pytest
import yaml

from tests.hub.client import ROOT, Client, client
from tests.hub.conftest import TOKEN
from tests.hub.repository import Blob, Repository
from tests.hub.server import Fault, Hub, Refusal, check_metadata

REPO = "cafe/cafe-menu"


def content_of(directory: Path) -> dict[str, bytes]:
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


def check_published(repository: Repository, *versions: Path) -> None:
    """Exactly one commit and one tag a version, each commit with the whole release."""
    assert [commit.title for commit in repository.commits] == [
        "initial commit",
        *(f"Release {version.name}" for version in versions),
    ]
    assert repository.tags == {
        f"v{version.name}": commit.oid
        for version, commit in zip(versions, repository.commits[1:], strict=True)
    }
    for version, commit in zip(versions, repository.commits[1:], strict=True):
        files = {path: blob.content for path, blob in commit.files.items()}
        del files[".gitattributes"]
        assert files == content_of(version)


def test_a_first_version(hub: Hub, barista: Client, releases: dict[str, Path]) -> None:
    done = barista.result("publish", str(releases["1.0.0"]), REPO)
    repository = hub.dataset(REPO)
    check_published(repository, releases["1.0.0"])
    assert done.pop("summary") == [
        "cafe/cafe-menu v1.0.0 (a new repository)",
        *(f"  + {path}" for path in sorted(content_of(releases["1.0.0"]))),
        f"  v1.0.0 -> {repository.head.oid}",
    ]
    assert done == {
        "repo": REPO,
        "tag": "v1.0.0",
        "commit": repository.head.oid,
        "creates_repo": True,
        "uploads": sorted(content_of(releases["1.0.0"])),
        "deletions": [],
        "difference": None,
        "changes": None,
        "published": False,
    }
    assert not repository.private
    assert {path for path, blob in repository.head.files.items() if blob.lfs} == {
        "data/exemplars/train-00000-of-00001.parquet",
        "data/items/test-00000-of-00001.parquet",
        "data/pairs/test-00000-of-00001.parquet",
    }


def test_the_same_version_again_is_seen_to_be_there(
    hub: Hub, barista: Client, releases: dict[str, Path]
) -> None:
    barista.result("publish", str(releases["1.0.0"]), REPO)
    hub.log.clear()
    again = barista.result("publish", str(releases["1.0.0"]), REPO)
    assert again["published"]
    assert again["summary"] == [
        "cafe/cafe-menu v1.0.0 is published already, with the same content."
    ]
    assert again["commit"] == hub.dataset(REPO).head.oid
    assert all(request.startswith("GET ") for request in hub.log)
    check_published(hub.dataset(REPO), releases["1.0.0"])


def test_a_private_repository(hub: Hub, barista: Client, releases: dict[str, Path]) -> None:
    barista.result("publish", str(releases["1.0.0"]), REPO, private=True)
    assert hub.dataset(REPO).private
    check_published(hub.dataset(REPO), releases["1.0.0"])


def test_each_version_gives_its_own_rows(
    hub: Hub, barista: Client, reader: Client, releases: dict[str, Path]
) -> None:
    barista.result("publish", str(releases["1.0.0"]), REPO)
    second = barista.result("publish", str(releases["1.1.0"]), REPO)
    check_published(hub.dataset(REPO), releases["1.0.0"], releases["1.1.0"])
    assert second["changes"] == ["`items/test`: 4 rows added."]
    assert "data/exemplars/train-00000-of-00001.parquet" not in second["uploads"]
    for version, rows in (("v1.0.0", 40), ("v1.1.0", 44)):
        loaded = reader.result("load", REPO, version, "items", "test")
        streamed = reader.result("stream", REPO, version, "items", "test")
        assert len(loaded) == rows
        assert streamed == loaded
    assert barista.result("diff", f"{REPO}@v1.0.0", f"{REPO}@v1.1.0") == [
        "`items/test`: 4 rows added."
    ]


def test_the_command_compares_a_folder_with_a_published_version(
    hub: Hub, barista: Client, releases: dict[str, Path], tmp_path: Path
) -> None:
    barista.result("publish", str(releases["1.0.0"]), REPO)
    environment = {name: value for name, value in os.environ.items() if name[:3] != "HF_"}
    environment |= {"HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path), "HF_HUB_DISABLE_XET": "1"}
    command = [sys.executable, "-m", "sorites", "diff", f"{REPO}@v1.0.0"]
    told = subprocess.run(
        [*command, str(releases["1.1.0"])],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == "`items/test`: 4 rows added.\nversion step: minor\n"
    missing = subprocess.run(
        [*command[:-1], f"{REPO}@v9.0.0", str(releases["1.1.0"])],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert missing.returncode == 1
    assert missing.stderr == f"{REPO} has no version v9.0.0: its versions are v1.0.0\n"


def test_offline_only_what_was_downloaded_is_there(
    hub: Hub, barista: Client, releases: dict[str, Path], tmp_path: Path
) -> None:
    barista.result("publish", str(releases["1.0.0"]), REPO)
    barista.result("publish", str(releases["1.1.0"]), REPO)
    with client(tmp_path / "reader", hub.url, token=None) as reader:
        assert len(reader.result("load", REPO, "v1.0.0", "items", "test")) == 40
    with client(tmp_path / "reader", hub.url, token=None, HF_HUB_OFFLINE="1") as reader:
        assert len(reader.result("load", REPO, "v1.0.0", "items", "test")) == 40
        missing = reader.call("load", REPO, "v1.1.0", "items", "test")
        assert missing["error"] == "LocalEntryNotFoundError"


def test_a_shard_that_is_gone_is_deleted(
    hub: Hub, barista: Client, releases: dict[str, Path]
) -> None:
    barista.result("publish", str(releases["1.0.0"]), REPO)
    repository = hub.dataset(REPO)
    stale = {**repository.head.files, "data/items/old.parquet": Blob(b"old", lfs=True)}
    repository.commits.pop()
    repository.tags["v1.0.0"] = repository.commit("Release 1.0.0", stale).oid
    repository.tags.clear()
    assert refusal(barista, releases["1.0.0"]).startswith(
        "cafe/cafe-menu: it was changed by hand, and publishing would undo that:\n"
    )
    done = barista.result("publish", str(releases["1.0.0"]), REPO, overwrite=True)
    assert (done["uploads"], done["deletions"]) == ([], ["data/items/old.parquet"])
    assert "data/items/old.parquet" not in repository.head.files


def test_a_dry_run_says_what_would_change(
    hub: Hub, barista: Client, reader: Client, releases: dict[str, Path]
) -> None:
    first = reader.result("publish", str(releases["1.0.0"]), REPO, dry_run=True)
    assert first["creates_repo"]
    assert first["commit"] is None
    assert first["uploads"] == sorted(content_of(releases["1.0.0"]))
    assert not hub.repositories
    barista.result("publish", str(releases["1.0.0"]), REPO)
    hub.log.clear()
    second = reader.result("publish", str(releases["1.1.0"]), REPO, dry_run=True)
    assert second["changes"] == ["`items/test`: 4 rows added."]
    assert second["summary"][:3] == [
        "cafe/cafe-menu v1.1.0",
        "Since 1.0.0:",
        "  `items/test`: 4 rows added.",
    ]
    assert not second["published"]
    assert not [request for request in hub.log if request.split()[0] not in ("GET", "HEAD")]
    check_published(hub.dataset(REPO), releases["1.0.0"])


def refusal(running: Client, directory: Path, repo: str = REPO, **options: bool) -> str:
    answer = running.call("publish", str(directory), repo, **options)
    assert set(answer) == {"error"}, answer
    error: str = answer["error"]
    return error


def test_a_published_version_never_changes(
    hub: Hub, barista: Client, releases: dict[str, Path], tmp_path: Path
) -> None:
    barista.result("publish", str(releases["1.0.0"]), REPO)
    repository = hub.dataset(REPO)
    other = {**repository.head.files, "README.md": Blob(b"---\n---\n", lfs=False)}
    repository.tags["v1.1.0"] = repository.commit("Release 1.1.0", other).oid
    assert refusal(barista, releases["1.1.0"]) == (
        "cafe/cafe-menu: v1.1.0 is published already, with other content (CHANGELOG.md, "
        "README.md, audit.json, benchmark.json, croissant.json, …). "
        "A published version never changes: raise the version in the spec"
    )
    assert len(repository.commits) == 3


def test_too_small_a_step_is_refused(hub: Hub, barista: Client, releases: dict[str, Path]) -> None:
    barista.result("publish", str(releases["1.0.0"]), REPO)
    assert refusal(barista, releases["1.1.1"]) == (
        "version 1.1.1 of cafe-menu is too small a step from 1.0.0: it must be 2.0.0 or later:\n"
        "    `items/test`: 1 row with another label."
    )
    check_published(hub.dataset(REPO), releases["1.0.0"])
    barista.result("publish", str(releases["2.0.0"]), REPO)
    check_published(hub.dataset(REPO), releases["1.0.0"], releases["2.0.0"])


def test_a_version_before_the_latest_is_refused(
    hub: Hub, barista: Client, releases: dict[str, Path]
) -> None:
    barista.result("publish", str(releases["1.1.0"]), REPO)
    assert refusal(barista, releases["1.0.0"]) == (
        "cafe/cafe-menu holds version 1.1.0 already, which is later than 1.0.0: "
        "raise the version in the spec"
    )


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"README.md": b"---\n---\n", "train.csv": b"a,b\n"},
            "cafe/cafe-menu is another data set: it holds train.csv and no release.json. "
            "Publish under a name that is free",
        ),
        (
            None,
            "cafe/cafe-menu is another data set: it holds tea-menu, not cafe-menu. "
            "Publish under a name that is free",
        ),
    ],
)
def test_someone_elses_data_set_is_refused(
    files: dict[str, bytes] | None,
    message: str,
    hub: Hub,
    barista: Client,
    releases: dict[str, Path],
) -> None:
    repository = hub.create(REPO)
    if files is None:
        record = (releases["1.0.0"] / "release.json").read_bytes()
        files = {"release.json": record.replace(b"cafe-menu", b"tea-menu")}
    repository.commit("theirs", {path: Blob(text, lfs=False) for path, text in files.items()})
    assert refusal(barista, releases["1.0.0"]) == message
    assert len(repository.commits) == 2
    assert not repository.tags


def test_a_repository_that_holds_a_card_only_is_free(
    hub: Hub, barista: Client, releases: dict[str, Path]
) -> None:
    repository = hub.create(REPO)
    repository.commit("card", {"README.md": Blob(b"---\n---\n", lfs=False)})
    barista.result("publish", str(releases["1.0.0"]), REPO)
    assert repository.tags == {"v1.0.0": repository.head.oid}


def test_a_token_without_rights(
    hub: Hub, reader: Client, releases: dict[str, Path], tmp_path: Path
) -> None:
    directory = releases["1.0.0"]
    assert refusal(reader, directory) == (
        "cafe/cafe-menu: there is no token to publish with: set HF_TOKEN, or run `hf auth login`"
    )
    with client(tmp_path / "wrong", hub.url, token="hf_wrongtoken") as wrong:
        assert refusal(wrong, directory) == (
            "cafe/cafe-menu: the Hub does not know the token: set HF_TOKEN to a valid one"
        )
    with client(tmp_path / "stranger", hub.url, token="hf_stranger") as stranger:
        rights = "cafe/cafe-menu: the token may not write there: use one with write access to it"
        assert refusal(stranger, directory) == rights
        hub.create(REPO)
        assert refusal(stranger, directory) == rights
        assert "hf_stranger" not in stranger.messages
    assert len(hub.dataset(REPO).commits) == 1


@pytest.mark.parametrize("repo", ["cafe", "cafe/a/b", "../cafe", "cafe/..", "cafe/a--b", "a b/c"])
def test_what_cannot_name_a_repository(
    repo: str, barista: Client, releases: dict[str, Path]
) -> None:
    assert refusal(barista, releases["1.0.0"], repo) == (
        f"{repo!r} cannot name a repository: write ORG/NAME, of letters, digits, - _ and ."
    )


def test_a_release_that_is_not_whole_is_not_published(
    hub: Hub, barista: Client, releases: dict[str, Path], tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(releases["1.0.0"], broken)
    (broken / "data/items/test-00000-of-00001.parquet").unlink()
    assert refusal(barista, broken) == (f"{broken}/data/items/test-00000-of-00001.parquet: missing")
    assert not hub.log


ITEMS = "data/items/test-00000-of-00001.parquet"


def _flipped(files: dict[str, Blob]) -> None:
    data = bytearray(files[ITEMS].content)
    data[100] ^= 1
    files[ITEMS] = Blob(bytes(data), lfs=True)


def _forged(files: dict[str, Blob]) -> None:
    record = json.loads(files["release.json"].content)
    record["splits"][0]["rows"] = 41
    files["release.json"] = Blob(json.dumps(record).encode(), lfs=False)


TAMPERED: dict[str, tuple[Callable[[dict[str, Blob]], object], str]] = {
    "an altered file": (
        _flipped,
        f"/{ITEMS}: altered: its SHA-256 is not the one in release.json",
    ),
    "a missing shard": (lambda files: files.pop(ITEMS), f"/{ITEMS}: missing"),
    "a forged manifest": (_forged, "/data/items: test: 40 rows, but release.json says 41"),
    "no manifest": (
        lambda files: files.pop("release.json"),
        "/release.json: there is no such file, so this is not a whole release",
    ),
}


@pytest.mark.parametrize("what", TAMPERED, ids=str)
def test_a_tampered_copy_is_seen_by_who_downloads_it(
    what: str, hub: Hub, barista: Client, releases: dict[str, Path]
) -> None:
    tamper, message = TAMPERED[what]
    barista.result("publish", str(releases["1.0.0"]), REPO)
    repository = hub.dataset(REPO)
    files = dict(repository.head.files)
    tamper(files)
    repository.tags["v1.0.0"] = repository.commit("tampered", files).oid
    answer = barista.call("diff", f"{REPO}@v1.0.0", f"{REPO}@v1.0.0")
    assert answer["error"].endswith(message), answer


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        (f"{REPO}@v3.0.0", "cafe/cafe-menu has no version v3.0.0: its versions are v1.0.0"),
        ("cafe/none@v1.0.0", "cafe/none: there is no such dataset on the Hub for this token"),
        (REPO, "'cafe/cafe-menu' names no release: write ORG/NAME@vVERSION"),
    ],
)
def test_a_reference_to_nothing(
    reference: str, message: str, hub: Hub, barista: Client, releases: dict[str, Path]
) -> None:
    barista.result("publish", str(releases["1.0.0"]), REPO)
    assert barista.call("diff", reference, f"{REPO}@v1.0.0")["error"] == message


def _faults(call: str) -> tuple[str | int, ...]:
    """What may go wrong with a call, but for what the client repeats itself, a second later."""
    if call.startswith("POST ") and ("/commit/" in call or "/tag/" in call):
        return ("drop", "lose", 500, 429)
    return ("drop",) if "/tree/" in call or "storage" in call else ("drop", 500)


def test_any_fault_at_any_call_is_mended_by_a_repeat(
    hub: Hub, barista: Client, releases: dict[str, Path]
) -> None:
    first, second = releases["1.0.0"], releases["1.1.0"]
    barista.result("publish", str(first), REPO)
    start = deepcopy(hub.repositories), dict(hub.storage)

    def start_again() -> None:
        hub.clear()
        hub.repositories.update(deepcopy(start[0]))
        hub.storage.update(start[1])

    # Once to fill the cache of the client, so that every later run makes the same calls.
    barista.result("publish", str(second), REPO)
    start_again()
    barista.result("publish", str(second), REPO)
    calls = list(hub.log)
    assert sum(call.startswith("POST ") for call in calls) >= 4
    failed = 0
    for number, call in enumerate(calls):
        for kind in _faults(call):
            start_again()
            hub.faults.append(Fault(number, kind))
            once = barista.call("publish", str(second), REPO)
            assert hub.faults[0].happened, (call, kind)
            failed += "error" in once
            if kind in (500, 429):
                assert "result" in once, (call, kind, once)
            if "error" in once:
                assert set(once) == {"error"}, (call, kind, once)
                assert "Run the same command again" in once["error"], (call, kind, once)
            barista.result("publish", str(second), REPO)
            check_published(hub.dataset(REPO), first, second)
    assert failed >= 4


@pytest.mark.parametrize(
    ("request_", "kind"),
    [("HEAD .*/resolve/", "drop"), ("HEAD .*/resolve/", 500), ("GET .*/resolve/", "drop")],
)
def test_a_fault_while_the_version_before_is_fetched(
    request_: str,
    kind: str | int,
    hub: Hub,
    barista: Client,
    releases: dict[str, Path],
    tmp_path: Path,
) -> None:
    barista.result("publish", str(releases["1.0.0"]), REPO)
    with client(tmp_path / "cold", hub.url, TOKEN) as cold:
        hub.faults.append(Fault(request_, kind))
        once = cold.call("publish", str(releases["1.1.0"]), REPO)
        assert hub.faults[0].happened
        assert "result" in once or "Run the same command again" in once["error"], once
        cold.result("publish", str(releases["1.1.0"]), REPO)
    check_published(hub.dataset(REPO), releases["1.0.0"], releases["1.1.0"])


@pytest.mark.parametrize(
    ("kind", "naps"), [(500, [1.0, 2.0]), (503, [1.0, 2.0]), (429, [7.0, 7.0])]
)
def test_faults_that_pass_are_waited_for(
    kind: int, naps: list[float], hub: Hub, barista: Client, releases: dict[str, Path]
) -> None:
    hub.faults += [Fault("POST .*/commit/main", kind), Fault("POST .*/tag/", kind)]
    done = barista.result("publish", str(releases["1.0.0"]), REPO)
    assert done["creates_repo"]
    assert barista.result("naps") == naps
    check_published(hub.dataset(REPO), releases["1.0.0"])


def test_waiting_comes_to_an_end(hub: Hub, barista: Client, releases: dict[str, Path]) -> None:
    hub.faults += [Fault("POST .*/commit/main", 500) for _ in range(10)]
    assert refusal(barista, releases["1.0.0"]) == (
        "cafe/cafe-menu: the Hub answered with an error (500). "
        "Run the same command again: what is done already is not done twice"
    )
    assert barista.result("naps") == [1.0, 2.0, 4.0, 8.0, 16.0]
    hub.faults.clear()
    barista.result("publish", str(releases["1.0.0"]), REPO)
    check_published(hub.dataset(REPO), releases["1.0.0"])


def _edited_card(files: dict[str, Blob]) -> None:
    text = files["README.md"].content.replace(b"\n# ", b"\n# \x1b[31mNew: ", 1)
    files["README.md"] = Blob(text, lfs=False)


def _own_file(files: dict[str, Blob]) -> None:
    files["notes.txt"] = Blob(b"by hand", lfs=False)


def _removed(files: dict[str, Blob]) -> None:
    del files["audit.json"]


EDITS: dict[str, tuple[Callable[[dict[str, Blob]], object], list[str]]] = {
    "a changed card": (
        _edited_card,
        ["  ~ README.md", "    +# <U+001B>[31mNew: Café menu, a \\*small\\* test"],
    ),
    "a file more": (_own_file, ["  + notes.txt"]),
    "a file less": (_removed, ["  - audit.json"]),
}


@pytest.mark.parametrize("what", EDITS, ids=str)
def test_what_was_changed_by_hand_is_not_undone_unseen(
    what: str, hub: Hub, barista: Client, releases: dict[str, Path]
) -> None:
    edit, shown = EDITS[what]
    barista.result("publish", str(releases["1.0.0"]), REPO)
    repository = hub.dataset(REPO)
    files = dict(repository.head.files)
    edit(files)
    repository.commit("by hand", files)
    for options in ({}, {"dry_run": True}):
        lines = refusal(barista, releases["1.1.0"], **options).split("\n")
        assert lines[0] == (
            "cafe/cafe-menu: it was changed by hand since v1.0.0, and publishing would undo that:"
        )
        assert lines[-1] == ("Take the change into the spec, or publish over it with --overwrite")
        assert [line for line in lines if line in shown] == shown, lines
        assert len(repository.commits) == 3
    barista.result("publish", str(releases["1.1.0"]), REPO, overwrite=True)
    assert {path: blob.content for path, blob in repository.head.files.items()} == {
        ".gitattributes": repository.head.files[".gitattributes"].content,
        **content_of(releases["1.1.0"]),
    }


def test_the_hubs_own_attributes_are_no_edit(
    hub: Hub, barista: Client, releases: dict[str, Path]
) -> None:
    barista.result("publish", str(releases["1.0.0"]), REPO)
    repository = hub.dataset(REPO)
    changed = {**repository.head.files, ".gitattributes": Blob(b"*.bin filter=lfs\n", lfs=False)}
    repository.commit("by the Hub", changed)
    barista.result("publish", str(releases["1.1.0"]), REPO)
    assert repository.tags["v1.1.0"] == repository.head.oid


def test_a_release_that_was_committed_and_not_tagged_is_no_edit(
    hub: Hub, barista: Client, releases: dict[str, Path]
) -> None:
    barista.result("publish", str(releases["1.0.0"]), REPO)
    repository = hub.dataset(REPO)
    barista.result("publish", str(releases["1.1.0"]), REPO)
    del repository.tags["v1.1.0"]
    barista.result("publish", str(releases["2.0.0"]), REPO)
    assert repository.tags["v2.0.0"] == repository.head.oid


def test_a_registration_that_the_hub_does_not_know_is_refused(
    hub: Hub, barista: Client, releases: dict[str, Path], tmp_path: Path
) -> None:
    # What this project wrote before; it shows that the Hub of the tests would have said so.
    registration = yaml.safe_load((releases["1.0.0"] / "eval.yaml").read_text())
    assert "evaluation_framework" not in registration
    old = yaml.safe_dump({**registration, "evaluation_framework": "sorites"}).encode()
    with pytest.raises(Refusal) as caught:
        check_metadata("eval.yaml", old)
    assert caught.value.message == "eval.yaml: unknown evaluation_framework sorites"


def test_someone_else_commits_meanwhile(
    hub: Hub, barista: Client, releases: dict[str, Path]
) -> None:
    repository = hub.create(REPO)
    files = dict(repository.head.files)
    hub.faults.append(
        Fault(
            "POST .*/preupload/", "late", then=lambda: repository.commit("theirs", files) and None
        )
    )
    assert refusal(barista, releases["1.0.0"]) == (
        "cafe/cafe-menu: someone else changed it meanwhile, and nothing was published. "
        "Run the same command again: what is done already is not done twice"
    )
    assert not repository.tags
    barista.result("publish", str(releases["1.0.0"]), REPO)


def test_someone_else_sets_the_tag_meanwhile(
    hub: Hub, barista: Client, releases: dict[str, Path]
) -> None:
    repository = hub.create(REPO)
    first = repository.head.oid
    hub.faults.append(
        Fault("POST .*/commit/main", "lose", then=lambda: repository.tags.update({"v1.0.0": first}))
    )
    refusal(barista, releases["1.0.0"])
    assert refusal(barista, releases["1.0.0"]).startswith(
        "cafe/cafe-menu: v1.0.0 is published already, with other content"
    )
    assert repository.tags == {"v1.0.0": first}


@pytest.mark.parametrize(
    ("request_", "kind"),
    [
        ("POST .*/repos/create", "lose"),
        ("PUT /storage", "lose"),
        ("POST .*/commit/main", "drop"),
        ("POST .*/commit/main", "lose"),
        ("POST .*/tag/", "drop"),
        ("POST .*/tag/", "lose"),
    ],
)
def test_a_killed_run_is_taken_up_by_the_next(
    request_: str,
    kind: str,
    hub: Hub,
    barista: Client,
    releases: dict[str, Path],
    tmp_path: Path,
) -> None:
    with client(tmp_path / "killed", hub.url, TOKEN) as killed:
        hub.faults.append(Fault(request_, kind, then=killed.kill))
        assert killed.call("publish", str(releases["1.0.0"]), REPO) is None
    barista.result("publish", str(releases["1.0.0"]), REPO)
    check_published(hub.dataset(REPO), releases["1.0.0"])


def test_nobody_listens(releases: dict[str, Path], tmp_path: Path) -> None:
    with client(tmp_path / "alone", "http://127.0.0.1:9", TOKEN) as alone:
        assert refusal(alone, releases["1.0.0"]) == (
            "cafe/cafe-menu: the Hub could not be reached (ConnectError). "
            "Run the same command again: what is done already is not done twice"
        )
    with client(tmp_path / "alone", "http://127.0.0.1:9", TOKEN, HF_HUB_OFFLINE="1") as offline:
        assert refusal(offline, releases["1.0.0"]).startswith(
            "cafe/cafe-menu: the Hub could not be reached (OfflineModeIsEnabled). "
        )
