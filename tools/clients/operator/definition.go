package operator

import (
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"
)

const (
	group     = "caches.example.com"
	crdName   = "caches." + group
	finalizer = group + "/registered"
)

var (
	cacheKind     = schema.GroupKind{Group: group, Kind: "Cache"}
	cacheResource = schema.GroupResource{Group: group, Resource: "caches"}
	v1            = cacheKind.WithVersion("v1")
	v1alpha1      = cacheKind.WithVersion("v1alpha1")
)

type properties = map[string]apiextensions.JSONSchemaProps

// Definition returns the CustomResourceDefinition of Caches, which a webhook converts.
func Definition(client apiextensions.WebhookClientConfig) *apiextensions.CustomResourceDefinition {
	return &apiextensions.CustomResourceDefinition{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition"},
		ObjectMeta: metav1.ObjectMeta{Name: crdName},
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: group,
			Scope: apiextensions.NamespaceScoped,
			Names: apiextensions.CustomResourceDefinitionNames{
				Plural: "caches", Singular: "cache", Kind: "Cache", ListKind: "CacheList",
				ShortNames: []string{"cch"}, Categories: []string{"all"},
			},
			Conversion: &apiextensions.CustomResourceConversion{
				Strategy: apiextensions.WebhookConverter,
				Webhook: &apiextensions.WebhookConversion{
					ClientConfig: &client, ConversionReviewVersions: []string{"v1"},
				},
			},
			Versions: []apiextensions.CustomResourceDefinitionVersion{
				version("v1", true, specOfV1(), "replicas", column("Replicas", "integer", ".spec.replicas"),
					column("Memory", "string", ".spec.memory"),
					column("Ready", "string", `.status.conditions[?(@.type=="Ready")].status`)),
				version("v1alpha1", false, specOfV1alpha1(), "nodes", column("Nodes", "integer", ".spec.nodes")),
			},
		},
	}
}

func version(
	name string, storage bool, spec apiextensions.JSONSchemaProps, replicas string,
	columns ...apiextensions.CustomResourceColumnDefinition,
) apiextensions.CustomResourceDefinitionVersion {
	selector := ".status.selector"
	age := column("Age", "date", ".metadata.creationTimestamp")
	return apiextensions.CustomResourceDefinitionVersion{
		Name: name, Served: true, Storage: storage,
		AdditionalPrinterColumns: append(columns, age),
		Subresources: &apiextensions.CustomResourceSubresources{
			Status: &apiextensions.CustomResourceSubresourceStatus{},
			Scale: &apiextensions.CustomResourceSubresourceScale{
				SpecReplicasPath: ".spec." + replicas, StatusReplicasPath: ".status.replicas", LabelSelectorPath: &selector,
			},
		},
		Schema: &apiextensions.CustomResourceValidation{OpenAPIV3Schema: &apiextensions.JSONSchemaProps{
			Type:       "object",
			Required:   []string{"spec"},
			Properties: properties{"spec": spec, "status": status()},
		}},
	}
}

func column(name, kind, path string) apiextensions.CustomResourceColumnDefinition {
	return apiextensions.CustomResourceColumnDefinition{Name: name, Type: kind, JSONPath: path}
}

func specOfV1() apiextensions.JSONSchemaProps {
	reason := apiextensions.FieldValueForbidden
	return apiextensions.JSONSchemaProps{
		Type: "object",
		Properties: properties{
			"image":    {Type: "string", MinLength: ptr.To[int64](1), Default: quoted("redis:7")},
			"replicas": {Type: "integer", Format: "int32", Minimum: ptr.To(0.0), Maximum: ptr.To(9.0), Default: plain("1")},
			"memory": {
				Type: "string", Pattern: "^[0-9]+Mi$", MaxLength: ptr.To[int64](10), Default: quoted("64Mi"),
				XValidations: apiextensions.ValidationRules{{
					Rule:              "quantity(self).isLessThan(quantity('4Gi'))",
					MessageExpression: "self + ' is more than a node has'",
				}},
			},
			"eviction": {Type: "string", Enum: []apiextensions.JSON{*quoted("Never"), *quoted("Oldest")}, Default: quoted("Oldest")},
			"storageClass": {
				Type: "string", MaxLength: ptr.To[int64](63),
				XValidations: apiextensions.ValidationRules{{Rule: "self == oldSelf", Message: "storageClass is immutable"}},
			},
		},
		XValidations: apiextensions.ValidationRules{
			{
				Rule:      "self.replicas < 2 || self.eviction != 'Never'",
				Message:   "replicas that never evict grow apart",
				Reason:    &reason,
				FieldPath: ".eviction",
			},
			{Rule: "!has(oldSelf.storageClass) || has(self.storageClass)", Message: "storageClass cannot be removed"},
		},
	}
}

func specOfV1alpha1() apiextensions.JSONSchemaProps {
	return apiextensions.JSONSchemaProps{
		Type: "object",
		Properties: properties{
			"image":        {Type: "string"},
			"nodes":        {Type: "integer", Format: "int32", Minimum: ptr.To(0.0), Default: plain("1")},
			"megabytes":    {Type: "integer", Format: "int64", Minimum: ptr.To(1.0)},
			"storageClass": {Type: "string"},
		},
	}
}

func status() apiextensions.JSONSchemaProps {
	text := apiextensions.JSONSchemaProps{Type: "string"}
	number := apiextensions.JSONSchemaProps{Type: "integer", Format: "int64"}
	return apiextensions.JSONSchemaProps{
		Type: "object",
		Properties: properties{
			"replicas":           {Type: "integer", Format: "int32"},
			"selector":           text,
			"observedGeneration": number,
			"conditions": {
				Type: "array", XListType: ptr.To("map"), XListMapKeys: []string{"type"},
				Items: &apiextensions.JSONSchemaPropsOrArray{Schema: &apiextensions.JSONSchemaProps{
					Type:     "object",
					Required: []string{"type", "status", "reason", "message", "lastTransitionTime"},
					Properties: properties{
						"type": text, "reason": text, "message": text, "observedGeneration": number,
						"status":             {Type: "string", Enum: []apiextensions.JSON{*quoted("True"), *quoted("False"), *quoted("Unknown")}},
						"lastTransitionTime": {Type: "string", Format: "date-time"},
					},
				}},
			},
		},
	}
}

func plain(value string) *apiextensions.JSON { return &apiextensions.JSON{Raw: []byte(value)} }

func quoted(value string) *apiextensions.JSON { return plain(`"` + value + `"`) }
