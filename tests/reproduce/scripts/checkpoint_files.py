# SPDX-License-Identifier: MIT
"""What torch.load and load_state_dict say to damaged or foreign files: python3 checkpoint_files.py CASE"""
import pathlib
import sys
import tempfile

import torch


class Settings:
    """Stands for any object of the training code that was pickled along."""


def truncated(folder: pathlib.Path) -> None:
    """The save was cut off before the zip directory was written."""
    path = folder / "step-400.pt"
    torch.save({"model": torch.zeros(100_000)}, path)
    path.write_bytes(path.read_bytes()[:200_000])
    torch.load(path)


def unsafe(folder: pathlib.Path) -> None:
    """The file holds an object that the restricted unpickler refuses."""
    path = folder / "step-400.pt"
    torch.save({"model": torch.zeros(4), "settings": Settings()}, path)
    torch.load(path)


def pointer(folder: pathlib.Path) -> None:
    """The file is a Git LFS pointer."""
    path = folder / "pytorch_model.bin"
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0f3c\nsize 438007537\n")
    torch.load(path)


def prefix(folder: pathlib.Path) -> None:
    """The state dict was taken from the DDP wrapper."""
    model = torch.nn.Sequential(torch.nn.Linear(4, 4))
    model.load_state_dict({f"module.{key}": value for key, value in model.state_dict().items()})


def shape(folder: pathlib.Path) -> None:
    """The vocabulary grew between saving and loading."""
    torch.nn.Embedding(32001, 8).load_state_dict(torch.nn.Embedding(32000, 8).state_dict())


def device(folder: pathlib.Path) -> None:
    """A checkpoint with CUDA storages is loaded where there is no GPU."""
    path = folder / "step-400.pt"
    torch.save({"model": torch.zeros(4)}, path)
    import io
    import zipfile
    source, target = zipfile.ZipFile(path), io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as out:
        for name in source.namelist():
            out.writestr(name, source.read(name).replace(b"X\x03\x00\x00\x00cpu", b"X\x06\x00\x00\x00cuda:0"))
    path.write_bytes(target.getvalue())
    torch.load(path)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        globals()[sys.argv[1]](pathlib.Path(scratch))
