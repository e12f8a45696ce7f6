# SPDX-License-Identifier: MIT
"""More than 2 GiB of text in one Arrow array, whose offsets have 32 bits."""
import pyarrow as pa

page = pa.array(["x" * 1_000_000])
column = pa.chunked_array([page] * 2200)
print(f"{column.nbytes / 2**30:.2f} GiB in {column.num_chunks} chunks", flush=True)
column.take(list(range(2200)))
