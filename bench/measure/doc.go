// Package measure is what the benchmark programs have in common: running a program
// as a process of its own, what that took, and where it was measured.
//
// For basic usage, make a [Command] and Run it. An [Input] is a file that commands
// read, made once and kept; [Save] keeps the results by their date.
package measure
