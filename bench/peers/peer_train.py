#!/usr/bin/env python3
"""Contrastive training steps of a BERT encoder: transformers and pytorch-metric-learning.

    peer_train.py --model DIR --data sentences.jsonl --pairs 16 --steps 10 [--bf16]
    peer_train.py --model DIR --batches batches.jsonl --steps 10 [--bf16]

--data holds {"text", "label"} rows, the mention between [ENT] and [/ENT]. A batch is --pairs
labels with two sentences each. A step is tokenizing, encoding, the MultiSimilarity miner and
loss (alpha 2, beta 50, base 0.5, epsilon 0.1), the backward pass and AdamW. The first --warmup
steps are not measured. --batches holds the batches themselves, {"texts", "labels"} rows, one per
step, so that another program can train on the same. Token counts are over the measured steps:
padded counts the whole batch matrix, real its attended part.
"""

import common


def batches(rows, pairs, steps, seed):
    """Yield (texts, labels), the same for the same seed."""
    import random

    by_label = {}
    for row in rows:
        by_label.setdefault(row["label"], []).append(row["text"])
    usable = sorted(label for label, texts in by_label.items() if len(texts) > 1)
    if len(usable) < pairs:
        raise SystemExit(f"--pairs {pairs}: only {len(usable)} labels have two sentences")
    rng = random.Random(seed)
    for _ in range(steps):
        texts, labels = [], []
        for number, label in enumerate(rng.sample(usable, pairs)):
            texts += rng.sample(by_label[label], 2)
            labels += [number, number]
        yield texts, labels


def main():
    import os

    p = common.parser(__doc__)
    p.add_argument("--model", required=True, help="a model directory in Hugging Face layout")
    p.add_argument("--data", help='.jsonl of {"text", "label"}, may be .gz')
    p.add_argument("--batches", help='.jsonl of {"texts", "labels"}, a batch a row, instead of --data')
    p.add_argument("--rows", type=int, default=0, help="read this many rows only (default all)")
    p.add_argument("--pairs", type=int, default=16, help="B: a batch is 2B sentences (16)")
    p.add_argument("--steps", type=int, default=10, help="measured steps (10)")
    p.add_argument("--warmup", type=int, default=2, help="steps before them (2)")
    p.add_argument("--max-tokens", type=int, default=128)
    p.add_argument("--pool", choices=("ent", "cls", "mean"), default="ent")
    p.add_argument("--dropout", type=float, help="share of activations dropped (default: what the model says)")
    p.add_argument("--lr", type=float, default=2e-5)
    p.add_argument("--bf16", action="store_true", help="autocast to bfloat16 instead of fp32")
    p.add_argument("--attention", choices=("auto", "sdpa", "eager"), default="auto", help="auto: sdpa, but eager for bf16 on the CPU")
    p.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    if bool(args.data) == bool(args.batches):
        p.error("give one of --data and --batches")
    common.threads(args.threads)

    import encoder
    import torch
    from pytorch_metric_learning.losses import MultiSimilarityLoss
    from pytorch_metric_learning.miners import MultiSimilarityMiner

    torch.manual_seed(args.seed)
    attention = encoder.attention(args.attention, args.device, args.bf16)
    tokenizer, model = encoder.load(args.model, args.device, args.threads, attention, args.dropout)
    ent_id = tokenizer.convert_tokens_to_ids(common.ENT)
    loss_function, miner = MultiSimilarityLoss(alpha=2, beta=50, base=0.5), MultiSimilarityMiner(epsilon=0.1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    model.train()

    sentences = padded = real = mined = 0
    losses, tokenizing = [], 0.0
    total = args.warmup + args.steps
    if args.batches:
        work = [(row["texts"], row["labels"]) for row in common.read_jsonl(args.batches, total)]
        if len(work) < total:
            p.error(f"--batches has {len(work)} batches, want {total}")
    else:
        work = list(batches(common.read_jsonl(args.data, args.rows), args.pairs, total, args.seed))
    clock = None
    for number, (texts, labels) in enumerate(work):
        if number == args.warmup:
            encoder.synchronize(args.device)
            clock = common.Clock().__enter__()
        with common.Clock() as t:
            batch = encoder.tokenize(tokenizer, texts, args.max_tokens).to(args.device)
        with encoder.autocast(args.device, args.bf16):
            hidden = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).last_hidden_state
        vectors = encoder.pool(hidden.float(), batch, args.pool, ent_id)
        target = torch.tensor(labels, device=args.device)
        tuples = miner(vectors, target)
        loss = loss_function(vectors, target, tuples)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
        if clock:
            tokenizing += t.s
            sentences += len(texts)
            padded += batch["input_ids"].numel()
            real += int(batch["attention_mask"].sum())
            mined += len(tuples[0]) + len(tuples[2])
    encoder.synchronize(args.device)
    clock.__exit__()
    losses = [float(loss) for loss in losses]
    common.report(
        "train", versions=common.version("torch", "transformers", "pytorch-metric-learning"), threads=args.threads,
        device=args.device, dtype="bf16" if args.bf16 else "fp32", attention=attention,
        model=os.path.basename(os.path.normpath(args.model)), parameters=sum(w.numel() for w in model.parameters()),
        pool=args.pool, batch=len(work[0][0]), max_tokens=args.max_tokens, steps=args.steps, sentences=sentences,
        padded_tokens=padded, real_tokens=real, mined_pairs=mined, first_loss=round(losses[0], 4),
        last_loss=round(losses[-1], 4), seconds=round(clock.s, 3), cpu_seconds=round(clock.cpu_s, 3),
        tokenize_seconds=round(tokenizing, 3), sentences_per_s=round(sentences / clock.s, 2),
        padded_tokens_per_s=round(padded / clock.s, 1), real_tokens_per_s=round(real / clock.s, 1),
        **({"peak_gpu_mb": round(torch.cuda.max_memory_allocated() / 2**20, 1)} if args.device == "cuda" else {}))


if __name__ == "__main__":
    main()
