// Package artifact writes, describes and checks the files that commands leave
// behind: models, corpora, encoders, indexes and reports.
//
//   - [Create], [Write], [WriteJSON] and [WriteJSONLines] replace a file atomically,
//     [ReplaceFolder] replaces a folder. Readers see the old content or the new, never
//     a mixture, also of several files of a folder within [ReadFolder]; a program that is
//     killed leaves the old content, and a temporary sibling that [RemoveStale] removes.
//     After a loss of power the content is the old one or the new one, too, and the new one
//     if it was committed.
//   - [CheckReplaceable] says what in a folder is not ctxnorm's. [WorkFolder] is a folder
//     that a marker file says to be ctxnorm's. Nothing else is replaced or removed.
//   - [LockFolder] keeps a second process from writing the same folder.
//   - [Digest] is the size, SHA-256 and CRC-32C of a file, as listed in manifests; [Digests] are those of the
//     files in a folder.
//   - [WriteCheckedJSON] and [AppendCheckedLine] write an object with its own checksum, for manifests, logs and the
//     state that an interrupted command resumes from.
//   - DamagedError of package files is the error that every reader returns for a file whose content is wrong.
//   - [Intercept] lets tests stop a program before any change of the file system.
//
// Files have permissions 0o600 and folders 0o700 while they are written, and then 0o666 and
// 0o777 without those of the umask.
package artifact
