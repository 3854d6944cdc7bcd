// Package access is what every door under /api shares on the wire: the bearer key, the key's request rate with its
// headers, and the error body of the contract. It decides nothing and imports no door.
package access
