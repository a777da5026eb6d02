package operator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/scale"
)

const (
	// ownNamespace is where the operator is, and shop is where its users are.
	ownNamespace, shop = "cache-system", "shop"
	leaseDuration      = 6 * time.Second
)

// roleOf returns the rules of the operator, with the verbs that it may use on ConfigMaps.
func roleOf(configMaps ...string) *rbacv1.ClusterRole {
	rule := func(group, resources string, verbs ...string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{APIGroups: []string{group}, Resources: strings.Split(resources, ","), Verbs: verbs}
	}
	named := func(name string, rule rbacv1.PolicyRule) rbacv1.PolicyRule {
		rule.ResourceNames = []string{name}
		return rule
	}
	const registration = "mutatingwebhookconfigurations,validatingwebhookconfigurations"
	return &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: fieldManager},
		Rules: []rbacv1.PolicyRule{
			rule("apiextensions.k8s.io", "customresourcedefinitions", "create"),
			named(crdName, rule("apiextensions.k8s.io", "customresourcedefinitions", "get", "list", "watch", "update")),
			rule("admissionregistration.k8s.io", registration, "create"),
			named(group, rule("admissionregistration.k8s.io", registration, "patch")),
			rule(group, "caches", "list", "watch", "patch"),
			rule(group, "caches/status", "patch"),
			rule("apps", "deployments", "list", "watch", "create", "patch"),
			rule("", "configmaps", append(configMaps, "list", "watch")...),
			rule("", "events", "create", "patch"),
			rule("events.k8s.io", "events", "create", "patch"),
			rule("coordination.k8s.io", "leases", "get", "create", "update"),
		},
	}
}

// users are what the test works with as the administrator.
type users struct {
	client  *kubernetes.Clientset
	dynamic *dynamic.DynamicClient
	// operator has the credentials of the service account.
	operator *rest.Config
}

func (users *users) caches() dynamic.ResourceInterface { return cachesIn(users.dynamic, v1, shop) }

// install makes the namespaces, and the service account with its role.
func install(ctx context.Context, t *testing.T) *users {
	users := &users{
		client:  must[*kubernetes.Clientset](t)(kubernetes.NewForConfig(admin)),
		dynamic: must[*dynamic.DynamicClient](t)(dynamic.NewForConfig(admin)),
	}
	if core, err := users.client.Discovery().ServerResourcesForGroupVersion("v1"); err == nil && len(core.APIResources) == 0 {
		t.Skip("the server has custom resources alone")
	}
	for _, name := range []string{ownNamespace, shop} {
		must[*corev1.Namespace](t)(users.client.CoreV1().Namespaces().Create(ctx,
			&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{}))
	}
	accounts := users.client.CoreV1().ServiceAccounts(ownNamespace)
	account := must[*corev1.ServiceAccount](t)(accounts.Create(ctx,
		&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: fieldManager}}, metav1.CreateOptions{}))
	token := must[*authenticationv1.TokenRequest](t)(accounts.CreateToken(ctx, account.Name,
		&authenticationv1.TokenRequest{}, metav1.CreateOptions{}))
	rbac := users.client.RbacV1()
	must[*rbacv1.ClusterRole](t)(rbac.ClusterRoles().Create(ctx, roleOf(), metav1.CreateOptions{}))
	must[*rbacv1.ClusterRoleBinding](t)(rbac.ClusterRoleBindings().Create(ctx, &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: fieldManager},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: fieldManager},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: account.Name, Namespace: ownNamespace}},
	}, metav1.CreateOptions{}))
	users.operator = rest.AnonymousClientConfig(admin)
	users.operator.BearerToken = token.Status.Token
	users.operator.QPS = -1
	users.operator.WarningHandler = &warned
	users.operator.Wrap(sent.wrap("operator"))
	return users
}

