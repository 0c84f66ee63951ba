"""A BERT encoder of Hugging Face transformers for peer_train.py and peer_encode.py.

Import after common.threads(): this loads torch.
"""

import contextlib
import warnings

import common
import torch
from transformers import AutoConfig, AutoModel, AutoTokenizer

warnings.filterwarnings("ignore", category=FutureWarning, module="transformers")


def attention(name, device, bf16):
    """The attention implementation: torch 2.1 cannot run sdpa with a mask under CPU autocast."""
    if name != "auto":
        return name
    return "eager" if bf16 and device == "cpu" else "sdpa"


def load(directory, device, threads, attention_name, dropout=None):
    """(tokenizer, model) with [ENT] and [/ENT] as tokens of their own. dropout None keeps the model's."""
    torch.set_num_threads(threads)
    torch.manual_seed(1)  # for the random embeddings of the two new tokens
    tokenizer = AutoTokenizer.from_pretrained(directory, use_fast=True)
    tokenizer.add_special_tokens({"additional_special_tokens": [common.ENT, common.ENT_END]})
    # Leave out BERT's unused pooling layer, so that its time and parameters do not count.
    bert = AutoConfig.from_pretrained(directory).model_type == "bert"
    options = {"add_pooling_layer": False} if bert else {}
    if dropout is not None:
        options |= {"hidden_dropout_prob": dropout, "attention_probs_dropout_prob": dropout}
    model = AutoModel.from_pretrained(directory, attn_implementation=attention_name, **options)
    if len(tokenizer) > model.get_input_embeddings().num_embeddings:  # some models have spare rows
        model.resize_token_embeddings(len(tokenizer))
    return tokenizer, model.to(device)


def tokenize(tokenizer, texts, max_tokens):
    return tokenizer(texts, padding=True, truncation=True, max_length=max_tokens, return_tensors="pt")


def pool(hidden, batch, how, ent_id):
    """One vector per sentence: at [ENT] (at [CLS] where truncation took [ENT]), at [CLS], or the mean."""
    if how == "cls":
        return hidden[:, 0]
    if how == "mean":
        mask = batch["attention_mask"].unsqueeze(-1).to(hidden.dtype)
        return (hidden * mask).sum(1) / mask.sum(1)
    where = (batch["input_ids"] == ent_id).int().argmax(1)
    return hidden[torch.arange(hidden.shape[0], device=hidden.device), where]


def autocast(device, bf16):
    return torch.autocast(device, dtype=torch.bfloat16) if bf16 else contextlib.nullcontext()


def synchronize(device):
    if device == "cuda":
        torch.cuda.synchronize()
