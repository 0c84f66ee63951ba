// Package sheet writes linked documents as XLSX and Parquet, one row a mention. It is a
// package of its own so that programs which read and write texts need not have the
// library of Parquet.
//
// [XLSX] and [Parquet] are formats for [formats.OutputFormats], and [Outputs] are all formats with
// these. The columns are those of [formats.Row].
package sheet

import "github.com/ctxnorm/ctxnorm/text/formats"

// XLSX is a workbook of Excel.
var XLSX = formats.OutputFormat{
	Name: "xlsx", Extensions: []string{".xlsx"},
	MIME: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	New:  newXLSX,
}

// Parquet is a table of Apache Parquet.
var Parquet = formats.OutputFormat{
	Name: "parquet", Extensions: []string{".parquet"}, MIME: "application/vnd.apache.parquet",
	New: newParquet,
}

// Outputs returns the formats of package formats, and these.
func Outputs() formats.OutputFormats { return append(formats.Outputs(), XLSX, Parquet) }
