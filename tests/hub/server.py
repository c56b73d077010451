"""A Hub on loopback: enough of the protocol for huggingface_hub and datasets, and its faults.

Everything is in memory. ``Hub.faults`` holds what is to go wrong, in the order of requests.
"""

from __future__ import annotations

import base64
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import yaml

from tests.hub.repository import Account, Blob, Repository, file_entry

ATTRIBUTES = Blob(b"*.parquet filter=lfs diff=lfs merge=lfs -text\n", lfs=False)


@dataclass
class Fault:
    """What goes wrong, once: with the first request that fits a pattern, or with the n-th of all.

    ``kind``: ``drop`` closes the connection before anything is done, ``lose`` does what was
    asked and closes it without an answer, ``late`` does and answers it; a number is the status of
    the answer, with nothing done. ``then`` is called when it happens.
    """

    request: str | int
    kind: str | int
    then: Callable[[], None] = lambda: None
    happened: bool = False

    def fits(self, log: list[str]) -> bool:
        if self.happened:
            return False
        if isinstance(self.request, int):
            return len(log) == self.request + 1
        return re.search(self.request, log[-1]) is not None


@dataclass
class Answer:
    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


class Refusal(Exception):
    def __init__(self, status: int, code: str = "", message: str = "") -> None:
        self.status, self.code, self.message = status, code, message


@dataclass
class Hub:
    """The state of a Hub. ``log`` holds every request, as ``METHOD /path``."""

    accounts: dict[str, Account] = field(default_factory=dict)
    repositories: dict[tuple[str, str], Repository] = field(default_factory=dict)
    storage: dict[str, bytes] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    lock: threading.RLock = field(default_factory=threading.RLock)
    url: str = ""

    def clear(self) -> None:
        for state in (self.repositories, self.storage, self.faults, self.log):
            state.clear()

    def dataset(self, repo: str) -> Repository:
        return self.repositories["datasets", repo]

    def create(self, repo: str, *, kind: str = "datasets", private: bool = False) -> Repository:
        made = Repository(repo, kind, private)
        made.commit("initial commit", {".gitattributes": ATTRIBUTES})
        self.repositories[kind, repo] = made
        return made

    def answer(
        self, method: str, target: str, token: str | None, body: bytes, headers: Any
    ) -> Answer:
        """Do what a request asks."""
        url = urlsplit(target)
        path, query = unquote(url.path), parse_qs(url.query, keep_blank_values=True)
        account = self.accounts.get(token) if token else None
        if token and account is None:
            raise Refusal(401, message="Invalid credentials in Authorization header")
        for verb, pattern, handler in ROUTES:
            match = re.fullmatch(pattern, path)
            # A revision is quoted in the path: its slashes must not be taken for the path's.
            if verb == method and match:
                return handler(Call(self, account, body, query, headers), **match.groupdict())
        raise Refusal(404, message=f"no route for {method} {path}")


@dataclass
class Call:
    hub: Hub
    account: Account | None
    body: bytes
    query: dict[str, list[str]]
    headers: Any

    def json(self) -> Any:
        return json.loads(self.body)

    def read(self, kind: str, repo: str) -> Repository:
        found = self.hub.repositories.get((kind, repo))
        if found is None or (found.private and not self._may_write(repo)):
            # As the Hub does: whether a private repository exists is not told.
            raise Refusal(404 if self.account else 401, "RepoNotFound", "Repository not found")
        return found

    def write(self, kind: str, repo: str) -> Repository:
        found = self.read(kind, repo)
        self.check_rights(repo)
        return found

    def check_rights(self, repo: str) -> None:
        if self.account is None:
            raise Refusal(401, message="Invalid username or password.")
        if not self._may_write(repo):
            raise Refusal(403, message="You don't have the rights to write there")

    def _may_write(self, repo: str) -> bool:
        return self.account is not None and repo.split("/")[0] in self.account.writes


def _json(value: Any, status: int = 200) -> Answer:
    return Answer(status, json.dumps(value).encode(), {"Content-Type": "application/json"})


def _commit_of(repository: Repository, revision: str | None) -> Any:
    found = repository.resolve(revision or "main")
    if found is None:
        raise Refusal(404, "RevisionNotFound", f"Invalid rev id: {revision}")
    return found


def whoami(call: Call) -> Answer:
    if call.account is None:
        raise Refusal(401, message="Invalid username or password.")
    orgs = [{"name": name, "type": "org"} for name in sorted(call.account.writes)]
    access = {"accessToken": {"role": "write", "displayName": "test"}}
    return _json({"type": "user", "name": call.account.name, "orgs": orgs, "auth": access})


