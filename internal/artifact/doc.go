// Package artifact writes, describes and checks the files that commands leave
// behind: models, corpora, encoders, indexes and reports.
//
//   - [Create], [Write], [WriteJSON] and [WriteJSONLines] replace a file atomically,
//     [CreateFolder] a folder. Readers see the old content or the new, never a
//     mixture; a program that is killed leaves the old, and a temporary sibling that
//     [RemoveStale] finds.
//   - [Digest] is the size and SHA-256 of a file, [Digests] those of a folder, as
//     kept in manifests.
//   - [DamagedError] is the error of every reader for a file whose content is wrong.
//
// All files are made with permissions 0o666 and all folders with 0o777, before umask.
package artifact
