# SPDX-License-Identifier: MIT
"""DeepSpeed is asked to resume from a folder without `latest`: it warns and starts at step 0."""
import deepspeed
import torch

model = torch.nn.Linear(8, 1)
settings = {"train_micro_batch_size_per_gpu": 1, "optimizer": {"type": "Adam", "params": {"lr": 1e-3, "torch_adam": True}}, "steps_per_print": 1}
engine, _, _, _ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=settings)
path, _state = engine.load_checkpoint("checkpoints/run-7")
print(f"resumed from {path}, step {engine.global_steps}", flush=True)
for _ in range(2):
    loss = engine(torch.randn(1, 8)).pow(2).mean()
    engine.backward(loss)
    engine.step()