def validate_yaml(call: Call) -> Answer:
    content = call.json()["content"]
    errors = [] if content.startswith("---\n") else [{"message": "no metadata"}]
    return _json({"errors": errors, "warnings": []}, 400 if errors else 200)


def create_repo(call: Call) -> Answer:
    asked = call.json()
    owner = asked.get("organization") or (call.account.name if call.account else "")
    repo, kind = f"{owner}/{asked['name']}", f"{asked.get('type', 'model')}s"
    call.check_rights(repo)
    url = f"{call.hub.url}/{kind}/{repo}"
    if (kind, repo) in call.hub.repositories:
        return _json({"error": "You already created this dataset repo", "url": url}, 409)
    private = bool(asked.get("private")) or asked.get("visibility") == "private"
    call.hub.create(repo, kind=kind, private=private)
    return _json({"url": url})


def repo_info(call: Call, kind: str, repo: str, revision: str | None = None) -> Answer:
    repository = call.read(kind, repo)
    commit = _commit_of(repository, revision)
    siblings = [
        {
            "rfilename": path,
            "size": len(blob.content),
            "blobId": blob.oid,
            **(
                {"lfs": {"sha256": blob.sha256, "size": len(blob.content), "pointerSize": 134}}
                if blob.lfs
                else {}
            ),
        }
        for path, blob in sorted(commit.files.items())
    ]
    return _json(
        {
            "_id": "0" * 24,
            "id": repo,
            "author": repo.split("/")[0],
            "sha": commit.oid,
            "createdAt": "2026-01-01T00:00:00.000Z",
            "lastModified": "2026-01-01T00:00:00.000Z",
            "private": repository.private,
            "gated": False,
            "disabled": False,
            "downloads": 0,
            "likes": 0,
            "tags": [],
            "siblings": siblings,
        }
    )


def refs(call: Call, kind: str, repo: str) -> Answer:
    repository = call.read(kind, repo)

    def listed(names: dict[str, str], folder: str) -> list[dict[str, str]]:
        return [
            {"name": name, "ref": f"refs/{folder}/{name}", "targetCommit": oid}
            for name, oid in names.items()
        ]

    return _json(
        {
            "branches": listed(repository.branches, "heads"),
            "tags": listed(repository.tags, "tags"),
            "converts": [],
        }
    )


def tree(call: Call, kind: str, repo: str, revision: str, folder: str | None = None) -> Answer:
    files = _commit_of(call.read(kind, repo), revision).files
    inside = f"{folder.strip('/')}/" if folder and folder.strip("/") else ""
    found = {path: blob for path, blob in sorted(files.items()) if path.startswith(inside)}
    if inside and not found:
        raise Refusal(404, "EntryNotFound", f"{folder} does not exist on {revision}")
    entries: dict[str, Any] = {}
    recursive = call.query.get("recursive", ["false"])[0].lower() in ("true", "1")
    for path, blob in found.items():
        steps = path[len(inside) :].split("/")
        for depth in range(1, len(steps) if recursive else min(2, len(steps))):
            parent = inside + "/".join(steps[:depth])
            entries[parent] = {"type": "directory", "path": parent, "size": 0, "oid": "0" * 40}
        if recursive or len(steps) == 1:
            entries[path] = file_entry(path, blob)
    return _json([entries[path] for path in sorted(entries)])


def paths_info(call: Call, kind: str, repo: str, revision: str) -> Answer:
    files = _commit_of(call.read(kind, repo), revision).files
    if call.body.startswith(b"{"):
        wanted = call.json()["paths"]
    else:
        wanted = parse_qs(call.body.decode()).get("paths", [])
    folders = {
        path.rsplit("/", depth)[0] for path in files for depth in range(1, path.count("/") + 1)
    }
    return _json(
        [
            file_entry(path, files[path])
            if path in files
            else {"type": "directory", "path": path, "size": 0, "oid": "0" * 40}
            for path in wanted
            if path in files or path in folders
        ]
    )


def commits(call: Call, kind: str, repo: str, revision: str) -> Answer:
    repository = call.read(kind, repo)
    last = repository.commits.index(_commit_of(repository, revision))
    return _json(
        [
            {
                "id": commit.oid,
                "title": commit.title,
                "message": "",
                "date": "2026-01-01T00:00:00.000Z",
                "authors": [],
            }
            for commit in repository.commits[last::-1]
        ]
    )


def preupload(call: Call, kind: str, repo: str, revision: str) -> Answer:
    files = _commit_of(call.write(kind, repo), revision).files
    return _json(
        {
            "files": [
                {
                    "path": file["path"],
                    "uploadMode": "lfs" if file["path"].endswith(".parquet") else "regular",
                    "shouldIgnore": False,
                    "oid": files[file["path"]].etag if file["path"] in files else None,
                }
                for file in call.json()["files"]
            ]
        }
    )


