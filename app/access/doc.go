// package access is what every door under /api shares on the wire: the bearer key, the key's request rate with its
// headers, and the error body of the contract. It decides nothing: app.Service does. It imports no door.
package access
