// Package control tests a client in Go against the test server, which the tests control over HTTP.
//
//	npx kube-api-conformance serve --nodes 0 --control-port 0 --write-control control.json --write-kubeconfig kubeconfig &
//	KUBE_API_CONFORMANCE_CONTROL=$PWD/control.json go test ./...
package control

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"testing"
)

type object map[string]any

// control sends a request to the control port, and returns its answer.
func control(t *testing.T, method, path string, body any) object {
	t.Helper()
	file, err := os.ReadFile(os.Getenv("KUBE_API_CONFORMANCE_CONTROL"))
	if err != nil {
		t.Fatal(err)
	}
	var port struct{ URL, Token string }
	if err := json.Unmarshal(file, &port); err != nil {
		t.Fatal(err)
	}
	content, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(method, port.URL+path, bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+port.Token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer object
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %d: %v", method, path, response.StatusCode, answer["error"])
	}
	return answer
}

func TestObjectsAndFailures(t *testing.T) {
	control(t, "POST", "/reset", object{})
	config := object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": object{"name": "one", "namespace": "default"}}
	control(t, "POST", "/objects", []object{config})
	if items := control(t, "GET", "/objects/configmaps?namespace=default", nil)["items"].([]any); len(items) == 0 {
		t.Error("the ConfigMap is not there")
	}
	rule := control(t, "POST", "/failures", object{"verb": "list", "resource": "pods", "status": 503})
	if calls := control(t, "GET", "/rules/"+rule["id"].(string), nil)["calls"]; calls != 0.0 {
		t.Errorf("expected no call, got %v", calls)
	}
}
