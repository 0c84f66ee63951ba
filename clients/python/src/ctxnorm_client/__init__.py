"""Links mentions in texts to the concepts of a dictionary, by a server of ctxnorm.

``Client`` and ``AsyncClient`` talk to a server, ``Server`` starts one and stops it. ``ctxnorm_client.frames`` links pandas
data frames, and ``nlp.add_pipe("ctxnorm")`` the entities of spaCy documents.
"""

from importlib.metadata import version as _version

from ctxnorm_client.aio import AsyncClient
from ctxnorm_client.client import Client
from ctxnorm_client.errors import CtxnormError, Fault, Problem, ProblemError, ServerError, UnreachableError
from ctxnorm_client.frames import annotate_frame, link_frame, mentions_frame
from ctxnorm_client.results import (
    Broader,
    Candidate,
    Concept,
    ConceptName,
    CorpusSynonym,
    Document,
    Evidence,
    Exemplar,
    FoundConcept,
    Fragment,
    Health,
    ImportedEntries,
    LinkedDocument,
    LinkedMention,
    MemoryEntry,
    Mention,
    Reading,
    SubMention,
)
from ctxnorm_client.server import Server

__version__ = _version("ctxnorm-client")

__all__ = [
    "AsyncClient",
    "Broader",
    "Candidate",
    "Client",
    "Concept",
    "ConceptName",
    "CorpusSynonym",
    "CtxnormError",
    "Document",
    "Evidence",
    "Exemplar",
    "Fault",
    "FoundConcept",
    "Fragment",
    "Health",
    "ImportedEntries",
    "LinkedDocument",
    "LinkedMention",
    "MemoryEntry",
    "Mention",
    "Problem",
    "ProblemError",
    "Reading",
    "Server",
    "ServerError",
    "SubMention",
    "UnreachableError",
    "__version__",
    "annotate_frame",
    "link_frame",
    "mentions_frame",
]
