package s3

import (
	"bytes"
	"context"
	"crypto/md5" //nolint:gosec // the protocol wants it to find damage on the way
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"daybook/store/replica"
)

const (
	tries    = 3
	maxError = 64 << 10
	maxList  = 8 << 20 // bytes of an answer with 1000 names
	maxBatch = 1000    // names that one call removes
)

// request is a call of the bucket's server.
type request struct {
	method, name string
	params       map[string]string
	header       http.Header
	content      io.ReadSeeker // nil is none
	size         int64
	sum          string // SHA-256 of the content, in hex
}

// failure is an answer that says no.
type failure struct {
	Status  int    `xml:"-"`
	Code    string `xml:"Code"`
	Message string `xml:"Message"`
}

func (f *failure) Error() string {
	if f.Code == "" {
		return "the server answered " + strconv.Itoa(f.Status) + " " + http.StatusText(f.Status)
	}
	return fmt.Sprintf("the server answered %d %s: %s", f.Status, f.Code, strings.TrimSpace(f.Message))
}

func (f *failure) Is(target error) bool {
	switch target {
	case fs.ErrNotExist:
		return f.Status == http.StatusNotFound && f.Code != "NoSuchBucket"
	case replica.ErrChanged:
		return f.Status == http.StatusPreconditionFailed || f.Status == http.StatusConflict
	}
	return false
}

// passing tells whether another try may go better.
func (f *failure) passing() bool {
	return f.Status >= 500 || f.Status == http.StatusTooManyRequests || f.Status == http.StatusRequestTimeout
}

const nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" // SHA-256 of nothing

// do calls the server, up to three times while it or the way to it fails. The caller closes the answer's body.
func (b *Bucket) do(ctx context.Context, r *request) (*http.Response, error) {
	var err error
	for try := range tries {
		if try > 0 {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(time.Duration(try) * (200*time.Millisecond + rand.N(300*time.Millisecond))):
			}
		}
		var answer *http.Response
		if answer, err = b.once(ctx, r); err == nil {
			return answer, nil
		}
		if f, ok := errors.AsType[*failure](err); ctx.Err() != nil || ok && !f.passing() {
			break
		}
	}
	return nil, err
}

func (b *Bucket) once(ctx context.Context, r *request) (*http.Response, error) {
	u := b.base
	u.Path += b.prefix + r.name
	if r.name == "" {
		u.Path = b.base.Path
	}
	u.RawPath, u.RawQuery = escapePath(u.Path), query(r.params)
	call, err := http.NewRequestWithContext(ctx, r.method, u.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	for name, values := range r.header {
		call.Header[name] = values
	}
	sum := nothing
	if r.content != nil {
		if _, err := r.content.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		call.Body, call.ContentLength, sum = io.NopCloser(r.content), r.size, r.sum
	}
	b.keys.sign(call, b.region, sum, time.Now())
	answer, err := b.http.Do(call)
	if err != nil {
		return nil, withoutURL(err)
	}
	if answer.StatusCode/100 == 2 {
		return answer, nil
	}
	defer answer.Body.Close()
	f := &failure{Status: answer.StatusCode}
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxError))
	if err == nil {
		_ = xml.Unmarshal(text, f) // an answer that is no XML has only its status
	}
	f.Status = answer.StatusCode
	return nil, f
}

// withoutURL leaves the address out: the error is written into logs.
func withoutURL(err error) error {
	if u, ok := errors.AsType[interface {
		error
		Unwrap() error
		Timeout() bool
	}](err); ok {
		return u.Unwrap()
	}
	return err
}

// finish reads the rest of an answer that says nothing more.
func finish(answer *http.Response, err error) error {
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, io.LimitReader(answer.Body, maxError))
	return errors.Join(err, answer.Body.Close())
}

// List implements replica.Objects.
func (b *Bucket) List(ctx context.Context, prefix string, each func(replica.Object) error) error {
	params := map[string]string{"list-type": "2", "prefix": b.prefix + prefix}
	for {
		page, err := b.list(ctx, params)
		if err != nil {
			return err
		}
		for _, o := range page.Contents {
			if name, ok := strings.CutPrefix(o.Key, b.prefix); ok {
				if err := each(replica.Object{Name: name, Size: o.Size, Tag: o.ETag}); err != nil {
					return err
				}
			}
		}
		if !page.IsTruncated || page.NextContinuationToken == "" {
			return nil
		}
		params["continuation-token"] = page.NextContinuationToken
	}
}

type listing struct {
	Contents []struct {
		Key, ETag string
		Size      int64
	}
	IsTruncated           bool
	NextContinuationToken string
}

func (b *Bucket) list(ctx context.Context, params map[string]string) (page listing, err error) {
	ctx, stop := context.WithTimeout(ctx, tries*answerTime)
	defer stop()
	answer, err := b.do(ctx, &request{method: http.MethodGet, params: params})
	if err != nil {
		return page, err
	}
	defer answer.Body.Close()
	err = xml.NewDecoder(io.LimitReader(answer.Body, maxList)).Decode(&page)
	return page, err
}

