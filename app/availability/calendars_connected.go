package availability

import "daybook/app/catalog"

// Connected reports whether any host or resource of the workspace has other calendars.
func Connected(setup *catalog.Setup) bool {
	for i := range setup.Hosts {
		if setup.Hosts[i].Connected {
			return true
		}
	}
	for i := range setup.Resources {
		if setup.Resources[i].Connected {
			return true
		}
	}
	return false
}
