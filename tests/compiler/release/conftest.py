"""What the tests of releases share: a spec, its content, and the release that they make."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorites.release.content import Content
from sorites.release.write import write_release
from sorites.specfile.model import Spec
from tests.compiler.release.sample import sample_content, sample_spec


@pytest.fixture
def spec(tmp_path: Path) -> Spec:
    return sample_spec(tmp_path / "specs")


@pytest.fixture(scope="session")
def content() -> Content:
    return sample_content()


@pytest.fixture
def release(spec: Spec, content: Content, tmp_path: Path) -> Path:
    return write_release(spec, content, tmp_path / "releases")
