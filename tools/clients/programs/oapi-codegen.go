package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"clients/oapi-codegen-coverage"
	"clients/oapi-codegen-event"

	"github.com/google/uuid"
)

func main() {
	ctx := context.Background()
	login := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Args[1])
		return nil
	}
	cov := must(coverage.NewClientWithResponses("http://127.0.0.1:3001", coverage.WithRequestEditorFn(login)))
	events := must(event.NewClientWithResponses("http://127.0.0.1:3002", event.WithRequestEditorFn(login)))

	radius := 500.0
	nodes := must(cov.SearchCoverageWithResponse(ctx, &coverage.SearchCoverageParams{Center: "48.2085, 16.3730", SearchRadius: &radius}))
	fmt.Println(len(*nodes.JSON200), "nodes around")

	at := time.Now().In(must(time.LoadLocation("Europe/Vienna"))).Truncate(time.Microsecond)
	var body event.RecordEventJSONBody
	if err := body.FromNotificationRequest(event.NotificationRequest{EntityId: uuid.New(), EventType: "notification", EventAt: at}); err != nil {
		log.Fatal(err)
	}
	// The parameter of `RecordEventWithResponse` has another type, which is written as `{}`.
	json := bytes.NewReader(must(body.MarshalJSON()))
	recorded := must(events.RecordEventWithBodyWithResponse(ctx, nil, "application/json", json))
	if recorded.JSON201 == nil {
		log.Fatal(string(recorded.Body))
	}
	fmt.Println(at, recorded.JSON201.EventAt)

	relation := uuid.MustParse("0192d3a5-7c10-7b2c-8d4f-1e6a9c3b5f13")
	file := strings.NewReader("token,center,customer_reference\nplanned,\"48.2,16.3\",C-1\nplanned,\"48.2,16.3\",C-2\nplanned,\"48.2,16.3\",C-3\n")
	imported := must(cov.ImportAccessNodesWithBodyWithResponse(ctx, &coverage.ImportAccessNodesParams{RelationId: &relation}, "text/csv", file))
	fmt.Println(imported.JSON200.Rows, "rows")

	kinds := map[string]int{}
	for _, item := range *must(cov.ListNodeChangesWithResponse(ctx, nil)).JSON200 {
		switch change := must(item.ValueByDiscriminator()).(type) {
		case coverage.UpsertedNodeResponse:
			kinds[string(change.Change)]++
		case coverage.DeletedNodeResponse:
			kinds[string(change.Change)]++
		}
	}
	fmt.Println(kinds)
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
