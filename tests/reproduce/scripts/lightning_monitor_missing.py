# SPDX-License-Identifier: MIT
"""ModelCheckpoint watches a metric that the module logs under another name."""
from lightning.pytorch import Trainer
from lightning.pytorch.callbacks import ModelCheckpoint
from lightning_common import Regression, loader

keep = ModelCheckpoint(dirpath="monitor-missing", monitor="val/loss")
Trainer(max_epochs=3, accelerator="cpu", devices=1, callbacks=[keep], logger=False, enable_progress_bar=False).fit(Regression(), loader(), loader())
