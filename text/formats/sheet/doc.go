// Package sheet writes linked documents as XLSX and Parquet, one row a mention. It is a
// package of its own so that programs which read and write texts need not have these
// libraries.
//
// [NewXLSX] and [NewParquet] return writers of package formats. The columns are those of
// [formats.Row].
package sheet
