package operator

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	appsapply "k8s.io/client-go/applyconfigurations/apps/v1"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	metaapply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/scheme"
	appslisters "k8s.io/client-go/listers/apps/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/workqueue"
)

const (
	managedBy = "app.kubernetes.io/managed-by"
	nameLabel = "app.kubernetes.io/instance"
)

type controller struct {
	*Operator
	resource    schema.GroupVersionResource
	queue       workqueue.TypedRateLimitingInterface[cache.ObjectName]
	caches      dynamicinformer.DynamicSharedInformerFactory
	children    informers.SharedInformerFactory
	deployments appslisters.DeploymentLister
	events      events.EventBroadcaster
	recorder    events.EventRecorder
}

func newController(operator *Operator, resource schema.GroupVersionResource) *controller {
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: operator.client.EventsV1()})
	children := informers.NewSharedInformerFactoryWithOptions(operator.client, 0,
		informers.WithTweakListOptions(func(options *metav1.ListOptions) {
			options.LabelSelector = labels.Set{managedBy: fieldManager}.String()
		}))
	return &controller{
		Operator: operator,
		resource: resource,
		queue: workqueue.NewTypedRateLimitingQueue(
			workqueue.NewTypedItemExponentialFailureRateLimiter[cache.ObjectName](20*time.Millisecond, time.Second)),
		caches:      dynamicinformer.NewDynamicSharedInformerFactory(operator.dynamic, 0),
		children:    children,
		deployments: children.Apps().V1().Deployments().Lister(),
		events:      broadcaster,
		recorder:    broadcaster.NewRecorder(scheme.Scheme, fieldManager),
	}
}

// run works until the context ends.
func (controller *controller) run(ctx context.Context) error {
	defer controller.events.Shutdown()
	if err := controller.events.StartRecordingToSinkWithContext(ctx); err != nil {
		return err
	}
	watched := controller.caches.ForResource(controller.resource).Informer()
	owned := []cache.SharedIndexInformer{
		controller.children.Apps().V1().Deployments().Informer(),
		controller.children.Core().V1().ConfigMaps().Informer(),
	}
	if _, err := watched.AddEventHandler(onEvery(controller.enqueue)); err != nil {
		return err
	}
	synced := []cache.InformerSynced{watched.HasSynced}
	for _, informer := range owned {
		if _, err := informer.AddEventHandler(onEvery(controller.enqueueOwner)); err != nil {
			return err
		}
		synced = append(synced, informer.HasSynced)
	}
	controller.caches.Start(ctx.Done())
	controller.children.Start(ctx.Done())
	defer controller.caches.Shutdown()
	defer controller.children.Shutdown()
	if !cache.WaitForCacheSync(ctx.Done(), synced...) {
		return nil
	}
	var workers sync.WaitGroup
	defer workers.Wait()
	defer controller.queue.ShutDown()
	for range 2 {
		workers.Go(func() {
			for controller.next(ctx) {
			}
		})
	}
	<-ctx.Done()
	return nil
}

func onEvery(handle func(any)) cache.ResourceEventHandlerFuncs {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: handle, UpdateFunc: func(_, object any) { handle(object) }, DeleteFunc: handle,
	}
}

func (controller *controller) enqueue(object any) {
	name, err := cache.DeletionHandlingObjectToName(object)
	if err != nil {
		utilruntime.HandleError(err)
		return
	}
	controller.queue.Add(name)
}

func (controller *controller) enqueueOwner(object any) {
	if tombstone, isTombstone := object.(cache.DeletedFinalStateUnknown); isTombstone {
		object = tombstone.Obj
	}
	child, err := meta.Accessor(object)
	if err != nil {
		utilruntime.HandleError(err)
		return
	}
	if owner := metav1.GetControllerOf(child); owner != nil && owner.Kind == cacheKind.Kind {
		controller.queue.Add(cache.NewObjectName(child.GetNamespace(), owner.Name))
	}
}