// start runs an instance. The returned function stops it, and waits for its end.
func (users *users) start(ctx context.Context, t *testing.T, operator *Operator) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := operator.Run(ctx, users.operator); err != nil {
			t.Errorf("%s: %v", operator.Identity, err)
		}
	}()
	return func() {
		t.Helper()
		cancel()
		<-ended
	}
}

// permit changes what the operator may do with ConfigMaps.
func (users *users) permit(ctx context.Context, t *testing.T, verbs ...string) {
	must[*rbacv1.ClusterRole](t)(users.client.RbacV1().ClusterRoles().Update(ctx, roleOf(verbs...), metav1.UpdateOptions{}))
}

// ready waits until the condition Ready of a Cache has a reason and a message with an end, in its present generation.
func (users *users) ready(ctx context.Context, t *testing.T, name, reason, end string) *Cache {
	t.Helper()
	var found *Cache
	eventually(t, func() error {
		object, err := users.caches().Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if found, err = fromUnstructured(object); err != nil {
			return err
		}
		ready := meta.FindStatusCondition(found.Status.Conditions, "Ready")
		if ready == nil || ready.Reason != reason || !strings.HasSuffix(ready.Message, end) || ready.ObservedGeneration != found.Generation {
			return fmt.Errorf("%s is not %s yet: %+v", name, reason, ready)
		}
		return nil
	})
	return found
}

// rollOut does what the deployment controller does, which is not there.
func (users *users) rollOut(ctx context.Context, t *testing.T, name string) {
	t.Helper()
	deployments := users.client.AppsV1().Deployments(shop)
	eventually(t, func() error {
		deployment, err := deployments.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		replicas := *deployment.Spec.Replicas
		deployment.Status = appsv1.DeploymentStatus{
			ObservedGeneration: deployment.Generation, Replicas: replicas, UpdatedReplicas: replicas,
			ReadyReplicas: replicas, AvailableReplicas: replicas,
		}
		_, err = deployments.UpdateStatus(ctx, deployment, metav1.UpdateOptions{FieldManager: "deployments"})
		return err
	})
}

func (users *users) lease(ctx context.Context) (*coordinationv1.Lease, error) {
	return users.client.CoordinationV1().Leases(ownNamespace).Get(ctx, fieldManager, metav1.GetOptions{})
}

