// The types of Kubernetes objects, with the fields that the agent uses.

type StringMap = Readonly<Record<string, string>>;

/** The fields that every object has. */
export interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
}

interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
  readonly deletionTimestamp?: string;
  /** In seconds. */
  readonly deletionGracePeriodSeconds?: number;
}

export interface ConfigMap {
  readonly data?: StringMap;
  /** In base64. */
  readonly binaryData?: StringMap;
}

export interface Secret {
  /** In base64. */
  readonly data?: StringMap;
}

export interface Node extends ApiObject {
  readonly spec?: { readonly unschedulable?: boolean; readonly taints?: readonly Taint[] };
  readonly status?: { readonly allocatable?: StringMap; readonly conditions?: readonly Condition[] };
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export interface Pod extends ApiObject {
  readonly spec: PodSpec;
  readonly status?: PodStatus;
}

export interface PodSpec {
  readonly nodeName?: string;
  readonly nodeSelector?: StringMap;
  readonly affinity?: {
    readonly nodeAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: {
        readonly nodeSelectorTerms?: readonly NodeSelectorTerm[];
      };
    };
  };
  readonly tolerations?: readonly Toleration[];
  readonly schedulingGates?: readonly object[];
  readonly overhead?: StringMap;
  readonly schedulerName?: string;
  readonly hostname?: string;
  readonly hostNetwork?: boolean;
  readonly restartPolicy?: RestartPolicy;
  /** In seconds. */
  readonly terminationGracePeriodSeconds?: number;
  /** The time after the start at which the pod fails, in seconds. */
  readonly activeDeadlineSeconds?: number;
  readonly serviceAccountName?: string;
  readonly volumes?: readonly Volume[];
  readonly initContainers?: readonly ContainerSpec[];
  readonly ephemeralContainers?: readonly ContainerSpec[];
  readonly containers: readonly ContainerSpec[];
}

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  readonly matchFields?: readonly NodeSelectorRequirement[];
}

export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

export interface ContainerSpec {
  readonly name: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly tty?: boolean;
  readonly ports?: readonly {
    readonly containerPort: number;
    readonly hostPort?: number;
    readonly protocol?: string;
  }[];
  readonly resources?: {
    readonly requests?: StringMap;
    readonly limits?: StringMap;
  };
  /** Always for an init container that keeps running: a sidecar. */
  readonly restartPolicy?: string;
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly {
    readonly prefix?: string;
    readonly configMapRef?: Reference;
    readonly secretRef?: Reference;
  }[];
  readonly volumeMounts?: readonly {
    readonly name: string;
    readonly mountPath: string;
    readonly subPath?: string;
    readonly readOnly?: boolean;
  }[];
}

interface Reference {
  readonly name?: string;
  readonly optional?: boolean;
}

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: FieldReference;
    readonly configMapKeyRef?: Reference & { readonly key: string };
    readonly secretKeyRef?: Reference & { readonly key: string };
  };
}

interface FieldReference {
  readonly fieldPath: string;
}

interface Items {
  readonly items?: readonly { readonly key: string; readonly path: string; readonly mode?: number }[];
  readonly optional?: boolean;
}

interface DownwardItems {
  readonly items?: readonly { readonly path: string; readonly fieldRef?: FieldReference }[];
}

/** The source of the files in a volume. A volume with an unknown source is an empty directory. */
export interface VolumeSource {
  readonly configMap?: Items & { readonly name?: string };
  readonly secret?: Items & { readonly secretName?: string; readonly name?: string };
  readonly downwardAPI?: DownwardItems;
  readonly serviceAccountToken?: {
    readonly path: string;
    readonly audience?: string;
    readonly expirationSeconds?: number;
  };
}

export interface Volume extends VolumeSource {
  readonly name: string;
  readonly projected?: { readonly sources?: readonly VolumeSource[] };
}

export interface PodStatus {
  readonly phase?: PodPhase;
  readonly reason?: string;
  readonly message?: string;
  readonly conditions?: readonly Condition[];
  readonly hostIP?: string;
  readonly podIP?: string;
  readonly startTime?: string;
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
}

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface ContainerStatus {
  readonly name: string;
  readonly image: string;
  readonly imageID: string;
  readonly containerID?: string;
  readonly ready: boolean;
  readonly started?: boolean;
  readonly restartCount: number;
  readonly state: ContainerState;
  readonly lastState: ContainerState;
}

export interface ContainerState {
  readonly waiting?: { readonly reason: string; readonly message?: string };
  readonly running?: { readonly startedAt: string };
  readonly terminated?: {
    readonly exitCode: number;
    readonly signal?: number;
    readonly reason: string;
    readonly message?: string;
    readonly startedAt: string | null;
    readonly finishedAt: string | null;
    readonly containerID?: string;
  };
}
