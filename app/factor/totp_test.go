package factor

import (
	"testing"
	"time"
)

// The values of RFC 4226 appendix D and RFC 6238 appendix B (SHA-1).
func TestCodesAreThoseOfTheRFCs(t *testing.T) {
	secret := []byte("12345678901234567890")
	for i, want := range []string{"755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"} {
		if got := hotp(secret, int64(i), 6); got != want {
			t.Errorf("counter %d: %s, want %s", i, got, want)
		}
	}
	for at, want := range map[int64]string{59: "94287082", 1111111109: "07081804", 1111111111: "14050471", 1234567890: "89005924",
		2000000000: "69279037", 20000000000: "65353130"} {
		if got := hotp(secret, stepAt(time.Unix(at, 0)), 8); got != want {
			t.Errorf("at %d: %s, want %s", at, got, want)
		}
	}
}

func TestStepsNearby(t *testing.T) {
	secret, now := newSecret(), time.Unix(1_800_000_015, 0)
	for off := int64(-3); off <= 3; off++ {
		step, ok := stepOf(secret, hotp(secret, stepAt(now)+off, codeDigits), now)
		if want := off >= -1 && off <= 1; ok != want || ok && step != stepAt(now)+off {
			t.Errorf("%d steps off: %v, step %d", off, ok, step)
		}
	}
}

// Of what is put into the code for an app, nothing gets out of its place.
func TestKeyURI(t *testing.T) {
	uri := keyURI([]byte("12345678901234567890"), "Ana & Bo/?", "ana+x@salon.example")
	want := "otpauth://totp/Ana%20&%20Bo%2F%3F:ana+x@salon.example?issuer=Ana+%26+Bo%2F%3F&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
	if uri != want {
		t.Error(uri)
	}
}
