package factor

import "time"

// CodeAt is the code that an app with the secret shows.
func CodeAt(secret string, at time.Time) string {
	raw, err := unpadded.DecodeString(secret)
	if err != nil {
		panic(err)
	}
	return hotp(raw, stepAt(at), codeDigits)
}
