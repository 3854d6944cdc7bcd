# Daybook: one static binary, its data in /data.
#
#   docker build --build-arg VERSION=1.0.0 -t daybook .
#   docker run -p 8080:8080 -v daybook:/data -e DAYBOOK_BASE_URL=https://book.example.com daybook

FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags "-s -w -X daybook/app/cli.Version=${VERSION}" -o /out/daybook . \
 && mkdir -p /out/data /out/tmp

# Nothing but the binary: time zones are in it, certificate authorities are
# beside it for webhooks, Stripe and mail.
FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/daybook /daybook
COPY --from=build --chown=65532:65532 /out/tmp /tmp
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
WORKDIR /data
VOLUME /data
ENV DAYBOOK_DB=/data/daybook.db DAYBOOK_ADDR=:8080
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/daybook", "doctor", "--health", "http://127.0.0.1:8080"]
ENTRYPOINT ["/daybook"]
CMD ["serve"]
