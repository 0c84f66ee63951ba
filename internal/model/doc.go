// Package model builds, opens and checks the model folder: everything that linking needs, in one folder.
//
// To link, call [Open] and pass the [Model] to package link. To build a folder, call [Build]. With calibrate.Learn of
// package link/calibrate as its Calibrate, the model gets its own ranking weights. An opened model never returns a
// vector or a row that differs from the build. To list all damaged files, call [Verify].
//
// The life of a model:
//
//	NameExemplars, ContextExemplars       the rows of the indexes, before the build, to train an encoder on
//	Build                                 writes indexes, tagger and mined names; the manifest comes last
//	Open ... Model.Close                  opens it; contexts are read when their text is needed
//	Model.HoldOut                         a copy without some concepts, to measure how mentions of unknown concepts are linked
//	Model.Memoized                        a copy that encodes equal queries once
//	Model.WriteCalibration                replaces the ranking weights
//	Verify                                compares every file with its digest in the manifest
//
// A model that was built without an encoder links by strings. If a model has an encoder, give Open a function that
// opens it; with nil the model links by strings.
//
// docs/formats.md describes the files.
package model
