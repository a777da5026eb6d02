// Package operator is an operator in the form that they have with client-go: a definition in two versions, webhooks,
// informers, a work queue, leader election, events, server-side apply, and a role of its own.
package operator

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apiextensionsinformers "k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/retry"
)

// fieldManager is the name of what the operator applies.
const fieldManager = "cache-operator"

// Operator is one instance, of which the leader works.
type Operator struct {
	// Namespace is where the lease is, and the entries of the register.
	Namespace string
	// Identity is the name of the instance.
	Identity string
	// LeaseDuration is the time after which another instance takes over from one that crashed.
	LeaseDuration time.Duration
	// Crash keeps the lease when the instance stops.
	Crash bool

	client     kubernetes.Interface
	dynamic    dynamic.Interface
	extensions apiextensionsclient.Interface
	webhooks   *Webhooks
}

// Run returns when the context ends, or with an error when the operator cannot work.
func (operator *Operator) Run(ctx context.Context, config *rest.Config) error {
	var err error
	if operator.client, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	if operator.dynamic, err = dynamic.NewForConfig(config); err != nil {
		return err
	}
	if operator.extensions, err = apiextensionsclient.NewForConfig(config); err != nil {
		return err
	}
	if operator.webhooks, err = ServeWebhooks(ctx); err != nil {
		return err
	}
	broadcaster := record.NewBroadcaster()
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: operator.client.CoreV1().Events("")})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: fieldManager})
	leading, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: fieldManager, Namespace: operator.Namespace},
			Client:     operator.client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: operator.Identity, EventRecorder: recorder},
		},
		Name:            fieldManager,
		LeaseDuration:   operator.LeaseDuration,
		RenewDeadline:   operator.LeaseDuration * 2 / 3,
		RetryPeriod:     operator.LeaseDuration / 8,
		ReleaseOnCancel: !operator.Crash,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				if err := operator.lead(ctx); err != nil {
					stop(err)
				}
			},
			OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		return err
	}
	elector.Run(leading)
	if ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("%s lost the lease: %w", operator.Identity, context.Cause(leading))
}

// lead makes the definition and the configurations of the webhooks those of this instance, and works.
func (operator *Operator) lead(ctx context.Context) error {
	if err := operator.define(ctx); err != nil {
		return err
	}
	mutating, validating := operator.webhooks.admissions()
	client := operator.client.AdmissionregistrationV1()
	if err := apply(mutating, func(patch []byte, options metav1.PatchOptions) error {
		_, err := client.MutatingWebhookConfigurations().Patch(ctx, mutating.Name, types.ApplyPatchType, patch, options)
		return err
	}); err != nil {
		return err
	}
	if err := apply(validating, func(patch []byte, options metav1.PatchOptions) error {
		_, err := client.ValidatingWebhookConfigurations().Patch(ctx, validating.Name, types.ApplyPatchType, patch, options)
		return err
	}); err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(operator.client.Discovery()))
	mapping, err := mapper.RESTMapping(cacheKind, v1.Version)
	if err != nil {
		return err
	}
	return newController(operator, mapping.Resource).run(ctx)
}

// define makes the definition, and waits until it is served.
func (operator *Operator) define(ctx context.Context) error {
	definition := Definition(operator.webhooks.Conversion())
	definitions := operator.extensions.ApiextensionsV1().CustomResourceDefinitions()
	_, err := definitions.Create(ctx, definition, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		err = retry.RetryOnConflict(retry.DefaultRetry, func() error {
			there, err := definitions.Get(ctx, definition.Name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			there.Spec = definition.Spec
			_, err = definitions.Update(ctx, there, metav1.UpdateOptions{})
			return err
		})
	}
	if err != nil {
		return err
	}
	// A role that names the object allows to watch it, with this selector.
	factory := apiextensionsinformers.NewFilteredSharedInformerFactory(operator.extensions, 0, metav1.NamespaceAll,
		func(options *metav1.ListOptions) {
			options.FieldSelector = fields.OneTermEqualSelector("metadata.name", definition.Name).String()
		})
	informer := factory.Apiextensions().V1().CustomResourceDefinitions()
	watching, stop := context.WithCancel(ctx)
	defer factory.Shutdown()
	defer stop()
	lister := informer.Lister()
	informer.Informer()
	factory.Start(watching.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.Informer().HasSynced) {
		return ctx.Err()
	}
	return wait.PollUntilContextCancel(ctx, 20*time.Millisecond, true, func(context.Context) (bool, error) {
		there, err := lister.Get(definition.Name)
		return err == nil && isEstablished(there), nil
	})
}

func isEstablished(definition *apiextensions.CustomResourceDefinition) bool {
	for _, condition := range definition.Status.Conditions {
		if condition.Type == apiextensions.Established {
			return condition.Status == apiextensions.ConditionTrue
		}
	}
	return false
}

// apply sends an object as what the operator wants of it. An instance overrules others.
func apply(object any, send func([]byte, metav1.PatchOptions) error) error {
	patch, err := json.Marshal(object)
	if err != nil {
		return err
	}
	force := true
	return send(patch, metav1.PatchOptions{FieldManager: fieldManager, Force: &force})
}
