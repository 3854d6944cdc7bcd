package s3

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// The examples of https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html.
func TestSign(t *testing.T) {
	keys := credentials{id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}
	now := time.Date(2013, 5, 24, 0, 0, 0, 0, time.UTC)
	for _, x := range []struct {
		method, url, content, want string
		header                     http.Header
	}{
		{"GET", "https://examplebucket.s3.amazonaws.com/test.txt", nothing,
			"f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41", http.Header{"Range": {"bytes=0-9"}}},
		{"PUT", "https://examplebucket.s3.amazonaws.com/test%24file.text",
			"44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
			"98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
			http.Header{"Date": {"Fri, 24 May 2013 00:00:00 GMT"}, "X-Amz-Storage-Class": {"REDUCED_REDUNDANCY"}}},
		{"GET", "https://examplebucket.s3.amazonaws.com/?" + query(map[string]string{"lifecycle": ""}), nothing,
			"fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543", http.Header{}},
		{"GET", "https://examplebucket.s3.amazonaws.com/?" + query(map[string]string{"max-keys": "2", "prefix": "J"}), nothing,
			"34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7", http.Header{}},
	} {
		r, err := http.NewRequest(x.method, x.url, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header = x.header
		keys.sign(r, "us-east-1", x.content, now)
		if got := r.Header.Get("Authorization"); !strings.HasSuffix(got, "Signature="+x.want) {
			t.Errorf("%s %s: %s, want %s", x.method, x.url, got, x.want)
		}
	}
}
