package operator

import (
	"fmt"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// Cache is the kind in its version v1, which is stored.
type Cache struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              CacheSpec   `json:"spec"`
	Status            CacheStatus `json:"status,omitempty"`
}

type CacheSpec struct {
	Image        string `json:"image,omitempty"`
	Replicas     *int32 `json:"replicas,omitempty"`
	Memory       string `json:"memory,omitempty"`
	Eviction     string `json:"eviction,omitempty"`
	StorageClass string `json:"storageClass,omitempty"`
}

type CacheStatus struct {
	Replicas           int32              `json:"replicas"`
	Selector           string             `json:"selector,omitempty"`
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// fromUnstructured returns a Cache of v1.
func fromUnstructured(object *unstructured.Unstructured) (*Cache, error) {
	cache := &Cache{}
	return cache, runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, cache)
}

// evictionAnnotation keeps what v1alpha1 has no field for.
const evictionAnnotation = group + "/eviction"

// convert changes an object to another version. An object without what it needs is an error.
func convert(object *unstructured.Unstructured, to string) error {
	from := object.GetAPIVersion()
	if from == to {
		return nil
	}
	spec, _, err := unstructured.NestedMap(object.Object, "spec")
	if err != nil {
		return err
	}
	annotations := object.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	switch to {
	case v1.GroupVersion().String():
		rename(spec, "nodes", "replicas")
		if megabytes, found := spec["megabytes"]; found {
			spec["memory"] = fmt.Sprintf("%vMi", megabytes)
			delete(spec, "megabytes")
		}
		if eviction, found := annotations[evictionAnnotation]; found {
			spec["eviction"] = eviction
			delete(annotations, evictionAnnotation)
		}
	case v1alpha1.GroupVersion().String():
		rename(spec, "replicas", "nodes")
		if memory, found := spec["memory"].(string); found {
			megabytes, err := strconv.ParseInt(strings.TrimSuffix(memory, "Mi"), 10, 64)
			if err != nil {
				return fmt.Errorf("memory: %w", err)
			}
			if megabytes == 0 {
				return fmt.Errorf("memory: %s has no megabytes", memory)
			}
			spec["megabytes"] = megabytes
			delete(spec, "memory")
		}
		if eviction, found := spec["eviction"].(string); found {
			annotations[evictionAnnotation] = eviction
			delete(spec, "eviction")
		}
	default:
		return fmt.Errorf("no conversion from %s to %s", from, to)
	}
	if len(annotations) == 0 {
		annotations = nil
	}
	object.SetAnnotations(annotations)
	object.SetAPIVersion(to)
	return unstructured.SetNestedMap(object.Object, spec, "spec")
}

func rename(fields map[string]any, from, to string) {
	if value, found := fields[from]; found {
		fields[to] = value
		delete(fields, from)
	}
}
