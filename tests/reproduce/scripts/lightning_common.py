# SPDX-License-Identifier: MIT
"""A small Lightning module that the scripts about Lightning share."""
import torch
from lightning.pytorch import LightningModule
from torch.utils.data import DataLoader, TensorDataset


class Regression(LightningModule):
    """A linear layer; the loss can be made to blow up."""

    def __init__(self, rate: float = 0.01) -> None:
        super().__init__()
        self.rate = rate
        self.layer = torch.nn.Linear(8, 1)

    def training_step(self, batch: list[torch.Tensor], _index: int) -> torch.Tensor:
        """Mean squared error."""
        loss = (self.layer(batch[0]) - 1).pow(2).mean()
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch: list[torch.Tensor], _index: int) -> None:
        """The same error on the validation data."""
        self.log("val_loss", (self.layer(batch[0]) - 1).pow(2).mean(), sync_dist=True)

    def configure_optimizers(self) -> torch.optim.Optimizer:
        """Plain SGD, which a rate that is too large sends to infinity."""
        return torch.optim.SGD(self.parameters(), lr=self.rate)


def loader() -> DataLoader:
    """Sixty-four random samples."""
    return DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=8)
