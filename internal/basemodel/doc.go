// Package basemodel finds the BERT model that training starts from: a folder in the
// Hugging Face layout, or the name of a model on the hub. A model of the hub is
// downloaded into the cache of Python's huggingface_hub, so that each finds what
// the other has downloaded.
//
// For basic usage, call [Resolve]. These environment variables have the same meaning as
// for huggingface_hub:
//
//	HF_HUB_CACHE     the cache; otherwise HF_HOME/hub, XDG_CACHE_HOME/huggingface/hub
//	                 or ~/.cache/huggingface/hub
//	HF_ENDPOINT      the server; otherwise https://huggingface.co
//	HF_HUB_OFFLINE   1 forbids requests
//	HF_TOKEN         sent to the server, for models that require a login; never to another scheme, host or port
//
// The cache has this layout. The links are created last, so that every file of a
// snapshot is complete:
//
//	models--org--name/blobs/<etag>                     content, named by its hash
//	models--org--name/snapshots/<commit>/config.json   -> ../../blobs/<etag>
//	models--org--name/refs/main                        the commit of the branch
//
// Source: https://huggingface.co/docs/huggingface_hub/guides/manage-cache
//
// The size and the hash of a file are those that the hub announced, or the file is refused:
// a transfer stops at the announced size. Errors name URLs without user, password and query.
//
// The client is our own: gomlx/go-huggingface v0.4.0 ignores HF_HUB_OFFLINE and HF_HOME,
// maruel/huggingface v0.1.0 ignores HF_ENDPOINT and HF_HUB_OFFLINE, and neither resumes
// interrupted downloads nor verifies their content.
package basemodel
