// CustomResourceDefinitions as code reads them. Their types are written by hand, since `ObjectOf` does not know the kind.
import { isRecord, type KubeObject, part } from '../../schema/object.js';
import type { WebhookConversion } from './conversionReviews.js';
import type { StructuralSchema } from './structuralSchema.js';

export const definitionsId = 'apiextensions.k8s.io/customresourcedefinitions';

export interface DefinitionNames {
  readonly plural: string;
  readonly kind: string;
  readonly singular?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

export interface ScaleSubresource {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: StructuralSchema };
  readonly subresources?: { readonly status?: object; readonly scale?: ScaleSubresource };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

export interface DefinitionSpec {
  readonly group: string;
  readonly scope: string;
  readonly names: DefinitionNames;
  readonly versions: readonly DefinitionVersion[];
  readonly preserveUnknownFields?: boolean;
  readonly conversion?: { readonly strategy: string; readonly webhook?: WebhookConversion };
}

export interface DefinitionCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export interface DefinitionStatus {
  readonly conditions?: readonly DefinitionCondition[];
  readonly acceptedNames?: DefinitionNames;
  readonly storedVersions?: readonly string[];
}

/** Returns the spec of a definition. A stored one may be damaged: what it lacks is empty. */
export function definitionSpecOf(definition: KubeObject): DefinitionSpec {
  const spec = part<Partial<DefinitionSpec>>(definition, 'spec');
  if (isRecord(spec.names) && Array.isArray(spec.versions)) return spec as DefinitionSpec;
  const names = isRecord(spec.names) ? (spec.names as DefinitionNames) : { plural: '', kind: '' };
  return { group: '', scope: '', ...spec, names, versions: Array.isArray(spec.versions) ? spec.versions : [] };
}

/** Returns the status of a definition. A stored one may be damaged: what cannot be read is absent. */
export function definitionStatusOf(definition: KubeObject): DefinitionStatus {
  const status = part<DefinitionStatus>(definition, 'status');
  const { conditions = [], acceptedNames, ...others } = status;
  const isRead =
    Array.isArray(conditions) && conditions.every(isRecord) && (acceptedNames === undefined || areNames(acceptedNames));
  if (isRead) return status;
  return {
    ...others,
    conditions: Array.isArray(conditions) ? (conditions as DefinitionCondition[]).filter(isRecord) : [],
    ...(areNames(acceptedNames) && { acceptedNames }),
  };
}

function areNames(value: unknown): value is DefinitionNames {
  if (!isRecord(value)) return false;
  const { shortNames = [], categories = [] } = value as Partial<DefinitionNames>;
  return Array.isArray(shortNames) && Array.isArray(categories);
}

export function isTrue(definition: KubeObject, type: string): boolean {
  return definitionStatusOf(definition).conditions?.some((one) => one.type === type && one.status === 'True') === true;
}

/** The finalizer of a definition, which holds it until its objects are deleted. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';
