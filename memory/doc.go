// Package memory stores curators' corrections to a model: names, contexts and concepts that are added without training.
//
//	MODEL.memory/log.jsonl   the log, beside the model folder, so that a new model keeps it
//
// The log only grows. Its first line gives its format, and every other line is an [Entry] with its number, its time and
// a checksum. [Log.Add] returns once the entry is on disk. An entry that is undone stays in the log, and an entry that
// undoes it follows. One process writes at a time, under a lock; others follow by calling [Log.Refresh]. The file is
// replaced as a whole, so an entry is never written in part. A change to written lines is reported as a
// [*files.DamagedError] with its offset.
//
// [Log.State] returns the entries in force. For their use in a model, see ctxnorm.Memory in the root package.
package memory