// leads waits until an instance leads, and its webhooks are called.
func (users *users) leads(ctx context.Context, t *testing.T, identity string, before []byte) []byte {
	t.Helper()
	var bundle []byte
	eventually(t, func() error {
		lease, err := users.lease(ctx)
		if err != nil {
			return err
		}
		if holder := lease.Spec.HolderIdentity; holder == nil || *holder != identity {
			return fmt.Errorf("%s does not lead", identity)
		}
		validating, err := users.client.AdmissionregistrationV1().ValidatingWebhookConfigurations().Get(ctx, group, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if bundle = validating.Webhooks[0].ClientConfig.CABundle; slices.Equal(bundle, before) {
			return fmt.Errorf("the webhooks of %s are not called", identity)
		}
		_, err = users.caches().Create(ctx, cacheOf(v1, "probe", map[string]any{}), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return err
	})
	return bundle
}

func TestOperator(t *testing.T) {
	ctx := t.Context()
	users := install(ctx, t)
	one := users.start(ctx, t, &Operator{Namespace: ownNamespace, Identity: "one", LeaseDuration: leaseDuration, Crash: true})
	bundle := users.leads(ctx, t, "one", nil)
	caches := users.caches()

	step(t, "a role that lacks verbs", func(t *testing.T) {
		object := must[*unstructured.Unstructured](t)(caches.Create(ctx,
			cacheOf(v1, "front", map[string]any{"replicas": int64(2)}), metav1.CreateOptions{FieldManager: "test"}))
		if creator := object.GetAnnotations()[creatorAnnotation]; creator != "admin" {
			t.Errorf("created by %q", creator)
		}
		lacking := users.ready(ctx, t, "front", "Forbidden", `cannot patch resource "configmaps" in API group "" in the namespace "cache-system"`)
		observe(t, "patch", lacking.Status)
		users.permit(ctx, t, "patch")
		lacking = users.ready(ctx, t, "front", "Forbidden", `configmaps "shop.front" is forbidden: `)
		observe(t, "create", lacking.Status)
		users.permit(ctx, t, "patch", "create", "delete")
		users.ready(ctx, t, "front", "Progressing", "")
	})

	step(t, "reviews of access", func(t *testing.T) {
		client := must[*kubernetes.Clientset](t)(kubernetes.NewForConfig(users.operator))
		for _, attributes := range []authorizationv1.ResourceAttributes{
			{Verb: "patch", Group: group, Resource: "caches", Subresource: "status", Namespace: shop, Name: "front"},
			{Verb: "update", Group: group, Resource: "caches", Namespace: shop, Name: "front"},
			{Verb: "watch", Group: "apiextensions.k8s.io", Resource: "customresourcedefinitions", Name: crdName},
			{Verb: "watch", Group: "apiextensions.k8s.io", Resource: "customresourcedefinitions"},
		} {
			review := must[*authorizationv1.SelfSubjectAccessReview](t)(
				client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, &authorizationv1.SelfSubjectAccessReview{
					Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &attributes},
				}, metav1.CreateOptions{}))
			observe(t, fmt.Sprintf("%s %s %q", attributes.Verb, attributes.Resource, attributes.Name), review.Status)
		}
		_, err := client.CoreV1().Secrets(shop).List(ctx, metav1.ListOptions{})
		refused(t, "secrets", err, 403, "system:serviceaccount:cache-system:cache-operator")
	})

	step(t, "what it makes", func(t *testing.T) {
		users.rollOut(ctx, t, "front")
		observe(t, "cache", users.ready(ctx, t, "front", "Available", ""))
		observe(t, "deployment", must[*appsv1.Deployment](t)(users.client.AppsV1().Deployments(shop).Get(ctx, "front", metav1.GetOptions{})))
		observe(t, "settings", must[*corev1.ConfigMap](t)(users.client.CoreV1().ConfigMaps(shop).Get(ctx, "front", metav1.GetOptions{})))
		observe(t, "entry", must[*corev1.ConfigMap](t)(users.client.CoreV1().ConfigMaps(ownNamespace).Get(ctx, "shop.front", metav1.GetOptions{})))
	})

	step(t, "events", func(t *testing.T) {
		wanted := []string{"Available", "Created", "Forbidden"}
		eventually(t, func() error {
			list, err := users.client.EventsV1().Events(shop).List(ctx, metav1.ListOptions{})
			if err != nil {
				return err
			}
			var reasons []string
			for _, event := range list.Items {
				reasons = append(reasons, event.Reason)
			}
			slices.Sort(reasons)
			if reasons = slices.Compact(reasons); !slices.Equal(reasons, wanted) {
				return fmt.Errorf("the events are %q", reasons)
			}
			return nil
		})
		selector := metav1.ListOptions{FieldSelector: "reason=Created"}
		list := must[*corev1.EventList](t)(users.client.CoreV1().Events(shop).List(ctx, selector))
		list.Items[0].Name = "front.NAME"
		list.Items[0].ReportingInstance = "INSTANCE"
		observe(t, "in the group of the core", list.Items)
		of := must[*eventsv1.EventList](t)(users.client.EventsV1().Events(shop).List(ctx, selector))
		if len(of.Items) != 1 || of.Items[0].Regarding.Name != "front" || of.Items[0].Note != "Created deployment front" {
			t.Errorf("the events are %+v", of.Items)
		}
	})

	step(t, "what others change or delete", func(t *testing.T) {
		deployments, settings := users.client.AppsV1().Deployments(shop), users.client.CoreV1().ConfigMaps(shop)
		before := must[*appsv1.Deployment](t)(deployments.Get(ctx, "front", metav1.GetOptions{}))
		done(t, deployments.Delete(ctx, "front", metav1.DeleteOptions{}))
		eventually(t, func() error {
			now, err := deployments.Get(ctx, "front", metav1.GetOptions{})
			if err == nil && now.UID == before.UID {
				err = fmt.Errorf("the deployment is still there")
			}
			return err
		})
		taken := coreapply.ConfigMap("front", shop).WithData(map[string]string{"redis.conf": "mine", "more": "kept"})
		_, err := settings.Apply(ctx, taken, metav1.ApplyOptions{FieldManager: "user"})
		refused(t, "apply", err, 409, `conflict with "cache-operator": .data.redis.conf`)
		must[*corev1.ConfigMap](t)(settings.Apply(ctx, taken, metav1.ApplyOptions{FieldManager: "user", Force: true}))
		eventually(t, func() error {
			now, err := settings.Get(ctx, "front", metav1.GetOptions{})
			if err == nil && now.Data["redis.conf"] == "mine" {
				err = fmt.Errorf("the settings are those of others")
			}
			return err
		})
		observe(t, "settings", must[*corev1.ConfigMap](t)(settings.Get(ctx, "front", metav1.GetOptions{})))
	})

	step(t, "webhooks", func(t *testing.T) {
		old := cachesIn(users.dynamic, v1alpha1, shop)
		warned.take()
		_, err := old.Create(ctx, cacheOf(v1alpha1, "web", map[string]any{"image": "nginx:1"}), metav1.CreateOptions{})
		refused(t, "image", err, 422, `admission webhook "validate.caches.example.com" denied the request: image "nginx:1" is none of redis`)
		object := must[*unstructured.Unstructured](t)(old.Create(ctx,
			cacheOf(v1alpha1, "dry", map[string]any{"image": "redis:latest"}), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}))
		observe(t, "dry run", object)
		if texts := warned.take(); !slices.Equal(texts, []string{"spec.image: latest changes without notice"}) {
			t.Errorf("warnings: %q", texts)
		}
		annotate := func(value string) {
			must[*unstructured.Unstructured](t)(caches.Patch(ctx, "front", types.MergePatchType,
				[]byte(`{"metadata":{"annotations":{"`+protectAnnotation+`":`+value+`}}}`), metav1.PatchOptions{}))
		}
		annotate(`"true"`)
		refused(t, "delete", caches.Delete(ctx, "front", metav1.DeleteOptions{}), 403, "front is protected")
		refused(t, "delete all", caches.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}), 403, "front is protected")
		annotate("null")
	})

	step(t, "scale", func(t *testing.T) {
		discovering := memory.NewMemCacheClient(users.client.Discovery())
		mapper := restmapper.NewDeferredDiscoveryRESTMapper(discovering)
		scales := must[scale.ScalesGetter](t)(scale.NewForConfig(admin, mapper, dynamic.LegacyAPIPathResolverFunc,
			scale.NewDiscoveryScaleKindResolver(discovering))).Scales(shop)
		patch := func(replicas int) error {
			_, err := scales.Patch(ctx, cacheResource.WithVersion("v1"), "front", types.MergePatchType,
				fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, replicas), metav1.PatchOptions{})
			return err
		}
		refused(t, "by the webhook", patch(6), 422, "6 replicas cannot be scaled to")
		refused(t, "negative", patch(-1), 422, "")
		there, err := scales.Get(ctx, cacheResource, "front", metav1.GetOptions{})
		done(t, err)
		observe(t, "get", there)
		there.Spec.Replicas = 3
		there, err = scales.Update(ctx, cacheResource, there, metav1.UpdateOptions{})
		done(t, err)
		observe(t, "update", there)
		users.ready(ctx, t, "front", "Progressing", "")
		eventually(t, func() error {
			deployment, err := users.client.AppsV1().Deployments(shop).GetScale(ctx, "front", metav1.GetOptions{})
			if err == nil && deployment.Spec.Replicas != 3 {
				err = fmt.Errorf("%d replicas", deployment.Spec.Replicas)
			}
			return err
		})
		observe(t, "of the deployment", must[*autoscaling.Scale](t)(users.client.AppsV1().Deployments(shop).GetScale(ctx, "front", metav1.GetOptions{})))
		users.rollOut(ctx, t, "front")
		users.ready(ctx, t, "front", "Available", "")
	})

	step(t, "two instances", func(t *testing.T) {
		two := users.start(ctx, t, &Operator{Namespace: ownNamespace, Identity: "two", LeaseDuration: leaseDuration})
		one()
		lease := must[*coordinationv1.Lease](t)(users.lease(ctx))
		if holder := *lease.Spec.HolderIdentity; holder != "one" {
			t.Errorf("%s took over from one that had not stopped", holder)
		}
		// Nobody answers now.
		_, err := caches.Create(ctx, cacheOf(v1, "nobody", map[string]any{}), metav1.CreateOptions{})
		refused(t, "nobody answers", err, 500, "connection refused")
		_, err = cachesIn(users.dynamic, v1alpha1, shop).Get(ctx, "front", metav1.GetOptions{})
		refused(t, "nobody converts", err, 500, "connection refused")
		users.leads(ctx, t, "two", bundle)
		lease = must[*coordinationv1.Lease](t)(users.lease(ctx))
		observe(t, "lease", lease.Spec)
		must[*unstructured.Unstructured](t)(cachesIn(users.dynamic, v1alpha1, shop).Get(ctx, "front", metav1.GetOptions{}))
		done(t, caches.Delete(ctx, "front", metav1.DeleteOptions{}))
		eventually(t, func() error {
			if there, err := caches.Get(ctx, "front", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
				return fmt.Errorf("the cache is still there: %+v, %v", there, err)
			}
			return nil
		})
		if _, err := users.client.CoreV1().ConfigMaps(ownNamespace).Get(ctx, "shop.front", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			t.Errorf("the entry is still there: %v", err)
		}
		two()
		if holder := (*must[*coordinationv1.Lease](t)(users.lease(ctx))).Spec.HolderIdentity; holder != nil && *holder != "" {
			t.Errorf("%s has not released the lease", *holder)
		}
	})

	step(t, "an object that is gone", func(t *testing.T) {
		gone := cacheOf(v1, "front", map[string]any{})
		gone.SetUID("8d7bb5b4-7a9c-4f0e-9a3e-2f0f8c6f4c11")
		configMap := coreapply.ConfigMap("gone", shop).WithUID("8d7bb5b4-7a9c-4f0e-9a3e-2f0f8c6f4c11")
		_, err := users.client.CoreV1().ConfigMaps(shop).Apply(ctx, configMap, metav1.ApplyOptions{FieldManager: "test"})
		refused(t, "configmap", err, 409, "uid mismatch")
		done(t, users.client.AdmissionregistrationV1().MutatingWebhookConfigurations().Delete(ctx, group, metav1.DeleteOptions{}))
		done(t, users.client.AdmissionregistrationV1().ValidatingWebhookConfigurations().Delete(ctx, group, metav1.DeleteOptions{}))
		eventually(t, func() error {
			_, err := caches.Apply(ctx, "front", gone, metav1.ApplyOptions{FieldManager: "test"})
			if !apierrors.IsConflict(err) {
				return fmt.Errorf("expected a conflict, got %v", err)
			}
			observe(t, "cache", err)
			return nil
		})
	})

	if lines := logged.take(); len(lines) > 0 {
		t.Errorf("client-go warns:\n%s", strings.Join(lines, "\n"))
	}
	if texts := warned.take(); len(texts) > 0 {
		t.Errorf("the server warns: %q", texts)
	}
}
