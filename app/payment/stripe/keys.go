package stripe

import (
	"strings"

	"daybook/app/fault"
	"daybook/app/payment"
)

// CheckKeys implements payment.Provider.
func (*Client) CheckKeys(k *payment.Keys) error {
	k.SecretKey, k.SigningSecret = strings.TrimSpace(k.SecretKey), strings.TrimSpace(k.SigningSecret)
	switch {
	case strings.HasPrefix(k.SecretKey, "pk_"):
		return fault.Invalid("secretKey", "is the publishable key; give the secret one, which begins with sk_ or rk_")
	case !isToken(k.SecretKey, "sk_") && !isToken(k.SecretKey, "rk_"):
		return fault.Invalid("secretKey", "must be a Stripe secret key, which begins with sk_ or rk_")
	case !isToken(k.SigningSecret, "whsec_"):
		return fault.Invalid("signingSecret",
			"must be the signing secret of the webhook endpoint at Stripe, which begins with whsec_")
	}
	return nil
}

func isToken(text, prefix string) bool {
	if !strings.HasPrefix(text, prefix) || len(text) < len(prefix)+8 || len(text) > 512 {
		return false
	}
	for _, c := range []byte(text) {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return true
}
