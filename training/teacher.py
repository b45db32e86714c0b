"""A larger model that teaches the reader: MPNet in plain PyTorch, trained on the same examples. It is never shipped.

    python -m training.train reader --teacher FILE ...

`FILE` holds the weights of all-mpnet-base-v2 as `.safetensors` or `.npz`. Its word list is that of MiniLM behind four
words of its own, so that the tokens of one model become those of the other by adding four.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, scaled_dot_product_attention

LAYERS, HEADS, WIDTH, INNER = 12, 12, 768, 3072
WORDS, POSITIONS, BUCKETS, DISTANCE_MAX = 30_527, 514, 32, 128
EPSILON = 1e-5
OWN_WORDS = 4
"""How many words stand before those of MiniLM."""
FIRST, PADDING, LAST = 0, 1, 2
MINILM_FIRST, MINILM_LAST = 101, 102


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.ModuleDict(
            {
                "attn": nn.ModuleDict({name: nn.Linear(WIDTH, WIDTH) for name in ("q", "k", "v", "o")}),
                "LayerNorm": nn.LayerNorm(WIDTH, eps=EPSILON),
            }
        )
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(WIDTH, INNER)})
        self.output = nn.ModuleDict({"dense": nn.Linear(INNER, WIDTH), "LayerNorm": nn.LayerNorm(WIDTH, eps=EPSILON)})
        self.dropout = nn.Dropout(0.1)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        texts, length, _ = x.shape
        own = self.attention["attn"]
        parts = (own[name](x).view(texts, length, HEADS, -1).transpose(1, 2) for name in ("q", "k", "v"))
        query, key, value = parts
        mixed = scaled_dot_product_attention(query, key, value, attn_mask=bias.to(query.dtype))
        mixed = self.dropout(own["o"](mixed.transpose(1, 2).reshape(texts, length, WIDTH)))
        x = self.attention["LayerNorm"](x + mixed)
        inner = self.output["dense"](gelu(self.intermediate["dense"](x)))
        return self.output["LayerNorm"](x + self.dropout(inner))


class MPNet(nn.Module):
    """Token ids of MiniLM and their mask in, one vector a token out."""

    width = WIDTH

    def __init__(self) -> None:
        super().__init__()
        self.embeddings = nn.ModuleDict(
            {
                "word_embeddings": nn.Embedding(WORDS, WIDTH),
                "position_embeddings": nn.Embedding(POSITIONS, WIDTH),
                "LayerNorm": nn.LayerNorm(WIDTH, eps=EPSILON),
            }
        )
        self.encoder = nn.ModuleDict(
            {
                "layer": nn.ModuleList(Layer() for _ in range(LAYERS)),
                "relative_attention_bias": nn.Embedding(BUCKETS, HEADS),
            }
        )
        self.dropout = nn.Dropout(0.1)

    def forward(self, tokens: Tensor, mask: Tensor) -> Tensor:
        places = torch.arange(tokens.shape[1], device=tokens.device) + PADDING + 1
        x = self.embeddings["word_embeddings"](own_tokens(tokens)) + self.embeddings["position_embeddings"](places)
        x = self.dropout(self.embeddings["LayerNorm"](x))
        near = self.encoder["relative_attention_bias"](buckets(tokens.shape[1], tokens.device)).permute(2, 0, 1)
        bias = near[None].expand(len(tokens), -1, -1, -1).masked_fill(mask[:, None, None, :] == 0, -1e4)
        for layer in self.encoder["layer"]:
            x = layer(x, bias)
        return x

    def load(self, weights: Mapping[str, Tensor]) -> MPNet:
        self.load_state_dict({name: weights[name] for name in self.state_dict()})
        return self


def own_tokens(tokens: Tensor) -> Tensor:
    """The tokens of MiniLM as MPNet counts them."""
    moved = tokens + OWN_WORDS
    for theirs, ours in ((0, PADDING), (MINILM_FIRST, FIRST), (MINILM_LAST, LAST)):
        moved = torch.where(tokens == theirs, ours, moved)
    return moved


def buckets(length: int, device: torch.device) -> Tensor:
    """For each two places the number of their distance: near ones exact, far ones by the logarithm."""
    places = torch.arange(length, device=device)
    behind = places[:, None] - places[None, :]
    half, exact = BUCKETS // 2, BUCKETS // 4
    apart = behind.abs()
    ratio = torch.log(apart.clamp(min=1).float() / exact) / torch.log(torch.tensor(DISTANCE_MAX / exact))
    far = (exact + (ratio * (half - exact)).long()).clamp(max=half - 1)
    return (behind < 0).long() * half + torch.where(apart < exact, apart, far)
