package oauth

import "testing"

// Schemes that Windows hands to programs of its own are nobody's redirect URI; those of apps are.
func TestRedirectsToWindowsHandlers(t *testing.T) {
	for _, to := range []string{"ms-msdt:/id", "ms-officecmd:x", "MS-Settings:x", "search-ms:query=x", "search:query=x", "shell:startup"} {
		if checkRedirect(to) == "" {
			t.Errorf("%s is taken", to)
		}
	}
	for _, to := range []string{"cursor://anysphere.cursor/callback", "vscode://x/y", "com.example.app:/cb"} {
		if wrong := checkRedirect(to); wrong != "" {
			t.Errorf("%s: %s", to, wrong)
		}
	}
}
