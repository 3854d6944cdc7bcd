// Package right is what an API key may do: the areas that its owner granted it beside its scope, and the
// limits of a restricted one.
package right
