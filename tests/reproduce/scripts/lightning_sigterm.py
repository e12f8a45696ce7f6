# SPDX-License-Identifier: MIT
"""A scheduler's SIGTERM in the middle of training with Lightning (here sent by a timer)."""
import os
import signal
import threading
import time

from lightning.pytorch import Callback, Trainer
from lightning_common import Regression, loader


class Slow(Callback):
    """Stretch the steps, so that the signal arrives between two of them."""

    def on_train_batch_end(self, *_args: object) -> None:
        """Wait a little."""
        time.sleep(0.2)


threading.Timer(2.0, os.kill, (os.getpid(), signal.SIGTERM)).start()
Trainer(max_epochs=50, accelerator="cpu", devices=1, callbacks=[Slow()], logger=False, enable_checkpointing=False, enable_progress_bar=False).fit(Regression(), loader())
