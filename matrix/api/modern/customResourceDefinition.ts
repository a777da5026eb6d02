// The types of custom resource definitions, in the form of data/. Their schemas contain schemas, and in places a schema
// or a boolean.
import type { Row } from '../types/field.js';

const group = 'apiextensions.v1';

export const definitionTypes: Readonly<Record<string, string>> = {
  [`${group}.CustomResourceDefinition`]: `metadata 1 ObjectMeta; spec 2 ${group}.CustomResourceDefinitionSpec required; status 3 ${group}.CustomResourceDefinitionStatus`,
  [`${group}.CustomResourceDefinitionSpec`]: `group 1 string required; names 3 ${group}.CustomResourceDefinitionNames required; scope 4 string required; versions 7 []${group}.CustomResourceDefinitionVersion required; conversion 9 ${group}.CustomResourceConversion; preserveUnknownFields 10 boolean`,
  [`${group}.CustomResourceDefinitionNames`]:
    'plural 1 string required; singular 2 string; shortNames 3 []string atomic; kind 4 string required; listKind 5 string; categories 6 []string atomic',
  [`${group}.CustomResourceDefinitionVersion`]: `name 1 string required; served 2 boolean required; storage 3 boolean required; deprecated 7 boolean; deprecationWarning 8 string presence; schema 4 ${group}.CustomResourceValidation; subresources 5 ${group}.CustomResourceSubresources; additionalPrinterColumns 6 []${group}.CustomResourceColumnDefinition atomic; selectableFields 9 []${group}.SelectableField atomic`,
  [`${group}.CustomResourceValidation`]: `openAPIV3Schema 1 ${group}.JSONSchemaProps`,
  [`${group}.CustomResourceSubresources`]: `status 1 ${group}.CustomResourceSubresourceStatus; scale 2 ${group}.CustomResourceSubresourceScale`,
  [`${group}.CustomResourceSubresourceStatus`]: '',
  [`${group}.CustomResourceSubresourceScale`]:
    'specReplicasPath 1 string required; statusReplicasPath 2 string required; labelSelectorPath 3 string presence',
  [`${group}.CustomResourceColumnDefinition`]:
    'name 1 string required; type 2 string required; format 3 string; description 4 string; priority 5 int32; jsonPath 6 string required',
  [`${group}.SelectableField`]: 'jsonPath 1 string required',
  [`${group}.CustomResourceConversion`]: `strategy 1 string required; webhook 2 ${group}.WebhookConversion`,
  [`${group}.WebhookConversion`]: `clientConfig 2 ${group}.WebhookClientConfig; conversionReviewVersions 3 []string required`,
  [`${group}.WebhookClientConfig`]: `url 3 string presence; service 1 ${group}.ServiceReference; caBundle 2 bytes`,
  [`${group}.ServiceReference`]:
    'namespace 1 string required; name 2 string required; path 3 string presence; port 4 int32 presence',
  [`${group}.CustomResourceDefinitionStatus`]: `conditions 1 []${group}.CustomResourceDefinitionCondition merge=type; acceptedNames 2 ${group}.CustomResourceDefinitionNames; storedVersions 3 []string atomic`,
  [`${group}.CustomResourceDefinitionCondition`]:
    'type 1 string required; status 2 string required; lastTransitionTime 3 time; reason 4 string; message 5 string; observedGeneration 6 int64',
  [`${group}.JSONSchemaProps`]: [
    'id 1 string; $schema 2 string; $ref 3 string presence; description 4 string; type 5 string; format 6 string; title 7 string',
    'default 8 raw; maximum 9 number presence; exclusiveMaximum 10 boolean; minimum 11 number presence; exclusiveMinimum 12 boolean',
    'maxLength 13 int64 presence; minLength 14 int64 presence; pattern 15 string; maxItems 16 int64 presence; minItems 17 int64 presence',
    'uniqueItems 18 boolean; multipleOf 19 number presence; enum 20 []raw atomic; maxProperties 21 int64 presence; minProperties 22 int64 presence',
    `required 23 []string atomic; items 24 ${group}.JSONSchemaProps orList; allOf 25 []${group}.JSONSchemaProps atomic; oneOf 26 []${group}.JSONSchemaProps atomic`,
    `anyOf 27 []${group}.JSONSchemaProps atomic; not 28 ${group}.JSONSchemaProps; properties 29 {}${group}.JSONSchemaProps; additionalProperties 30 ${group}.JSONSchemaProps orBoolean`,
    `patternProperties 31 {}${group}.JSONSchemaProps; dependencies 32 {}raw; additionalItems 33 ${group}.JSONSchemaProps orBoolean; definitions 34 {}${group}.JSONSchemaProps`,
    `externalDocs 35 ${group}.ExternalDocumentation; example 36 raw; nullable 37 boolean; x-kubernetes-preserve-unknown-fields 38 boolean presence`,
    'x-kubernetes-embedded-resource 39 boolean; x-kubernetes-int-or-string 40 boolean; x-kubernetes-list-map-keys 41 []string atomic',
    `x-kubernetes-list-type 42 string presence; x-kubernetes-map-type 43 string presence; x-kubernetes-validations 44 []${group}.ValidationRule merge=rule`,
  ].join('; '),
  [`${group}.ExternalDocumentation`]: 'description 1 string; url 2 string',
  [`${group}.ValidationRule`]:
    'rule 1 string required; message 2 string; messageExpression 3 string; reason 4 string presence; fieldPath 5 string; optionalOldSelf 6 boolean presence',
};

/** The kinds by apiVersion. */
export const definitionKinds: Readonly<Record<string, string>> = {
  'apiextensions.k8s.io/v1': `${group}.CustomResourceDefinition[]`,
};

/** The marks of fields whose value may also be of another type than that of the field. */
export const alternatives: Readonly<Record<string, NonNullable<Row['or']>>> = { orBoolean: 'boolean', orList: 'list' };