def lfs_batch(call: Call, kind: str, repo: str) -> Answer:
    call.write(kind, repo)
    objects = []
    for wanted in call.json()["objects"]:
        entry: dict[str, Any] = {"oid": wanted["oid"], "size": wanted["size"]}
        if wanted["oid"] not in call.hub.storage:
            place = f"{call.hub.url}/storage/{wanted['oid']}"
            entry["actions"] = {
                "upload": {"href": place},
                "verify": {"href": f"{call.hub.url}/storage-check"},
            }
        objects.append(entry)
    return _json({"transfer": "basic", "objects": objects})


def lfs_upload(call: Call, oid: str) -> Answer:
    if sha256(call.body).hexdigest() != oid:
        raise Refusal(400, message="the content is not what its hash says")
    call.hub.storage[oid] = call.body
    return Answer(200)


def lfs_verify(call: Call) -> Answer:
    asked = call.json()
    stored = call.hub.storage.get(asked["oid"])
    if stored is None or len(stored) != asked["size"]:
        raise Refusal(404, message="no such object")
    return _json({})


# What the Hub accepts as evaluation_framework of an eval.yaml.
FRAMEWORKS = frozenset(
    (
        "apex-evals",
        "archipelago",
        "claw-eval",
        "exgentic",
        "harbor",
        "inspect-ai",
        "math-arena",
        "mdpbench",
        "mteb",
        "nemo-evaluator",
        "olmocr-bench",
        "open-asr-leaderboard",
        "parsebench",
        "screenspot-pro",
        "swe-bench",
        "swe-bench-pro",
        "video-mme-v2",
        "wildclawbench",
        "yc-bench",
    )
)


def check_metadata(path: str, content: bytes) -> None:
    """Refuse an eval.yaml, and tags of a card, that the Hub would not take."""
    if path == "eval.yaml":
        registered = yaml.safe_load(content)
        framework = registered.get("evaluation_framework")
        if framework is not None and framework not in FRAMEWORKS:
            raise Refusal(400, message=f"eval.yaml: unknown evaluation_framework {framework}")
        tasks = registered.get("tasks")
        if not tasks or not all({"id", "config", "split"} <= task.keys() for task in tasks):
            raise Refusal(400, message="eval.yaml: each task needs an id, a config and a split")
    if path == "README.md" and content.startswith(b"---\n"):
        card = yaml.safe_load(content.split(b"\n---", 1)[0][4:]) or {}
        tags = card.get("tags", [])
        if not isinstance(tags, list) or not all(
            isinstance(tag, str) and tag == tag.strip() != "" for tag in tags
        ):
            raise Refusal(400, message="README.md: tags must be a list of strings")


def commit(call: Call, kind: str, repo: str, revision: str) -> Answer:
    repository = call.write(kind, repo)
    lines = [json.loads(line) for line in call.body.splitlines() if line.strip()]
    header = lines[0]["value"]
    if header.get("parentCommit") not in (None, repository.head.oid):
        raise Refusal(412, message="A commit has happened since. Please refresh and try again.")
    files = dict(repository.head.files)
    for line in lines[1:]:
        value = line["value"]
        if line["key"] == "file":
            content = base64.b64decode(value["content"])
            check_metadata(value["path"], content)
            files[value["path"]] = Blob(content, lfs=False)
        elif line["key"] == "lfsFile":
            if value["oid"] not in call.hub.storage:
                raise Refusal(400, message=f"the content of {value['path']} was not uploaded")
            files[value["path"]] = Blob(call.hub.storage[value["oid"]], lfs=True)
        elif line["key"] == "deletedFile":
            if files.pop(value["path"], None) is None:
                raise Refusal(404, "EntryNotFound", "A file with this name doesn't exist")
        elif line["key"] == "deletedFolder":
            inside = value["path"].rstrip("/") + "/"
            files = {path: blob for path, blob in files.items() if not path.startswith(inside)}
    made = repository.commit(header["summary"], files)
    url = f"{call.hub.url}/{kind}/{repo}/commit/{made.oid}"
    return _json({"success": True, "commitOid": made.oid, "commitUrl": url, "hookOutput": ""})


def create_tag(call: Call, kind: str, repo: str, revision: str) -> Answer:
    repository = call.write(kind, repo)
    name = call.json()["tag"]
    if name in repository.tags:
        raise Refusal(409, message=f"Tag {name} already exists")
    repository.tags[name] = _commit_of(repository, revision).oid
    return _json({})


def delete_tag(call: Call, kind: str, repo: str, revision: str) -> Answer:
    repository = call.write(kind, repo)
    if repository.tags.pop(revision, None) is None:
        raise Refusal(404, "RevisionNotFound", f"no tag {revision}")
    return _json({})


