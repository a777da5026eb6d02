package operator

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	admission "k8s.io/api/admission/v1"
	admissionregistration "k8s.io/api/admissionregistration/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	certutil "k8s.io/client-go/util/cert"
	"k8s.io/utils/ptr"
)

// Webhooks are served over TLS with a certificate of their own.
type Webhooks struct {
	url      string
	caBundle []byte
}

// ServeWebhooks serves on a free port of the loopback address until the context ends.
func ServeWebhooks(ctx context.Context) (*Webhooks, error) {
	address := net.IPv4(127, 0, 0, 1)
	certificate, key, err := certutil.GenerateSelfSignedCertKey(address.String(), []net.IP{address}, nil)
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, err
	}
	listener, err := tls.Listen("tcp", net.JoinHostPort(address.String(), "0"), &tls.Config{
		Certificates: []tls.Certificate{pair}, NextProtos: []string{"h2", "http/1.1"},
	})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/convert", conversion)
	mux.HandleFunc("/mutate", admits(mutate))
	mux.HandleFunc("/validate", admits(validate))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	context.AfterFunc(ctx, func() { server.Close() })
	go server.Serve(listener)
	return &Webhooks{url: "https://" + listener.Addr().String(), caBundle: certificate}, nil
}

// Conversion says how a server calls the conversion.
func (webhooks *Webhooks) Conversion() apiextensions.WebhookClientConfig {
	return apiextensions.WebhookClientConfig{URL: ptr.To(webhooks.url + "/convert"), CABundle: webhooks.caBundle}
}

