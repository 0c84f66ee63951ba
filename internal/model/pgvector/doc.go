// Package pgvector writes the exemplars of a model as a script for psql, which puts them into a
// table of PostgreSQL with the extension pgvector:
//
//	WriteScript -> psql: BEGIN; CREATE TABLE; COPY; CREATE INDEX; swap with the old table; COMMIT
//
// A script and psql in place of a client library: jackc/pgx with pgvector-go would make the program
// larger, and psql knows every way to connect that its user knows. In a script that is
// cut off, the COMMIT is missing, so the database stays as it was.
package pgvector
