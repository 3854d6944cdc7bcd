# Daybook: one static binary, its data in /data.
#
#   docker build --build-arg VERSION=1.0.0 -t daybook .
#   (umask 077; openssl rand -base64 32 > secret.key); sudo chown 65532 secret.key
#   docker run -d -p 8080:8080 -v daybook:/data -v "$PWD/secret.key":/secret.key:ro \
#     -e DAYBOOK_SECRET_KEY_FILE=/secret.key -e DAYBOOK_BASE_URL=https://book.example.com daybook
#
# With PostgreSQL and HTTPS: assets/deploy/compose.yaml.

# It runs on the builder's processor, and Go compiles for the image's.
FROM --platform=$BUILDPLATFORM golang:1.26.8-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
ARG TARGETOS
ARG TARGETARCH
RUN CGO_ENABLED=0 GOOS=${TARGETOS} GOARCH=${TARGETARCH} \
    go build -trimpath -buildvcs=false -ldflags "-s -w -X daybook/app/cli.Version=${VERSION}" -o /out/daybook . \
 && mkdir -p /out/data /out/tmp

# Nothing but the binary: time zones are in it, certificate authorities are
# beside it for webhooks, Stripe and mail.
FROM scratch
ARG VERSION=dev
ARG REVISION=
LABEL org.opencontainers.image.title="Daybook" \
      org.opencontainers.image.description="Scheduling and booking for a small business" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/daybook /daybook
COPY --from=build --chown=65532:65532 /out/tmp /tmp
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
WORKDIR /data
VOLUME /data
ENV DAYBOOK_DB=/data/daybook.db DAYBOOK_ADDR=:8080
EXPOSE 8080
# A new version may migrate a large database for minutes before it answers; what answers sooner counts at once.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10m CMD ["/daybook", "doctor", "--health", "http://127.0.0.1:8080"]
ENTRYPOINT ["/daybook"]
CMD ["serve"]
