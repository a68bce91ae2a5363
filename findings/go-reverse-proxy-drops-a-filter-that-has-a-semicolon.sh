#!/usr/bin/env bash
# A gateway in Go uses `httputil.ReverseProxy`. A client asks for `/nodes/?customer_reference=A;1&status=active`; a semicolon may stand in
# a query as it is (RFC 3986).
#
# One would guess: a proxy passes the query on as it came, and so it does with `NewSingleHostReverseProxy`.
# What happens:    with the newer `Rewrite` hook, parameters that Go cannot parse are left out: the service is asked for
#                  `/nodes/?status=active` and answers with all nodes. The same for a lone percent sign. `%3B` is passed on.
# Versions: Go 1.26.8, 2026-11-29. The documentation of ProxyRequest says so; `In.URL.RawQuery` still has the query.
# Who meets it: whoever puts a gateway of their own before an API and has references with semicolons: filters are lost without an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > go.mod <<'CODE'
module finding

go 1.26.8
CODE
cat > main.go <<'CODE'
package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
)

func main() {
	service := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		fmt.Fprint(response, request.RequestURI)
	}))
	target, _ := url.Parse(service.URL)
	rewrite := &httputil.ReverseProxy{Rewrite: func(request *httputil.ProxyRequest) { request.SetURL(target) }}
	for _, query := range []string{"customer_reference=A;1&status=active", "customer_reference=50%&status=active", "customer_reference=A%3B1&status=active"} {
		fmt.Println("sent    ", "/nodes/?"+query)
		for index, proxy := range []http.Handler{httputil.NewSingleHostReverseProxy(target), rewrite} {
			name := []string{"director", "rewrite"}[index]
			gateway := httptest.NewServer(proxy)
			request, _ := http.NewRequest("GET", gateway.URL+"/nodes/", nil)
			request.URL.RawQuery = query
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				panic(err)
			}
			arrived, _ := io.ReadAll(response.Body)
			fmt.Printf("%-8s %s\n", name, arrived)
			gateway.Close()
		}
	}
}
CODE
go run . | tee printed
diff - printed <<'EXPECTED'
sent     /nodes/?customer_reference=A;1&status=active
director /nodes/?customer_reference=A;1&status=active
rewrite  /nodes/?status=active
sent     /nodes/?customer_reference=50%&status=active
director /nodes/?customer_reference=50%&status=active
rewrite  /nodes/?status=active
sent     /nodes/?customer_reference=A%3B1&status=active
director /nodes/?customer_reference=A%3B1&status=active
rewrite  /nodes/?customer_reference=A%3B1&status=active
EXPECTED
