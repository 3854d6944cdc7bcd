// Package right has the rights of API keys besides their scope: the areas that owners grant, and the limits of
// restricted keys.
package right