// admissions returns the configurations that make a server call the admission webhooks.
func (webhooks *Webhooks) admissions() (
	*admissionregistration.MutatingWebhookConfiguration, *admissionregistration.ValidatingWebhookConfiguration,
) {
	client := func(path string) admissionregistration.WebhookClientConfig {
		return admissionregistration.WebhookClientConfig{URL: ptr.To(webhooks.url + path), CABundle: webhooks.caBundle}
	}
	rule := func(resources []string, operations ...admissionregistration.OperationType) []admissionregistration.RuleWithOperations {
		return []admissionregistration.RuleWithOperations{{
			Operations: operations,
			Rule: admissionregistration.Rule{
				APIGroups: []string{group}, APIVersions: []string{"v1"}, Resources: resources,
				Scope: ptr.To(admissionregistration.NamespacedScope),
			},
		}}
	}
	const create, update, remove = admissionregistration.Create, admissionregistration.Update, admissionregistration.Delete
	mutating := &admissionregistration.MutatingWebhookConfiguration{
		TypeMeta:   metav1.TypeMeta{APIVersion: "admissionregistration.k8s.io/v1", Kind: "MutatingWebhookConfiguration"},
		ObjectMeta: metav1.ObjectMeta{Name: group},
		Webhooks: []admissionregistration.MutatingWebhook{{
			Name: "mutate." + group, ClientConfig: client("/mutate"), Rules: rule([]string{"caches"}, create),
			FailurePolicy: ptr.To(admissionregistration.Fail), MatchPolicy: ptr.To(admissionregistration.Equivalent),
			SideEffects: ptr.To(admissionregistration.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"},
			TimeoutSeconds: ptr.To[int32](30),
		}},
	}
	validating := &admissionregistration.ValidatingWebhookConfiguration{
		TypeMeta:   metav1.TypeMeta{APIVersion: "admissionregistration.k8s.io/v1", Kind: "ValidatingWebhookConfiguration"},
		ObjectMeta: metav1.ObjectMeta{Name: group},
		Webhooks: []admissionregistration.ValidatingWebhook{{
			Name: "validate." + group, ClientConfig: client("/validate"),
			Rules:         rule([]string{"caches", "caches/scale"}, create, update, remove),
			FailurePolicy: ptr.To(admissionregistration.Fail), MatchPolicy: ptr.To(admissionregistration.Equivalent),
			SideEffects: ptr.To(admissionregistration.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"},
			TimeoutSeconds: ptr.To[int32](30),
		}},
	}
	return mutating, validating
}

func conversion(writer http.ResponseWriter, request *http.Request) {
	review := &apiextensions.ConversionReview{}
	if !read(writer, request, review) {
		return
	}
	review.Response = &apiextensions.ConversionResponse{UID: review.Request.UID, Result: metav1.Status{Status: metav1.StatusSuccess}}
	for _, raw := range review.Request.Objects {
		object := &unstructured.Unstructured{}
		err := json.Unmarshal(raw.Raw, object)
		if err == nil {
			err = convert(object, review.Request.DesiredAPIVersion)
		}
		if err != nil {
			review.Response.Result = metav1.Status{Status: metav1.StatusFailure, Message: err.Error()}
			break
		}
		review.Response.ConvertedObjects = append(review.Response.ConvertedObjects, runtime.RawExtension{Object: object})
	}
	review.Request = nil
	write(writer, review)
}

func admits(judge func(*admission.AdmissionRequest) *admission.AdmissionResponse) http.HandlerFunc {
	return func(writer http.ResponseWriter, request *http.Request) {
		review := &admission.AdmissionReview{}
		if !read(writer, request, review) {
			return
		}
		review.Response = judge(review.Request)
		review.Response.UID = review.Request.UID
		review.Request = nil
		write(writer, review)
	}
}

func read(writer http.ResponseWriter, request *http.Request, review any) bool {
	if err := json.NewDecoder(request.Body).Decode(review); err != nil {
		http.Error(writer, err.Error(), http.StatusBadRequest)
		return false
	}
	return true
}

func write(writer http.ResponseWriter, review any) {
	writer.Header().Set("Content-Type", "application/json")
	json.NewEncoder(writer).Encode(review)
}

// creatorAnnotation says who created a Cache.
const creatorAnnotation = group + "/created-by"

func mutate(request *admission.AdmissionRequest) *admission.AdmissionResponse {
	object := &unstructured.Unstructured{}
	if err := json.Unmarshal(request.Object.Raw, object); err != nil {
		return refuse(http.StatusBadRequest, err.Error())
	}
	type operation struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value"`
	}
	operations := []operation{}
	if object.GetAnnotations() == nil {
		operations = append(operations, operation{"add", "/metadata/annotations", map[string]string{}})
	}
	key := strings.ReplaceAll(creatorAnnotation, "/", "~1")
	operations = append(operations, operation{"add", "/metadata/annotations/" + key, request.UserInfo.Username})
	patch, err := json.Marshal(operations)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	return &admission.AdmissionResponse{Allowed: true, Patch: patch, PatchType: ptr.To(admission.PatchTypeJSONPatch)}
}

// protectAnnotation keeps a Cache from deletion.
const protectAnnotation = group + "/protect"

func validate(request *admission.AdmissionRequest) *admission.AdmissionResponse {
	allowed := &admission.AdmissionResponse{Allowed: true}
	switch {
	case request.Operation == admission.Delete:
		object := &unstructured.Unstructured{}
		if err := json.Unmarshal(request.OldObject.Raw, object); err != nil {
			return refuse(http.StatusBadRequest, err.Error())
		}
		if object.GetAnnotations()[protectAnnotation] == "true" {
			return refuse(http.StatusForbidden, fmt.Sprintf("%s is protected", object.GetName()))
		}
	case request.SubResource == "scale":
		scale := &autoscaling.Scale{}
		if err := json.Unmarshal(request.Object.Raw, scale); err != nil {
			return refuse(http.StatusBadRequest, err.Error())
		}
		if scale.Spec.Replicas > 5 {
			return refuse(http.StatusUnprocessableEntity, fmt.Sprintf("%d replicas cannot be scaled to", scale.Spec.Replicas))
		}
	default:
		cache := &Cache{}
		if err := json.Unmarshal(request.Object.Raw, cache); err != nil {
			return refuse(http.StatusBadRequest, err.Error())
		}
		if !strings.HasPrefix(cache.Spec.Image, "redis:") {
			return refuse(http.StatusUnprocessableEntity, fmt.Sprintf("image %q is none of redis", cache.Spec.Image))
		}
		if cache.Spec.Image == "redis:latest" {
			allowed.Warnings = []string{"spec.image: latest changes without notice"}
		}
	}
	return allowed
}

func refuse(code int32, message string) *admission.AdmissionResponse {
	return &admission.AdmissionResponse{Result: &metav1.Status{Code: code, Message: message}}
}
