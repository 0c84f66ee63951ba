package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// checkTime is how long "serve --check" waits for an answer.
const checkTime = 5 * time.Second

// checkServer asks the server at a URL whether it is ready, and prints its answer.
func (p *program) checkServer(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(url, "/")+"/healthz", nil)
	if err != nil {
		return fmt.Errorf("--check: %w", err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return &partialError{fmt.Sprintf("--check: %v", err)}
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 64<<10))
	if err != nil {
		return &partialError{fmt.Sprintf("--check: %s: %v", url, err)}
	}
	var health struct {
		Status string `json:"status"`
	}
	if answer.StatusCode != http.StatusOK || json.Unmarshal(body, &health) != nil || health.Status != "ok" {
		return &partialError{fmt.Sprintf("--check: %s is not a server that is ready: it answered %s", url,
			answer.Status)}
	}
	_, err = p.stdout.Write(body)
	return err
}
