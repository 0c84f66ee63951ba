// Package artifact writes, describes and checks the files that commands leave
// behind: models, corpora, encoders, indexes and reports.
//
//   - [Create], [Write], [WriteJSON] and [WriteJSONLines] replace a file atomically,
//     [CreateFolder] replaces a folder. Readers see the old content or the new, never
//     a mixture; a program that is killed leaves the old content, and a temporary
//     sibling that [RemoveStale] removes.
//   - [Digest] is the size and SHA-256 of a file, and the checksums of its blocks, as listed
//     in manifests; [Digests] are those of the files in a folder.
//   - [WriteCheckedJSON] writes an object with its own checksum, for manifests and for the
//     state that an interrupted command resumes from.
//   - [DamagedError] is the error that every reader returns for a file whose content is wrong.
//
// All files are made with permissions 0o666 and all folders with 0o777, before umask.
package artifact
