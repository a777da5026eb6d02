package operator

import (
	"fmt"
	"slices"
	"testing"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
)

// cacheOf returns a Cache with a spec.
func cacheOf(kind schema.GroupVersionKind, name string, spec map[string]any) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	object.SetGroupVersionKind(kind)
	object.SetName(name)
	return object
}

// cachesIn returns the client of a version.
func cachesIn(client dynamic.Interface, kind schema.GroupVersionKind, namespace string) dynamic.ResourceInterface {
	return client.Resource(kind.GroupVersion().WithResource("caches")).Namespace(namespace)
}

func specOf(object *unstructured.Unstructured) map[string]any {
	spec, _, _ := unstructured.NestedMap(object.Object, "spec")
	return spec
}

// TestDefinition needs custom resources alone of a server.
func TestDefinition(t *testing.T) {
	ctx := t.Context()
	webhooks := must[*Webhooks](t)(ServeWebhooks(ctx))
	definitions := must[*apiextensionsclient.Clientset](t)(apiextensionsclient.NewForConfig(admin)).
		ApiextensionsV1().CustomResourceDefinitions()
	client := must[*dynamic.DynamicClient](t)(dynamic.NewForConfig(admin))
	created := must[*apiextensions.CustomResourceDefinition](t)(
		definitions.Create(ctx, Definition(webhooks.Conversion()), metav1.CreateOptions{}))
	eventually(t, func() error {
		definition, err := definitions.Get(ctx, crdName, metav1.GetOptions{})
		if err == nil && !isEstablished(definition) {
			err = fmt.Errorf("not established: %+v", definition.Status.Conditions)
		}
		if err == nil {
			_, err = cachesIn(client, v1, "default").List(ctx, metav1.ListOptions{})
		}
		return err
	})
	established := must[*apiextensions.CustomResourceDefinition](t)(definitions.Get(ctx, crdName, metav1.GetOptions{}))
	established.ManagedFields = nil
	established.Spec.Conversion.Webhook.ClientConfig.CABundle = nil
	observe(t, "definition", established)
	hasRules := created.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"].XValidations != nil

	step(t, "discovery", func(t *testing.T) {
		discovering := must[*discovery.DiscoveryClient](t)(discovery.NewDiscoveryClientForConfig(admin))
		for _, kind := range []schema.GroupVersionKind{v1, v1alpha1} {
			eventually(t, func() error {
				resources, err := discovering.ServerResourcesForGroupVersion(kind.GroupVersion().String())
				if err == nil && len(resources.APIResources) != 3 {
					err = fmt.Errorf("%d resources", len(resources.APIResources))
				}
				return err
			})
			observe(t, kind.Version, must[*metav1.APIResourceList](t)(
				discovering.ServerResourcesForGroupVersion(kind.GroupVersion().String())))
		}
		groups, err := discovering.ServerGroups()
		if apierrors.IsNotFound(err) {
			t.Skip("the server lists no groups")
		}
		done(t, err)
		index := slices.IndexFunc(groups.Groups, func(one metav1.APIGroup) bool { return one.Name == group })
		observe(t, "group", groups.Groups[index])
	})

	step(t, "versions", func(t *testing.T) {
		now, old := cachesIn(client, v1, "default"), cachesIn(client, v1alpha1, "default")
		list := must[*unstructured.UnstructuredList](t)(old.List(ctx, metav1.ListOptions{}))
		watching := must[watch.Interface](t)(old.Watch(ctx, metav1.ListOptions{ResourceVersion: list.GetResourceVersion()}))
		defer watching.Stop()
		object := must[*unstructured.Unstructured](t)(old.Create(ctx, cacheOf(v1alpha1, "a", map[string]any{
			"nodes": int64(2), "megabytes": int64(128), "storageClass": "fast",
		}), metav1.CreateOptions{FieldManager: "test"}))
		observe(t, "created", object)
		there := must[*unstructured.Unstructured](t)(now.Get(ctx, "a", metav1.GetOptions{}))
		observe(t, "read", there)
		if spec := specOf(there); spec["replicas"] != int64(2) || spec["memory"] != "128Mi" || spec["image"] != "redis:7" {
			t.Errorf("converted to %v", spec)
		}
		there.Object["spec"].(map[string]any)["eviction"] = "Never"
		there.Object["spec"].(map[string]any)["replicas"] = int64(1)
		observe(t, "updated", must[*unstructured.Unstructured](t)(now.Update(ctx, there, metav1.UpdateOptions{FieldManager: "other"})))
		observe(t, "patched", must[*unstructured.Unstructured](t)(old.Patch(ctx, "a", types.MergePatchType,
			[]byte(`{"spec":{"megabytes":256}}`), metav1.PatchOptions{FieldManager: "test"})))
		applied := cacheOf(v1alpha1, "a", map[string]any{"image": "redis:8", "nodes": int64(3)})
		_, err := old.Apply(ctx, "a", applied, metav1.ApplyOptions{FieldManager: "applier"})
		refused(t, "conflict", err, 409, "conflict")
		applied = cacheOf(v1alpha1, "a", map[string]any{"image": "redis:8"})
		observe(t, "applied", must[*unstructured.Unstructured](t)(
			old.Apply(ctx, "a", applied, metav1.ApplyOptions{FieldManager: "applier"})))
		applied = cacheOf(v1, "a", map[string]any{"memory": "512Mi"})
		observe(t, "applied in v1", must[*unstructured.Unstructured](t)(
			now.Apply(ctx, "a", applied, metav1.ApplyOptions{FieldManager: "applier", Force: true})))
		// What is no longer applied is the default again, though it had another name.
		applied = cacheOf(v1alpha1, "a", map[string]any{"nodes": int64(3)})
		must[*unstructured.Unstructured](t)(old.Apply(ctx, "a", applied, metav1.ApplyOptions{FieldManager: "mover", Force: true}))
		applied = cacheOf(v1, "a", map[string]any{"eviction": "Never"})
		there = must[*unstructured.Unstructured](t)(now.Apply(ctx, "a", applied, metav1.ApplyOptions{FieldManager: "mover", Force: true}))
		observe(t, "moved", there)
		if spec := specOf(there); spec["replicas"] != int64(1) {
			t.Errorf("moved to %v", spec)
		}
		observe(t, "list", must[*unstructured.UnstructuredList](t)(old.List(ctx, metav1.ListOptions{})))
		done(t, now.Delete(ctx, "a", metav1.DeleteOptions{}))
		for event := range watching.ResultChan() {
			observe(t, "event", event)
			if event.Type == watch.Deleted {
				break
			}
		}
	})

	step(t, "failed conversion", func(t *testing.T) {
		now, old := cachesIn(client, v1, "default"), cachesIn(client, v1alpha1, "default")
		must[*unstructured.Unstructured](t)(now.Create(ctx, cacheOf(v1, "a", map[string]any{"memory": "0Mi"}), metav1.CreateOptions{}))
		_, err := old.Get(ctx, "a", metav1.GetOptions{})
		refused(t, "get", err, 500, "memory: 0Mi has no megabytes")
		_, err = old.List(ctx, metav1.ListOptions{})
		refused(t, "list", err, 500, "memory: 0Mi has no megabytes")
		_, err = old.Patch(ctx, "a", types.MergePatchType, []byte(`{"spec":{"megabytes":256}}`), metav1.PatchOptions{})
		refused(t, "patch", err, 500, "memory: 0Mi has no megabytes")
		done(t, now.Delete(ctx, "a", metav1.DeleteOptions{}))
	})

	step(t, "schema", func(t *testing.T) {
		now := cachesIn(client, v1, "default")
		for _, wrong := range []struct {
			what string
			spec map[string]any
		}{
			{"maximum", map[string]any{"replicas": int64(10)}},
			{"pattern", map[string]any{"memory": "1Gi"}},
			{"enum", map[string]any{"eviction": "Sometimes"}},
			{"type", map[string]any{"image": int64(7)}},
			{"length", map[string]any{"image": ""}},
		} {
			t.Run(wrong.what, func(t *testing.T) {
				_, err := now.Create(ctx, cacheOf(v1, "a", wrong.spec), metav1.CreateOptions{})
				refused(t, "create", err, 422, "spec.")
			})
		}
		_, err := now.Create(ctx, cacheOf(v1, "a", map[string]any{"unknown": true}), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if err != nil {
			t.Error(err)
		}
	})

	step(t, "rules", func(t *testing.T) {
		if !hasRules {
			t.Skip("the server knows no x-kubernetes-validations")
		}
		now, old := cachesIn(client, v1, "default"), cachesIn(client, v1alpha1, "default")
		_, err := now.Create(ctx, cacheOf(v1, "a", map[string]any{"replicas": int64(2), "eviction": "Never"}), metav1.CreateOptions{})
		refused(t, "reason and fieldPath", err, 422, "spec.eviction: Forbidden: replicas that never evict grow apart")
		_, err = now.Create(ctx, cacheOf(v1, "a", map[string]any{"memory": "5000Mi"}), metav1.CreateOptions{})
		refused(t, "messageExpression", err, 422, "5000Mi is more than a node has")
		_, err = old.Create(ctx, cacheOf(v1alpha1, "a", map[string]any{"megabytes": int64(5000)}), metav1.CreateOptions{})
		observe(t, "in another version", err)
		done(t, now.Delete(ctx, "a", metav1.DeleteOptions{}))
		must[*unstructured.Unstructured](t)(now.Create(ctx, cacheOf(v1, "a", map[string]any{"storageClass": "fast"}), metav1.CreateOptions{}))
		patch := func(text string) error {
			_, err := now.Patch(ctx, "a", types.MergePatchType, []byte(text), metav1.PatchOptions{})
			return err
		}
		refused(t, "transition", patch(`{"spec":{"storageClass":"slow"}}`), 422, "spec.storageClass: Invalid value: \"slow\": storageClass is immutable")
		refused(t, "removal", patch(`{"spec":{"storageClass":null}}`), 422, "storageClass cannot be removed")
		if err := patch(`{"spec":{"replicas":2}}`); err != nil {
			t.Error(err)
		}
		done(t, now.Delete(ctx, "a", metav1.DeleteOptions{}))
	})

	step(t, "columns", func(t *testing.T) {
		now := cachesIn(client, v1, "default")
		must[*unstructured.Unstructured](t)(now.Create(ctx, cacheOf(v1, "a", map[string]any{"replicas": int64(2)}), metav1.CreateOptions{}))
		status := map[string]any{"replicas": int64(2), "selector": "a=b", "conditions": []any{map[string]any{
			"type": "Ready", "status": "True", "reason": "R", "message": "M", "lastTransitionTime": "2024-01-01T00:00:00Z",
		}}}
		object := must[*unstructured.Unstructured](t)(now.Get(ctx, "a", metav1.GetOptions{}))
		object.Object["status"] = status
		object.Object["spec"].(map[string]any)["replicas"] = int64(3)
		observe(t, "status", must[*unstructured.Unstructured](t)(now.UpdateStatus(ctx, object, metav1.UpdateOptions{FieldManager: "test"})))
		for _, kind := range []schema.GroupVersionKind{v1, v1alpha1} {
			table, err := cachesAsTable(ctx, t, kind)
			if err != nil {
				t.Fatal(err)
			}
			for index := range table.Rows {
				table.Rows[index].Cells[len(table.Rows[index].Cells)-1] = "AGE"
			}
			observe(t, kind.Version, table)
		}
		done(t, now.Delete(ctx, "a", metav1.DeleteOptions{}))
	})

	if err := definitions.Delete(ctx, crdName, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error {
		if _, err := definitions.Get(ctx, crdName, metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			return fmt.Errorf("the definition is still there: %v", err)
		}
		return nil
	})
	if lines := logged.take(); len(lines) > 0 {
		t.Errorf("client-go warns: %q", lines)
	}
}
