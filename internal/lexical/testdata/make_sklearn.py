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

names, queries = ([" ".join(s.split()) for s in texts] for texts in (NAMES, QUERIES))
vectorizer = TfidfVectorizer(analyzer="char", ngram_range=(1, 2))
table = vectorizer.fit_transform(names)
cosines = [[round(1e4 * c) for c in row] for row in (vectorizer.transform(queries) @ table.T).toarray().tolist()]
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "sklearn.json"), "w", encoding="utf-8") as f:
    json.dump({"names": names, "queries": queries, "cosines": cosines}, f)
    f.write("\n")
