"""What the processor that trains has."""

import torch

BFLOAT16 = torch.cpu._is_avx512_bf16_supported()
"""Where the processor has no such products, bfloat16 is slower than float32, five times with AVX-512 alone."""
