"""Writes a model of random weights in the format of llama.cpp: python3 model.py FILE.

It answers at the speed of a model of 53 million parameters, with letters only, and never ends an answer by itself.
"""

import sys

import gguf
import numpy

LAYERS, WIDTH, HEADS, FEED_FORWARD, CONTEXT = 8, 640, 10, 2560, 8192
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SPECIAL = ["<unk>", "<s>", "</s>"]
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
WORDS = ["\u2581", *LETTERS, *(f"\u2581{letter}" for letter in LETTERS)]

TOKENS = [*SPECIAL, *BYTES, *WORDS]
TYPES = [
    gguf.TokenType.UNKNOWN,
    *[gguf.TokenType.CONTROL] * 2,
    *[gguf.TokenType.BYTE] * len(BYTES),
    *[gguf.TokenType.NORMAL] * len(WORDS),
]

random = numpy.random.default_rng(1)


def weights(*shape):
    return (random.standard_normal(shape, dtype=numpy.float32) * 0.02).astype(numpy.float16)


def add_words(writer):
    writer.add_tokenizer_model("llama")
    writer.add_token_list(TOKENS)
    writer.add_token_scores([0.0] * (len(SPECIAL) + len(BYTES)) + [-float(i) for i in range(len(WORDS))])
    writer.add_token_types(TYPES)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_chat_template("{% for message in messages %}{{ message['content'] }} {% endfor %}")


def add_shape(writer):
    writer.add_block_count(LAYERS)
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(TOKENS))
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)


def add_layer(writer, layer):
    ones = numpy.ones(WIDTH, dtype=numpy.float32)
    # The first number of every state stays as the embedding has it: see `output.weight`.
    shapes = {"ffn_gate": (FEED_FORWARD, WIDTH), "ffn_up": (FEED_FORWARD, WIDTH), "ffn_down": (WIDTH, FEED_FORWARD)}
    squares = {name: (WIDTH, WIDTH) for name in ["attn_q", "attn_k", "attn_v", "attn_output"]}
    for name in ["attn_norm", "ffn_norm"]:
        writer.add_tensor(f"blk.{layer}.{name}.weight", ones)
    for name, shape in {**shapes, **squares}.items():
        values = weights(*shape)
        if name in ["ffn_down", "attn_output"]:
            values[0] = 0
        writer.add_tensor(f"blk.{layer}.{name}.weight", values)


def add_ends(writer):
    embedding = weights(len(TOKENS), WIDTH)
    embedding[:, 0] = 1
    output = weights(len(TOKENS), WIDTH) * numpy.float16(10)
    output[:, 0] = 0
    # No answer has a token that is not a letter.
    output[: len(SPECIAL) + len(BYTES), 0] = -100
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output_norm.weight", numpy.ones(WIDTH, dtype=numpy.float32))
    writer.add_tensor("output.weight", output)


writer = gguf.GGUFWriter(sys.argv[1], "llama")
add_shape(writer)
add_words(writer)
add_ends(writer)
for layer in range(LAYERS):
    add_layer(writer, layer)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
