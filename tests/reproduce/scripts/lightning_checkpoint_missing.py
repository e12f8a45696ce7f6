# SPDX-License-Identifier: MIT
"""fit is told to resume from a checkpoint that is not there."""
from lightning.pytorch import Trainer
from lightning_common import Regression, loader

trainer = Trainer(max_epochs=3, accelerator="cpu", devices=1, logger=False, enable_progress_bar=False)
trainer.fit(Regression(), loader(), loader(), ckpt_path="checkpoints/run-7/last.ckpt")
