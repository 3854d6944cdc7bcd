package calsync
