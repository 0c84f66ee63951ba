// Package bne is the biomedical name encoder of Phan, Sun & Tay, "Robust Representation
// Learning of Biomedical Names", ACL 2019: its form, and the losses and their targets in plain
// arithmetic. Package nameencoder has the network, and [Task] trains it.
//
//	word ── characters ── BiLSTM, last states ─┐
//	  └──── word vector (package wordvec) ─────┴─ BiLSTM, max ── W h + b ── f(s)
//
// Training pulls f(s) towards the vectors of the concept's other names (synonyms), towards
// that of the concept and towards that of the name's contexts.
package bne
