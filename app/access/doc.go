// Package access has what the doors under /api share: the bearer key, the key's request rate with its
// headers, and the error body of the contract. It decides nothing and imports no door.
package access
