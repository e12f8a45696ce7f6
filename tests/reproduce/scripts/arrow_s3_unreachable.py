# SPDX-License-Identifier: MIT
"""A parquet shard is read through Arrow's S3 client from an endpoint where nobody listens."""
import os

import pyarrow.parquet as pq
from pyarrow.fs import S3FileSystem

os.environ["AWS_EC2_METADATA_DISABLED"] = "true"
store = S3FileSystem(access_key="test", secret_key="test", endpoint_override="127.0.0.1:9", scheme="http", region="us-east-1", connect_timeout=2, request_timeout=2)
print("reading shard 17", flush=True)
pq.read_table("datasets/tokens/part-00017.parquet", filesystem=store)
