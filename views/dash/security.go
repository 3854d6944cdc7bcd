package dash

import (
	"net/url"
	"strconv"
	"strings"

	"rsc.io/qr"

	"daybook/assets"
)

// PasskeyForm has the browser make or show a passkey, and sends what it did.
type PasskeyForm struct {
	Ask    string // what is to be done
	Action string // takes the answer
	Label  string
	Make   bool // a new one
	Early  bool // it is offered as soon as the page is there, in the field for the name
}

// SecurityPage is what a member signs in by.
type SecurityPage struct {
	Frame
	Alone     bool // nothing else can be done before there is a factor
	Locked    bool // the member signed in too long ago to change anything
	Available bool // passkeys can be used at this address
	HasApp    bool
	HasCodes  bool // there is a factor that codes stand in for
	Required  bool
	FewCodes  bool
	AppSince  string
	Codes     string
	Confirm   string
	Passkeys  []PasskeyRow
	New       PasskeyForm
	Name      Input
	Problem   string
}

// PasskeyRow is one passkey.
type PasskeyRow struct {
	ID, Name, Used, Elsewhere string
	Rename                    Input
	Remove                    Danger
}

// AppPage shows an authenticator app its secret.
type AppPage struct {
	Frame
	Alone                       bool
	Token, Secret, Grouped, URI string
	Groups                      []Group
	Problem                     string
}

// CodesPage shows recovery codes, once.
type CodesPage struct {
	Frame
	Alone bool
	Codes []string
	Next  string
	File  string // its name
}

func (v CodesPage) text() string { return strings.Join(v.Codes, "\n") + "\n" }

func (v CodesPage) download() string {
	return "data:text/plain;charset=utf-8," + url.PathEscape(v.text())
}

// QR returns a code as a drawing: what its path is, and how many modules it has at each side, the quiet zone of four
// around it (ISO/IEC 18004 §6.3.8) included. Both are empty for a text that is too long for one.
func QR(text string) (path string, size int) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return "", 0
	}
	const quiet = 4
	var b strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			if !code.Black(x, y) {
				continue
			}
			start := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			n := strconv.Itoa(x - start)
			b.WriteString("M" + strconv.Itoa(start+quiet) + " " + strconv.Itoa(y+quiet) + "h" + n + "v1h-" + n + "z")
		}
	}
	return b.String(), code.Size + 2*quiet
}

func passkeyScript() string { return assets.Path("passkey.js") }
