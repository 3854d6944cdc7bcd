package s3

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// partSize is how much of an object is sent at once. A server takes 5 GiB at once and 10,000 parts, so 2.5 TiB are the
// largest object here:
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html.
const partSize = 256 << 20

type upload struct {
	XMLName struct{} `xml:"CompleteMultipartUpload"`
	Part    []uploadedPart
}

type uploadedPart struct {
	PartNumber int
	ETag       string
}

// writeParts makes an object of parts that are sent one after the other. What was sent of one that fails is removed:
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html.
func (b *Bucket) writeParts(ctx context.Context, name string, content io.ReadSeeker, size int64) (err error) {
	at, ok := content.(io.ReaderAt)
	if !ok {
		return errors.New("a large object is sent from a file only")
	}
	id, err := b.begin(ctx, name)
	if err != nil {
		return err
	}
	defer func() {
		if err == nil {
			return
		}
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
		defer stop()
		abort := finish(b.do(ctx, &request{method: http.MethodDelete, name: name, params: map[string]string{"uploadId": id}}))
		if abort != nil {
			err = fmt.Errorf("%w; the part that was sent stays there: %w", err, abort)
		}
	}()
	var u upload
	for begin := int64(0); begin < size; begin += b.part {
		n := len(u.Part) + 1
		part := io.NewSectionReader(at, begin, min(b.part, size-begin))
		answer, err := b.put(ctx, name, map[string]string{"partNumber": strconv.Itoa(n), "uploadId": id}, part, part.Size())
		if err := finish(answer, err); err != nil {
			return err
		}
		u.Part = append(u.Part, uploadedPart{n, answer.Header.Get("ETag")})
	}
	return b.complete(ctx, name, id, &u)
}

func (b *Bucket) begin(ctx context.Context, name string) (id string, err error) {
	answer, err := b.do(ctx, &request{method: http.MethodPost, name: name, params: map[string]string{"uploads": ""}})
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	var begun struct{ UploadId string } //nolint:revive // as the protocol writes it
	if err := xml.NewDecoder(io.LimitReader(answer.Body, maxError)).Decode(&begun); err != nil {
		return "", err
	}
	if begun.UploadId == "" {
		return "", errors.New("the server began no upload of parts")
	}
	return begun.UploadId, nil
}

// complete makes the object of its parts. The server may answer 200 and then, in the body, that it failed.
func (b *Bucket) complete(ctx context.Context, name, id string, u *upload) error {
	content, err := xml.Marshal(u)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(content)
	ctx, stop := context.WithTimeout(ctx, tries*5*time.Minute)
	defer stop()
	answer, err := b.do(ctx, &request{method: http.MethodPost, name: name, params: map[string]string{"uploadId": id},
		content: bytes.NewReader(content), size: int64(len(content)), sum: hex.EncodeToString(sum[:])})
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxError))
	if err != nil {
		return err
	}
	f := failure{Status: answer.StatusCode}
	var root struct{ XMLName xml.Name }
	if err := errors.Join(xml.Unmarshal(text, &root), xml.Unmarshal(text, &f)); err != nil {
		return err
	}
	if root.XMLName.Local == "Error" {
		return &f
	}
	return nil
}
