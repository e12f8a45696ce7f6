# SPDX-License-Identifier: MIT
"""EarlyStopping with a loss that diverges: the run ends with exit code 0 and a model of infinities."""
from lightning.pytorch import Trainer
from lightning.pytorch.callbacks import EarlyStopping
from lightning_common import Regression, loader

stop = EarlyStopping("val_loss", verbose=True, check_finite=True)
trainer = Trainer(max_epochs=50, accelerator="cpu", devices=1, callbacks=[stop], logger=False, enable_checkpointing=False, enable_progress_bar=False)
trainer.fit(Regression(rate=60.0), loader(), loader())
print("epochs", trainer.current_epoch)
