// Package storetest makes databases for tests and benchmarks: real files with real rows, many of them. Only tests
// import it.
package storetest
