"""Compiles the hot modules with mypyc while a wheel is built, on demand: `HATCH_BUILD_HOOKS_ENABLE=1 pip install .`.

The wheel holds every module as source, and beside the hot ones the extensions made of them, which Python prefers. Where
no C compiler or no header of Python is, it holds the sources alone: slower and otherwise the same.
`pyproject.toml` lists the hot modules. This module is not in the wheel.
"""

import os
import shutil
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileHook(BuildHookInterface[BuilderConfig]):
    """Puts the extensions of the hot modules into a wheel; an editable install runs the sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles, unless the install is an editable one or nothing is there to compile with."""
        if version == "editable":
            return
        if not _can_compile():
            return
        self._scratch = TemporaryDirectory()
        libraries = Path(self._scratch.name, "lib")
        hot: dict[str, str] = self.config["hot-modules"]
        paths = [f"referee/{package}/{name}.py" for package, names in hot.items() for name in names.split()]
        _compile(paths, Path(self._scratch.name), libraries)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        for path in libraries.rglob("*.*"):
            build_data["force_include"][str(path)] = str(path.relative_to(libraries))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes what was made on the way."""
        if not build_data["pure_python"]:
            self._scratch.cleanup()


def _can_compile() -> bool:
    compiler = os.environ.get("CC") or str(sysconfig.get_config_var("CC"))
    return shutil.which(compiler.split()[0]) is not None and Path(sysconfig.get_path("include"), "Python.h").exists()


def _compile(paths: list[str], scratch: Path, libraries: Path) -> None:
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    extensions = mypycify(["--config-file", "pyproject.toml", *paths], opt_level="2", target_dir=str(scratch / "c"))
    command = build_ext(Distribution({"name": "unoduo-referee", "ext_modules": extensions}))
    command.build_lib, command.build_temp = str(libraries), str(scratch / "objects")
    command.ensure_finalized()
    command.run()
