// Package basemodel finds the BERT model that training starts from: a folder in the
// Hugging Face layout, or the name of a model on the hub, which is downloaded once.
//
// For basic usage, call [Resolve]. These environment variables have the same meaning as
// for Python's huggingface_hub:
//
//	HF_HUB_CACHE     the cache; otherwise HF_HOME/hub, XDG_CACHE_HOME/huggingface/hub
//	                 or ~/.cache/huggingface/hub
//	HF_ENDPOINT      the server; otherwise https://huggingface.co
//	HF_HUB_OFFLINE   1 forbids requests
//	HF_TOKEN         sent to the server, for models that require a login; never to another scheme, host or port
//
// Files are downloaded to models--org--name/snapshots/<commit> in the cache, and refs/main gets the
// commit when all of them are there. huggingface_hub uses the same names, so each finds the models
// of the other. A file is written only if it has the size and the hash that the hub states.
//
// The client is our own: gomlx/go-huggingface v0.4.0 ignores HF_HUB_OFFLINE and HF_HOME,
// maruel/huggingface v0.1.0 ignores HF_ENDPOINT and HF_HUB_OFFLINE, and neither verifies content.
package basemodel
