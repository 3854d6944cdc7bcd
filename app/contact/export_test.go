package contact_test

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/fault"
)

// Health, signatures and files are in the export of the workspace only if they are asked for, which the log says then.
func TestExportWithHealth(t *testing.T) {
	w := newHealthWorld(t, sealedWith(1))
	ctx := t.Context()
	c, err := w.People.RecordConsent(ctx, w.Owner, w.mias, contact.ConsentInput{Kind: "health", Signer: "zanzibarina", Signature: "1,2 3,4"})
	w.Must(err)
	h := w.ill(w.mias, contact.HealthInput{Kind: contact.Allergy, Text: "zanzibarine"})
	f, err := w.adds(w.Owner, w.mias, contact.FileInput{Name: "zanzi.pdf"}, []byte("%PDF-1.7 zanzibar\n%%EOF"))
	w.Must(err)
	export := func(health bool) map[string]string {
		t.Helper()
		var out bytes.Buffer
		w.Must(w.Report.ExportAll(ctx, w.Owner, health, &out))
		all, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
		w.Must(err)
		files := map[string]string{}
		for _, one := range all.File {
			r, err := one.Open()
			w.Must(err)
			data, err := io.ReadAll(r)
			w.Must(err)
			files[one.Name] = string(data)
		}
		return files
	}
	for name, text := range export(false) {
		if strings.Contains(text, "zanzi") || strings.Contains(name, "health") || strings.Contains(name, "consents") || strings.Contains(name, "customer-files") {
			t.Errorf("%s has it unasked: %s", name, text)
		}
	}
	files := export(true)
	for name, wants := range map[string][]string{
		"health.jsonl":                             {`"contact":"` + w.mias + `"`, h.ID.String(), `"text":"zanzibarine"`},
		"consents.jsonl":                           {`"contact":"` + w.mias + `"`, c.ID.String(), `"signer":"zanzibarina"`, `"signature":"M1 2L3 4"`, `"wording":"My allergies are kept."`},
		"customer-files.jsonl":                     {`"contact":"` + w.mias + `"`, f.ID.String(), `"name":"zanzi.pdf"`},
		"customer-files/" + f.ID.String() + ".pdf": {"%PDF-1.7 zanzibar"},
	} {
		for _, want := range wants {
			if !strings.Contains(files[name], want) {
				t.Errorf("%s lacks %s: %q", name, want, files[name])
			}
		}
	}
	log, err := w.Audit.AuditLog(ctx, w.Owner, audit.ListInput{})
	w.Must(err)
	if len(log.Data) < 2 || log.Data[0].Action != audit.HealthExported || log.Data[1].Action != audit.EverythingExported {
		t.Errorf("%+v", log.Data)
	}
	for _, a := range []app.Actor{w.manager, w.ana, {Kind: booking.ByAPI, Workspace: w.Workspace.ID, Key: 5}} {
		if err := w.Report.ExportAll(ctx, a, true, io.Discard); !fault.Is(err, fault.Forbidden) {
			t.Errorf("%+v: %v", a, err)
		}
	}
}
