// Package memory keeps what curators say of a model: names, contexts and concepts that are added
// to it without training.
//
//	MODEL.memory/log.jsonl   the log, beside the model folder, so that a new model keeps it
//
// The log only grows. Its first line says its format, and every other is an [Entry] with its number,
// its time and a checksum. [Log.Add] returns when the entry is on disk; an entry that is undone
// stays in the log, and an entry that undoes it follows. One process writes at a time, under a lock;
// others follow by [Log.Refresh]. The file is replaced as a whole, so that an entry is in it or not;
// a difference from what was written is an [*files.DamagedError] with its offset.
//
// [Log.State] is what is in force. What a model makes of it is in the root package: see
// ctxnorm.Memory.
package memory
