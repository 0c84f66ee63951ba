// Package basemodel finds the BERT that training starts from: a folder in the
// Hugging Face layout, or the name of a model on the hub, which is downloaded
// into the cache that Python's huggingface_hub keeps, so that either program
// finds what the other has fetched.
//
// For basic usage call [Resolve]. These variables are honoured, as
// huggingface_hub does:
//
//	HF_HUB_CACHE     the cache; otherwise HF_HOME/hub, XDG_CACHE_HOME/huggingface/hub
//	                 or ~/.cache/huggingface/hub
//	HF_ENDPOINT      the server; otherwise https://huggingface.co
//	HF_HUB_OFFLINE   1 asks no server
//	HF_TOKEN         sent to the server, for models that need a login
//
// A model lies in the cache like this, the links last, so that what a snapshot
// holds is whole:
//
//	models--org--name/blobs/<etag>                     content, named by its hash
//	models--org--name/snapshots/<commit>/config.json   -> ../../blobs/<etag>
//	models--org--name/refs/main                        the commit of the branch
//
// Source: https://huggingface.co/docs/huggingface_hub/guides/manage-cache
package basemodel
