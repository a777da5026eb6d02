package operator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// observed is what the test saw, without what differs from run to run: two servers can be compared by it.
var observed observations

type observations struct {
	mutex sync.Mutex
	text  strings.Builder
}

// changing is what differs from run to run.
var changing = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`), "UID"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "TIME"},
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), "127.0.0.1:PORT"},
	{regexp.MustCompile(`("resourceVersion": ")\d+`), "${1}VERSION"},
}

// observe records a value. Of an error, it records the Status.
func observe(t *testing.T, what string, value any) {
	t.Helper()
	if err, isError := value.(error); isError {
		status := apierrors.APIStatus(nil)
		if value = err.Error(); errors.As(err, &status) {
			value = status.Status()
		}
	}
	content := must[[]byte](t)(json.Marshal(value))
	var plain any
	done(t, json.Unmarshal(content, &plain))
	text := string(must[[]byte](t)(json.MarshalIndent(withoutAge(plain), "", "  ")))
	for _, change := range changing {
		text = change.pattern.ReplaceAllString(text, change.instead)
	}
	observed.mutex.Lock()
	defer observed.mutex.Unlock()
	fmt.Fprintf(&observed.text, "%s, %s: %s\n", t.Name(), what, text)
}

// withoutAge takes out what servers of different ages have in the same objects.
func withoutAge(value any) any {
	switch value := value.(type) {
	case map[string]any:
		delete(value, "managedFields")
		delete(value, "selfLink")
		for name, field := range value {
			value[name] = withoutAge(field)
		}
	case []any:
		for index, item := range value {
			value[index] = withoutAge(item)
		}
	}
	return value
}

// must fails the test at an error.
func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// done fails the test at an error.
func done(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused fails the test unless a request was refused with the code, and a message that contains the text.
func refused(t *testing.T, what string, err error, code int32, text string) {
	t.Helper()
	status := apierrors.APIStatus(nil)
	if !errors.As(err, &status) || status.Status().Code != code || !strings.Contains(status.Status().Message, text) {
		t.Errorf("%s: expected %d with %q, got %v", what, code, text, err)
	}
	observe(t, what, err)
}

// patience is for what hangs: a part of what the test may take.
var patience time.Duration

// eventually waits until something is so. What is not so yet is an error.
func eventually(t *testing.T, is func() error) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		err := is()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%v; client-go said:\n%s", err, strings.Join(logged.take(), "\n"))
		}
	}
}

// step runs a part of a test, without which the next ones say nothing.
func step(t *testing.T, name string, run func(*testing.T)) {
	if !t.Run(name, run) {
		t.FailNow()
	}
}

// cachesAsTable returns the Caches of the namespace default as kubectl shows them.
func cachesAsTable(ctx context.Context, t *testing.T, kind schema.GroupVersionKind) (*metav1.Table, error) {
	config := rest.CopyConfig(admin)
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	client := must[*rest.RESTClient](t)(rest.UnversionedRESTClientFor(config))
	content, err := client.Get().AbsPath("apis", kind.Group, kind.Version, "namespaces/default/caches").
		SetHeader("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io").Do(ctx).Raw()
	if err != nil {
		return nil, err
	}
	table := &metav1.Table{}
	return table, json.Unmarshal(content, table)
}
