// Package right is what an API key may do: the areas that its owner granted it beside its scope.
package right