func (controller *controller) next(ctx context.Context) bool {
	name, shutdown := controller.queue.Get()
	if shutdown {
		return false
	}
	defer controller.queue.Done(name)
	if err := controller.reconcile(ctx, name); err != nil {
		controller.queue.AddRateLimited(name)
		return true
	}
	controller.queue.Forget(name)
	return true
}

func (controller *controller) reconcile(ctx context.Context, name cache.ObjectName) error {
	object, err := controller.caches.ForResource(controller.resource).Lister().ByNamespace(name.Namespace).Get(name.Name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	wanted, err := fromUnstructured(object.(*unstructured.Unstructured))
	if err != nil {
		return err
	}
	if wanted.DeletionTimestamp != nil {
		return controller.finalize(ctx, wanted)
	}
	err = controller.applyAll(ctx, wanted)
	if statusErr := controller.report(ctx, wanted, err); statusErr != nil {
		return statusErr
	}
	return err
}

// finalize takes the Cache out of the register, and lets it go.
func (controller *controller) finalize(ctx context.Context, gone *Cache) error {
	if !slices.Contains(gone.Finalizers, finalizer) {
		return nil
	}
	err := controller.client.CoreV1().ConfigMaps(controller.Namespace).Delete(ctx, entryOf(gone), metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	path := fmt.Sprintf("/metadata/finalizers/%d", slices.Index(gone.Finalizers, finalizer))
	patch := fmt.Appendf(nil, `[{"op":"test","path":%q,"value":%q},{"op":"remove","path":%q}]`, path, finalizer, path)
	_, err = controller.dynamic.Resource(controller.resource).Namespace(gone.Namespace).
		Patch(ctx, gone.Name, types.JSONPatchType, patch, metav1.PatchOptions{})
	return ignoreGone(err)
}

// hold keeps a Cache until its entry is out of the register.
func (controller *controller) hold(ctx context.Context, wanted *Cache) error {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(v1)
	object.SetName(wanted.Name)
	object.SetNamespace(wanted.Namespace)
	// Without its uid, a Cache that is gone would be made again.
	object.SetUID(wanted.UID)
	object.SetFinalizers([]string{finalizer})
	_, err := controller.dynamic.Resource(controller.resource).Namespace(wanted.Namespace).
		Apply(ctx, wanted.Name, object, metav1.ApplyOptions{FieldManager: fieldManager, Force: true})
	return err
}

// ignoreGone takes an object that is gone, or another one of its name, for done.
func ignoreGone(err error) error {
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil
	}
	return err
}

// entryOf is the name of the entry of a Cache in the register.
func entryOf(cache *Cache) string { return cache.Namespace + "." + cache.Name }

// applyAll makes what a Cache needs.
func (controller *controller) applyAll(ctx context.Context, wanted *Cache) error {
	options := metav1.ApplyOptions{FieldManager: fieldManager, Force: true}
	if !slices.Contains(wanted.Finalizers, finalizer) {
		if err := controller.hold(ctx, wanted); err != nil {
			return err
		}
	}
	owner := metaapply.OwnerReference().
		WithAPIVersion(v1.GroupVersion().String()).WithKind(v1.Kind).
		WithName(wanted.Name).WithUID(wanted.UID).WithController(true).WithBlockOwnerDeletion(true)
	own := labels.Set{managedBy: fieldManager, nameLabel: wanted.Name}
	entry := coreapply.ConfigMap(entryOf(wanted), controller.Namespace).
		WithData(map[string]string{"address": fmt.Sprintf("%s.%s:6379", wanted.Name, wanted.Namespace)})
	if _, err := controller.client.CoreV1().ConfigMaps(controller.Namespace).Apply(ctx, entry, options); err != nil {
		return err
	}
	settings := coreapply.ConfigMap(wanted.Name, wanted.Namespace).WithLabels(own).WithOwnerReferences(owner).
		WithData(map[string]string{"redis.conf": fmt.Sprintf("maxmemory %s\neviction %s\n", wanted.Spec.Memory, wanted.Spec.Eviction)})
	if _, err := controller.client.CoreV1().ConfigMaps(wanted.Namespace).Apply(ctx, settings, options); err != nil {
		return err
	}
	selector := map[string]string{nameLabel: wanted.Name}
	_, missing := controller.deployments.Deployments(wanted.Namespace).Get(wanted.Name)
	deployment := appsapply.Deployment(wanted.Name, wanted.Namespace).WithLabels(own).WithOwnerReferences(owner).
		WithSpec(appsapply.DeploymentSpec().
			WithReplicas(*wanted.Spec.Replicas).
			WithSelector(metaapply.LabelSelector().WithMatchLabels(selector)).
			WithTemplate(coreapply.PodTemplateSpec().WithLabels(selector).WithSpec(coreapply.PodSpec().
				WithContainers(coreapply.Container().WithName("redis").WithImage(wanted.Spec.Image).
					WithPorts(coreapply.ContainerPort().WithContainerPort(6379)).
					WithVolumeMounts(coreapply.VolumeMount().WithName("settings").WithMountPath("/etc/redis"))).
				WithVolumes(coreapply.Volume().WithName("settings").
					WithConfigMap(coreapply.ConfigMapVolumeSource().WithName(wanted.Name))))))
	if _, err := controller.client.AppsV1().Deployments(wanted.Namespace).Apply(ctx, deployment, options); err != nil {
		return err
	}
	if apierrors.IsNotFound(missing) {
		controller.event(wanted, corev1.EventTypeNormal, "Created", "Apply", "Created deployment "+wanted.Name)
	}
	return nil
}

// report writes the status, if it has changed.
func (controller *controller) report(ctx context.Context, wanted *Cache, failure error) error {
	status := wanted.Status
	status.Conditions = slices.Clone(status.Conditions)
	status.ObservedGeneration = wanted.Generation
	status.Selector = labels.Set{nameLabel: wanted.Name}.String()
	ready := metav1.Condition{
		Type: "Ready", Status: metav1.ConditionFalse, Reason: "Progressing", Message: "Replicas are not available yet",
		ObservedGeneration: wanted.Generation,
	}
	if failure != nil {
		ready.Reason, ready.Message = string(apierrors.ReasonForError(failure)), failure.Error()
	} else if deployment, err := controller.deployments.Deployments(wanted.Namespace).Get(wanted.Name); err == nil {
		status.Replicas = deployment.Status.Replicas
		if deployment.Status.ObservedGeneration >= deployment.Generation &&
			deployment.Status.AvailableReplicas == *wanted.Spec.Replicas &&
			*deployment.Spec.Replicas == *wanted.Spec.Replicas {
			ready.Status, ready.Reason, ready.Message = metav1.ConditionTrue, "Available", "All replicas are available"
		}
	}
	changed := meta.SetStatusCondition(&status.Conditions, ready)
	if reflect.DeepEqual(status, wanted.Status) {
		return nil
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&status)
	if err != nil {
		return err
	}
	next := &unstructured.Unstructured{Object: map[string]any{"status": content}}
	next.SetGroupVersionKind(v1)
	next.SetName(wanted.Name)
	next.SetNamespace(wanted.Namespace)
	next.SetUID(wanted.UID)
	_, err = controller.dynamic.Resource(controller.resource).Namespace(wanted.Namespace).
		ApplyStatus(ctx, wanted.Name, next, metav1.ApplyOptions{FieldManager: fieldManager, Force: true})
	if err != nil {
		return ignoreGone(err)
	}
	if changed && ready.Status == metav1.ConditionTrue {
		controller.event(wanted, corev1.EventTypeNormal, ready.Reason, "Report", ready.Message)
	}
	if changed && failure != nil {
		controller.event(wanted, corev1.EventTypeWarning, ready.Reason, "Report", ready.Message)
	}
	return nil
}

// event records what happened to a Cache.
func (controller *controller) event(cache *Cache, kind, reason, action, message string) {
	about := &corev1.ObjectReference{
		APIVersion: v1.GroupVersion().String(), Kind: v1.Kind, Name: cache.Name, Namespace: cache.Namespace, UID: cache.UID,
	}
	controller.recorder.Eventf(about, nil, kind, reason, action, "%s", message)
}
