package views

func (v DetailsPage) all() []Field {
	if v.FeeConsent == nil {
		return v.Fields
	}
	return append(v.Fields[:len(v.Fields):len(v.Fields)], *v.FeeConsent)
}

func (v DetailsPage) submit() string {
	switch {
	case v.PayNext:
		return v.T("submit_pay")
	case v.Event.Approval:
		return v.T("submit_request")
	}
	return v.T("submit_book")
}
