#!/usr/bin/env python3
"""Serve a model folder of ctxnorm over HTTP: FastAPI, transformers and FAISS.

    peer_serve.py --model model [--port 8090] [--threads 2]

POST /v1/link takes {"documents": [{"text", "mentions": [{"start", "end"}]}]}, as ctxnorm serve does, and answers each
mention by the concepts of its nearest names, by the encoder and the vectors of the folder. Each request is encoded by
itself, in the pool of threads in which FastAPI runs a function: what a Python user would write. It does not read short
forms, split composites, compare strings, look at contexts or know NIL, as ctxnorm does besides.
"""

import pathlib

import common


def concepts_of(folder):
    """A concept of each row of index/names.npy."""
    from safetensors.numpy import load_file

    dictionary, names = load_file(folder / "dictionary" / "concepts.idx"), load_file(folder / "index" / "names.idx")
    text, ends = dictionary["ids.text"].tobytes(), dictionary["ids.ends"]
    ids = [text[start:end].decode() for start, end in zip([0, *ends], ends)]
    return [ids[names["names/concepts"][end - 1]] for end in names["names/concepts.ends"]]


def main():
    p = common.parser(__doc__)
    p.add_argument("--model", required=True, help="a model folder of ctxnorm with an encoder")
    p.add_argument("--port", type=int, default=8090)
    p.add_argument("--k", type=int, default=15, help="nearest names (15)")
    p.add_argument("--max-tokens", type=int, default=128)
    args = p.parse_args()
    common.threads(args.threads)

    import encoder
    import faiss
    import numpy as np
    import torch
    import uvicorn
    from fastapi import FastAPI
    from pydantic import BaseModel

    folder = pathlib.Path(args.model)
    faiss.omp_set_num_threads(args.threads)
    tokenizer, model = encoder.load(str(folder / "encoder"), "cpu", args.threads, "sdpa")
    model.eval()
    concepts = concepts_of(folder)
    vectors = np.load(folder / "index" / "names.npy")
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(np.ascontiguousarray(vectors, dtype=np.float32))

    class Mention(BaseModel):
        start: int
        end: int

    class Document(BaseModel):
        id: str = ""
        text: str
        mentions: list[Mention] = []

    class Request(BaseModel):
        documents: list[Document]

    app = FastAPI()

    @app.get("/healthz")
    def health():
        return {"status": "ok"}

    @app.post("/v1/link")
    def link(request: Request):
        surfaces = [d.text[m.start : m.end] for d in request.documents for m in d.mentions]
        nearest = []
        if surfaces:
            batch = encoder.tokenize(tokenizer, surfaces, args.max_tokens)
            with torch.inference_mode():
                hidden = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).last_hidden_state
                queries = torch.nn.functional.normalize(encoder.pool(hidden, batch, "mean", None), dim=1).numpy()
            for scores, rows in zip(*index.search(queries, args.k)):
                best = {}
                for score, row in zip(scores.tolist(), rows.tolist()):
                    best.setdefault(concepts[row], score)
                nearest.append([{"id": id, "score": score} for id, score in best.items()])
        answers = iter(nearest)
        return {
            "documents": [
                {"id": d.id, "text": d.text, "mentions": [m.model_dump() | {"candidates": next(answers)} for m in d.mentions]}
                for d in request.documents
            ]
        }

    uvicorn.run(app, host="127.0.0.1", port=args.port, log_level="warning")


if __name__ == "__main__":
    main()