def resolve(call: Call, repo: str, revision: str, path: str, kind: str = "models") -> Answer:
    found = _commit_of(call.read(kind, repo), revision)
    blob = found.files.get(path)
    if blob is None:
        raise Refusal(404, "EntryNotFound", "Entry not found")
    headers = {
        "X-Repo-Commit": found.oid,
        "ETag": f'"{blob.etag}"',
        "Accept-Ranges": "bytes",
        "Content-Type": "application/octet-stream",
    }
    if blob.lfs:
        headers |= {"X-Linked-Etag": f'"{blob.etag}"', "X-Linked-Size": str(len(blob.content))}
    asked = re.fullmatch(r"bytes=(\d+)-(\d*)", call.headers.get("Range", ""))
    if not asked:
        return Answer(200, blob.content, headers)
    first, last = int(asked[1]), int(asked[2] or len(blob.content) - 1)
    part = blob.content[first : last + 1]
    span = f"bytes {first}-{first + len(part) - 1}/{len(blob.content)}"
    return Answer(206, part, {**headers, "Content-Range": span})


_API = r"/api/(?P<kind>datasets|models)/(?P<repo>[^/]+/[^/]+)"
_REV = r"(?P<revision>[^/]+)"

ROUTES: tuple[tuple[str, str, Callable[..., Answer]], ...] = (
    ("GET", r"/api/whoami-v2", whoami),
    ("POST", r"/api/validate-yaml", validate_yaml),
    ("POST", r"/api/repos/create", create_repo),
    ("GET", _API + r"/refs", refs),
    ("GET", _API + rf"/tree/{_REV}(?:/(?P<folder>.*))?", tree),
    ("POST", _API + rf"/paths-info/{_REV}", paths_info),
    ("GET", _API + rf"/commits/{_REV}", commits),
    ("POST", _API + rf"/preupload/{_REV}", preupload),
    ("POST", _API + rf"/commit/{_REV}", commit),
    ("POST", _API + rf"/tag/{_REV}", create_tag),
    ("DELETE", _API + rf"/tag/{_REV}", delete_tag),
    ("GET", _API + rf"(?:/revision/{_REV})?", repo_info),
    ("POST", r"/(?P<kind>datasets)/(?P<repo>[^/]+/[^/]+)\.git/info/lfs/objects/batch", lfs_batch),
    ("PUT", r"/storage/(?P<oid>[0-9a-f]{64})", lfs_upload),
    ("POST", r"/storage-check", lfs_verify),
    ("GET", rf"/(?P<kind>datasets)/(?P<repo>[^/]+/[^/]+)/resolve/{_REV}/(?P<path>.+)", resolve),
    ("GET", rf"/(?P<repo>[^/]+/[^/]+)/resolve/{_REV}/(?P<path>.+)", resolve),
)


class Handler(BaseHTTPRequestHandler):
    """One connection to the Hub; ``serving`` gives each server its own class, with its Hub."""

    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, *arguments: object) -> None:
        """The Hub keeps its own log."""

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        pieces = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            pieces.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(pieces)

    def _serve(self) -> None:
        body = self._body()
        request = f"{self.command} {self.path}"
        with self.hub.lock:
            self.hub.log.append(request)
            fault = next((fault for fault in self.hub.faults if fault.fits(self.hub.log)), None)
            if fault is not None:
                fault.happened = True
            answer = self._answer(fault, body)
        if fault is not None:
            fault.then()
            if fault.kind in ("drop", "lose"):
                self.close_connection = True
                self.connection.close()
                return
        self.send_response(answer.status)
        for name, value in {**answer.headers, "Content-Length": str(len(answer.body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def _answer(self, fault: Fault | None, body: bytes) -> Answer:
        if fault is not None and fault.kind not in ("lose", "late"):
            status = fault.kind if isinstance(fault.kind, int) else 500
            answer = _json({"error": "a fault of the test"}, status)
            if status == 429:
                answer.headers["Retry-After"] = "7"
            return answer
        method = "GET" if self.command == "HEAD" else self.command
        authorization = self.headers.get("Authorization") or ""
        token = authorization.removeprefix("Bearer ") or None
        try:
            return self.hub.answer(method, self.path, token, body, self.headers)
        except Refusal as refusal:
            headers = {"X-Error-Message": refusal.message}
            if refusal.code:
                headers["X-Error-Code"] = refusal.code
            answer = _json({"error": refusal.message}, refusal.status)
            return Answer(answer.status, answer.body, {**answer.headers, **headers})

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _serve


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    """Serve a Hub on a free port of loopback for as long as the block runs."""
    handler = type("HubHandler", (Handler,), {"hub": hub})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
