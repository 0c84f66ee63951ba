// Package artifact writes, describes and checks the files that commands leave
// behind: models, corpora, encoders, indexes and reports.
//
//   - [Create], [Write], [WriteJSON] and [WriteJSONLines] replace a file atomically,
//     [ReplaceFolder] replaces a folder. Readers see either the old content or the new, never
//     a mixture. Within [ReadFolder] this holds for several files of a folder. A program that is
//     killed leaves the old content, and a temporary sibling that [RemoveStale] removes.
//     After a loss of power the content is also either the old or the new, and it is the new
//     if that was committed.
//   - [CheckReplaceable] reports files in a folder that do not belong to ctxnorm. [WorkFolder] is
//     a folder that belongs to ctxnorm by a marker file. Nothing else is replaced or removed.
//   - [LockFolder] prevents a second process from writing the same folder.
//   - [Digest] is the size, SHA-256 and CRC-32C of a file, as listed in manifests; [Digests] are those of the
//     files in a folder.
//   - [WriteCheckedJSON] and [AppendCheckedLine] write an object with its own checksum, for manifests, logs and the
//     state from which an interrupted command resumes.
//   - DamagedError of package files is the error that every reader returns for a file with wrong content.
//   - [Intercept] lets tests stop a program before any change of the file system.
//
// While they are written, files have the permissions 0o600 and folders 0o700. Afterwards they have 0o666 and 0o777
// minus the umask.
package artifact
