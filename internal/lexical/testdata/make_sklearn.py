#!/usr/bin/env python3
"""Write sklearn.json: the cosines of queries and names by scikit-learn's TfidfVectorizer, in ten-thousandths.

Needs scikit-learn 1.9.
"""

import json
import os

from sklearn.feature_extraction.text import TfidfVectorizer

NAMES = """asthma; bronchial asthma; acute bronchitis; chronic bronchitis; bronchitis; gout; gouty arthritis; arthritis
rheumatoid; arthritis psoriatic; osteoarthritis; diabetes mellitus; diabetes insipidus; type 2 diabetes; celiac disease;
coeliac sprue; crohn disease; ulcerative colitis; colitis; breast cancer; cancer of breast; mammary carcinoma; renal
failure; kidney failure; heart failure; heart attack; myocardial infarction; infarct; stroke; aa""".split(";")
QUERIES = """asthma; asthmatic bronchitis; goutt; arthritis of the kidney; diabetes; type 1 diabetes mellitus; sprue
celiac; carcinoma of the breast; infarction of the heart; aaaa; zz; colitis colitis ulcerative""".split(";")
OPTIONS = [
    {"min_gram": 1, "max_gram": 2, "word_bounded": False, "sublinear": False},
    {"min_gram": 2, "max_gram": 4, "word_bounded": False, "sublinear": True},
    {"min_gram": 3, "max_gram": 5, "word_bounded": True, "sublinear": False},
]

names, queries = ([" ".join(s.split()) for s in texts] for texts in (NAMES, QUERIES))
results = []
for o in OPTIONS:
    vectorizer = TfidfVectorizer(
        analyzer="char_wb" if o["word_bounded"] else "char",
        ngram_range=(o["min_gram"], o["max_gram"]),
        sublinear_tf=o["sublinear"],
    )
    table = vectorizer.fit_transform(names)
    cosines = (vectorizer.transform(queries) @ table.T).toarray()
    results.append({"options": o, "cosines": [[round(1e4 * c) for c in row] for row in cosines.tolist()]})
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "sklearn.json"), "w", encoding="utf-8") as f:
    json.dump({"names": names, "queries": queries, "results": results}, f)
    f.write("\n")
