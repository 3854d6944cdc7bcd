package web

import "daybook/views/dash"

// HostOptions returns the workspace's hosts to choose from.
func (c *Call) HostOptions() (all []dash.Option) {
	for i := range c.Setup.Hosts {
		h := &c.Setup.Hosts[i]
		label := h.Name
		if !h.Active {
			label = c.T("dash_host_inactive", "Name", h.Name)
		}
		all = append(all, dash.Option{Value: h.ID.String(), Label: label})
	}
	return all
}

// Currencies are the currencies that a workspace can choose from.
var Currencies = func() (all []dash.Option) {
	for _, code := range []string{"EUR", "USD", "GBP", "CHF", "AUD", "BRL", "CAD", "CNY", "CZK", "DKK", "HUF", "INR",
		"JPY", "KRW", "MXN", "NOK", "NZD", "PLN", "SEK", "SGD", "TRY", "ZAR"} {
		all = append(all, dash.Option{Value: code, Label: code})
	}
	return all
}()
