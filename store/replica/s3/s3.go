// Package s3 keeps a replica's files in a bucket of Amazon S3, or of a server that speaks its protocol (MinIO,
// Cloudflare R2, Backblaze B2, Hetzner and others):
// https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html.
package s3

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"daybook/store/replica"
)

// Bucket is a part of a bucket as a target: the objects below a prefix.
type Bucket struct {
	name   string // its address, which holds no secret
	base   url.URL
	prefix string // "" or with a slash at its end
	region string
	keys   credentials
	part   int64 // bytes that are sent at once
	http   *http.Client
}

const (
	connectTime = 10 * time.Second
	answerTime  = 20 * time.Second // until an answer begins
	slowest     = 64 << 10         // bytes a second of a transfer; a slower one is given up
)

// Open makes the target of s3://bucket/path?region=…&endpoint=…. Without an endpoint it is Amazon's; the region is that
// of AWS_REGION where the address has none, else us-east-1. The keys are those of AWS_ACCESS_KEY_ID,
// AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, else of the profile AWS_PROFILE (default) in
// AWS_SHARED_CREDENTIALS_FILE (~/.aws/credentials).
func Open(u *url.URL) (replica.Objects, error) {
	params := u.Query()
	for name := range params {
		if name != "endpoint" && name != "region" {
			return nil, fmt.Errorf("the replica's address has an unknown part %q; it takes endpoint and region", name)
		}
	}
	if u.Host == "" {
		return nil, errors.New("the replica's address names no bucket; write s3://bucket/path")
	}
	b := &Bucket{
		part:   partSize,
		name:   (&url.URL{Scheme: "s3", Host: u.Host, Path: u.Path, RawQuery: u.RawQuery}).String(),
		region: cmp.Or(params.Get("region"), os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"), "us-east-1"),
		base:   url.URL{Scheme: "https", Path: "/"},
	}
	if p := strings.Trim(u.Path, "/"); p != "" {
		b.prefix = p + "/"
	}
	if endpoint := params.Get("endpoint"); endpoint != "" {
		if !strings.Contains(endpoint, "://") {
			endpoint = "https://" + endpoint
		}
		at, err := url.Parse(endpoint)
		if err != nil || at.Host == "" || at.Scheme != "https" && at.Scheme != "http" || at.User != nil {
			return nil, errors.New("the replica's endpoint can't be read; write endpoint=https://host")
		}
		b.base.Scheme, b.base.Host = at.Scheme, at.Host
		b.base.Path = strings.TrimRight(at.Path, "/") + "/" + u.Host + "/"
	} else {
		b.base.Host = u.Host + ".s3." + b.region + ".amazonaws.com"
	}
	var err error
	if b.keys, err = findCredentials(); err != nil {
		return nil, err
	}
	b.http = &http.Client{
		Transport: &http.Transport{
			Proxy:       http.ProxyFromEnvironment,
			DialContext: (&net.Dialer{Timeout: connectTime}).DialContext, TLSHandshakeTimeout: connectTime,
			ResponseHeaderTimeout: answerTime, IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 8,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return b, nil
}

func (b *Bucket) String() string { return b.name }

// findCredentials reads the keys of the environment, else of a file as Amazon's tools write it.
func findCredentials() (credentials, error) {
	c := credentials{os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY"), os.Getenv("AWS_SESSION_TOKEN")}
	if c.id != "" && c.secret != "" {
		return c, nil
	}
	path := os.Getenv("AWS_SHARED_CREDENTIALS_FILE")
	if path == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return c, errNoKeys
		}
		path = filepath.Join(home, ".aws", "credentials")
	}
	f, err := os.Open(path)
	if err != nil {
		return c, errNoKeys
	}
	defer f.Close()
	c = credentials{}
	profile, at := cmp.Or(os.Getenv("AWS_PROFILE"), "default"), ""
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if name, ok := strings.CutPrefix(line, "["); ok {
			at = strings.TrimSuffix(name, "]")
			continue
		}
		name, value, _ := strings.Cut(line, "=")
		if name, value = strings.TrimSpace(name), strings.TrimSpace(value); at == profile {
			switch name {
			case "aws_access_key_id":
				c.id = value
			case "aws_secret_access_key":
				c.secret = value
			case "aws_session_token":
				c.token = value
			}
		}
	}
	if c.id == "" || c.secret == "" {
		return c, errNoKeys
	}
	return c, lines.Err()
}

var errNoKeys = errors.New("the replica's bucket needs keys; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, " +
	"or name a file of Amazon's tools with AWS_SHARED_CREDENTIALS_FILE")
