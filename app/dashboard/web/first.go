package web

import (
	"daybook/app"
	"daybook/views/dash"
)

// FirstStep leads to what a business has to set up before anything can be booked: somebody who works there, then a
// service. It leads nowhere where both are there, or the member may not add what is missing.
func (c *Call) FirstStep() dash.Tap {
	switch {
	case len(c.Setup.Hosts) == 0 && c.May(app.MayManageHosts):
		return dash.Tap{URL: dash.NewHostPath, Label: c.T("dash_host_create")}
	case len(c.Setup.Hosts) > 0 && len(c.Setup.EventTypes) == 0 && c.May(app.MayManageEventTypes):
		return dash.Tap{URL: dash.NewTypePath, Label: c.T("dash_type_create")}
	}
	return dash.Tap{}
}
