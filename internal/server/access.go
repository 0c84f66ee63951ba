package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/rs/cors"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// Access says who may use a server.
type Access struct {
	// Token is the bearer token that requests to the API and for the metrics must send. Empty, the default, lets
	// everybody in.
	Token string
	// Origins are the origins, such as "https://example.org", whose pages may use the API.
	Origins []string
	// LocalHosts rejects requests whose Host header does not name this machine. Otherwise, if no token is set, a page
	// on another machine could reach a server on 127.0.0.1 through a host name of its own that resolves to that address
	// (DNS rebinding).
	LocalHosts bool
}

// minToken is the minimum length of a token.
const minToken = 16

// Validate returns an error if the token or an origin is malformed.
func (a *Access) Validate() error {
	if a.Token != "" {
		if len(a.Token) < minToken {
			return fmt.Errorf("the token has %d characters, want at least %d", len(a.Token), minToken)
		}
		if strings.ContainsFunc(a.Token, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return errors.New("the token has a space or a character that is not ASCII, want letters, digits and signs")
		}
	}
	for _, origin := range a.Origins {
		u, err := url.Parse(origin)
		if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" ||
			u.Scheme+"://"+u.Host != origin || strings.Contains(origin, "*") {
			return fmt.Errorf("the origin is %s, want a scheme and a host as in https://example.org",
				input.Quote(origin))
		}
	}
	return nil
}

// IsLocal reports whether an address can be reached from this machine only.
func IsLocal(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// restricted lets in pages of the allowed origins and rejects all others.
func (a *Access) restricted(next http.Handler) (http.Handler, error) {
	protection := http.NewCrossOriginProtection()
	for _, origin := range a.Origins {
		if err := protection.AddTrustedOrigin(origin); err != nil {
			return nil, err
		}
	}
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		problem(http.StatusForbidden, "pages of the origin %s may not use this server",
			input.Quote(r.Header.Get("Origin"))).write(w)
	}))
	next = protection.Handler(next)
	if len(a.Origins) > 0 {
		next = cors.New(cors.Options{
			AllowedOrigins: a.Origins,
			AllowedMethods: []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete},
			AllowedHeaders: []string{"Authorization", "Content-Type", "Content-Encoding", "If-Match"},
			ExposedHeaders: []string{"ETag", "Retry-After"},
		}).Handler(next)
	}
	if !a.LocalHosts {
		return next, nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		host = strings.Trim(host, "[]")
		if ip := net.ParseIP(host); !strings.EqualFold(host, "localhost") && (ip == nil || !ip.IsLoopback()) {
			problem(http.StatusMisdirectedRequest, "the host is %s, want localhost or its address", input.Quote(r.Host)).write(w)
			return
		}
		next.ServeHTTP(w, r)
	}), nil
}

// authorized rejects requests without the token. It takes the same time for every wrong token.
func (a *Access) authorized(next http.Handler) http.Handler {
	if a.Token == "" {
		return next
	}
	want := sha256.Sum256([]byte(a.Token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		got := sha256.Sum256([]byte(token))
		if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			problem(http.StatusUnauthorized,
				"want the header Authorization: Bearer, with the token of this server").write(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}
