package smtp

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"os"
	"strings"

	"daybook/app/address"
)

// Unfit is the error of a server that doesn't support what its settings ask for.
type Unfit struct{ Text string }

func (u *Unfit) Error() string { return u.Text }

// SignIn is the step of the sign-in.
const SignIn = "the sign-in"

const fromStep = "the sender"

// Why says what whoever set a server up may have to change.
type Why string

const (
	Otherwise   Why = ""            // what Failure.Text says
	WrongSignIn Why = "sign_in"     // user or password
	WrongSender Why = "sender"      // it sends no mail from this address
	Unreachable Why = "unreachable" // no mail server answers there
	WrongName   Why = "certificate" // its certificate is not valid for the name
	NoSecurity  Why = "no_tls"      // it has no encryption there
)

// why returns what an error at a step means.
func why(step string, err error) Why {
	var said *textproto.Error
	var law *address.Refused
	var wrong *Unfit
	var cert *tls.CertificateVerificationError
	var lost *net.OpError
	var dns *net.DNSError
	var plain tls.RecordHeaderError
	switch {
	case errors.As(err, &said):
		switch {
		case said.Code < 500 || said.Code > 599:
		case step == SignIn:
			return WrongSignIn
		case step == fromStep:
			return WrongSender
		}
	case errors.As(err, &cert):
		return WrongName
	case errors.As(err, &plain), errors.As(err, &wrong):
		return NoSecurity
	case errors.As(err, &law), errors.As(err, &dns), errors.As(err, &lost), errors.Is(err, io.EOF),
		errors.Is(err, os.ErrDeadlineExceeded):
		return Unreachable
	}
	return Otherwise
}

// Own returns an error of the operator's own server in one short line, with the server's message.
func Own(_ string, err error) string {
	var said *textproto.Error
	text := err.Error()
	if errors.As(err, &said) {
		text = fmt.Sprintf("%d %s", said.Code, said.Msg)
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	if r := []rune(text); len(r) > 500 {
		text = string(r[:500])
	}
	return text
}

// Foreign returns an error of a workspace's own mail server in our words. It shows only the code of the server's
// answer: whoever chose the address may not own the server that answers there.
func Foreign(step string, err error) string {
	var said *textproto.Error
	var odd textproto.ProtocolError
	var law *address.Refused
	var wrong *Unfit
	var cert *tls.CertificateVerificationError
	var dns *net.DNSError
	var lost *net.OpError
	var plain tls.RecordHeaderError
	switch {
	case errors.As(err, &said) && said.Code >= 100 && said.Code <= 999:
		return fmt.Sprintf("it answered %d to %s%s", said.Code, step, advice(step, said.Code))
	case errors.As(err, &said), errors.As(err, &odd), errors.Is(err, errTooMuch):
		return "it does not answer as a mail server does"
	case errors.As(err, &law):
		return law.Error()
	case errors.As(err, &wrong):
		return wrong.Text
	case errors.As(err, &cert):
		return "its certificate is not valid for this name"
	case errors.As(err, &plain):
		return "it speaks no TLS at this port"
	case errors.As(err, &dns):
		return "its name has no address"
	case errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &lost) && lost.Timeout():
		return "it does not answer"
	case errors.Is(err, io.EOF):
		return "it hung up"
	case errors.As(err, &lost) && lost.Op == "dial":
		return "it can't be reached"
	}
	return "the connection failed"
}

// advice returns what a code most often means.
func advice(step string, code int) string {
	switch {
	case code == 421 || code == 450 || code == 451 || code == 452:
		return ": it asks to be tried again later"
	case code < 500:
		return ""
	case step == SignIn:
		return ": check the user and the password; many providers want an app password"
	case step == fromStep:
		return ": it does not send mails from this address"
	case step == "the recipient":
		return ": it does not take mails for this address"
	}
	return ""
}
