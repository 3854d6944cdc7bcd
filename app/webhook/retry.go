package webhook

import (
	"net/http"
	"strconv"
	"time"
)

// DefaultRetry are the pauses before each retry.
var DefaultRetry = []time.Duration{30 * time.Second, 5 * time.Minute, time.Hour}

// pause is interval ±20 % (chance is in [0, 1)), or retryAfter if that is longer.
func pause(interval, retryAfter time.Duration, chance float64) time.Duration {
	return max(time.Duration(float64(interval)*(0.8+0.4*chance)), retryAfter)
}

// maxRetryAfter is the longest Retry-After that is respected.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads the Retry-After header: seconds, or a date. It is 0 without one.
func retryAfter(text string, now time.Time) time.Duration {
	if text == "" {
		return 0
	}
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		if seconds > int64(maxRetryAfter/time.Second) {
			return maxRetryAfter
		}
		return max(0, time.Duration(seconds)*time.Second)
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(maxRetryAfter, max(0, at.Sub(now)))
	}
	return 0
}