// Stat implements replica.Objects.
func (b *Bucket) Stat(ctx context.Context, name string) (replica.Object, error) {
	ctx, stop := context.WithTimeout(ctx, tries*answerTime)
	defer stop()
	answer, err := b.do(ctx, &request{method: http.MethodHead, name: name})
	if err := finish(answer, err); err != nil {
		return replica.Object{}, err
	}
	return replica.Object{Name: name, Size: answer.ContentLength, Tag: answer.Header.Get("ETag")}, nil
}

// Read implements replica.Objects.
func (b *Bucket) Read(ctx context.Context, name string, offset, size int64) (io.ReadCloser, error) {
	r := &request{method: http.MethodGet, name: name, header: http.Header{}}
	switch {
	case size > 0:
		r.header.Set("Range", fmt.Sprintf("bytes=%d-%d", offset, offset+size-1))
	case offset > 0:
		r.header.Set("Range", fmt.Sprintf("bytes=%d-", offset))
	}
	answer, err := b.do(ctx, r)
	if err != nil {
		return nil, err
	}
	if offset > 0 && answer.StatusCode != http.StatusPartialContent {
		return nil, errors.Join(errors.New("the server reads files from their beginning only"), answer.Body.Close())
	}
	return answer.Body, nil
}

// Write implements replica.Objects. A large object is sent in parts.
func (b *Bucket) Write(ctx context.Context, name string, content io.ReadSeeker, size int64) error {
	ctx, stop := context.WithTimeout(ctx, tries*(answerTime+time.Duration(size/slowest)*time.Second))
	defer stop()
	if size > b.part {
		return b.writeParts(ctx, name, content, size)
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return finish(b.put(ctx, name, nil, content, size))
}

// put sends a content from its beginning on.
func (b *Bucket) put(ctx context.Context, name string, params map[string]string, content io.ReadSeeker,
	size int64) (*http.Response, error) {
	hash := sha256.New()
	if _, err := io.Copy(hash, content); err != nil {
		return nil, err
	}
	return b.do(ctx, &request{method: http.MethodPut, name: name, params: params, content: content, size: size,
		sum: hex.EncodeToString(hash.Sum(nil))})
}

// Swap implements replica.Objects, by If-Match and If-None-Match:
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html.
func (b *Bucket) Swap(ctx context.Context, name string, content []byte, tag string) (string, error) {
	ctx, stop := context.WithTimeout(ctx, answerTime)
	defer stop()
	sum := sha256.Sum256(content)
	r := &request{method: http.MethodPut, name: name, content: bytes.NewReader(content), size: int64(len(content)),
		sum: hex.EncodeToString(sum[:]), header: http.Header{}}
	if tag == "" {
		r.header.Set("If-None-Match", "*")
	} else {
		r.header.Set("If-Match", tag)
	}
	answer, err := b.once(ctx, r) // not again: the first try may have been the one that was done
	if err := finish(answer, err); err != nil {
		return "", err
	}
	return answer.Header.Get("ETag"), nil
}

// Compares implements replica.Objects.
func (b *Bucket) Compares(ctx context.Context) (bool, error) {
	name := fmt.Sprintf("probe-%016x", rand.Uint64())
	if _, err := b.Swap(ctx, name, []byte("a"), ""); err != nil {
		if f, ok := errors.AsType[*failure](err); ok && f.Status == http.StatusNotImplemented {
			return false, nil
		}
		return false, err
	}
	_, err := b.Swap(ctx, name, []byte("b"), "")
	if again := b.Remove(ctx, []string{name}); again != nil {
		return false, again
	}
	if errors.Is(err, replica.ErrChanged) {
		return true, nil
	}
	return false, err
}

// Remove implements replica.Objects.
func (b *Bucket) Remove(ctx context.Context, names []string) error {
	for len(names) > 0 {
		n := min(len(names), maxBatch)
		if err := b.remove(ctx, names[:n]); err != nil {
			return err
		}
		names = names[n:]
	}
	return nil
}

func (b *Bucket) remove(ctx context.Context, names []string) error {
	ctx, stop := context.WithTimeout(ctx, tries*answerTime)
	defer stop()
	type key struct{ Key string }
	var body struct {
		XMLName struct{} `xml:"Delete"`
		Quiet   bool
		Object  []key
	}
	body.Quiet = true
	for _, name := range names {
		body.Object = append(body.Object, key{b.prefix + name})
	}
	content, err := xml.Marshal(body)
	if err != nil {
		return err
	}
	sum, check := sha256.Sum256(content), md5.Sum(content) //nolint:gosec // see above
	answer, err := b.do(ctx, &request{method: http.MethodPost, params: map[string]string{"delete": ""},
		header:  http.Header{"Content-Md5": {base64.StdEncoding.EncodeToString(check[:])}},
		content: bytes.NewReader(content), size: int64(len(content)), sum: hex.EncodeToString(sum[:])})
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var result struct {
		Error []failure
	}
	if err := xml.NewDecoder(io.LimitReader(answer.Body, maxList)).Decode(&result); err != nil && err != io.EOF {
		return err
	}
	for i := range result.Error {
		if result.Error[i].Code != "NoSuchKey" {
			return &result.Error[i]
		}
	}
	return nil
}
