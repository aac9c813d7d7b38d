// Package unoduov1 holds the messages of the protocol, generated from proto/unoduo/v1 by `go generate ./...`.
package unoduov1

//go:generate go run ../internal/generate ../../../../proto .
