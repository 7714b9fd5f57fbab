// Go's net/http: go run https_client.go URL AUTHORITY VERSION. Prints a line for each answer.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

var versions = map[string]uint16{"TLSv1.2": tls.VersionTLS12, "TLSv1.3": tls.VersionTLS13}

// Hides its length, so that Go sends chunks.
type chunks struct{ io.Reader }

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func ask(client *http.Client, method, url string, body io.Reader) {
	request, err := http.NewRequest(method, url, body)
	check(err)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := client.Do(request)
	check(err)
	text, err := io.ReadAll(answer.Body)
	check(err)
	answer.Body.Close()
	fmt.Println(method, answer.StatusCode, string(text), answer.TLS.DidResume)
}

func main() {
	url, version := os.Args[1], versions[os.Args[3]]
	authority, err := os.ReadFile(os.Args[2])
	check(err)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	config := &tls.Config{RootCAs: pool, MinVersion: version, MaxVersion: version}
	config.ClientSessionCache = tls.NewLRUClientSessionCache(1)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config}}
	ask(client, "PUT", url+"/led", strings.NewReader(`{"led":1}`))
	ask(client, "PUT", url+"/led", chunks{strings.NewReader(`{"led":0}`)})
	ask(client, "HEAD", url+"/led", nil)
	client.CloseIdleConnections()
	ask(client, "GET", url+"/led", nil)
}
