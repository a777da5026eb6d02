// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const appsV1 = {
  'apps.v1.ControllerRevision': 'metadata 1 ObjectMeta; data 2 raw; revision 3 int64 required',
  'apps.v1.DaemonSet': 'metadata 1 ObjectMeta; spec 2 apps.v1.DaemonSetSpec; status 3 apps.v1.DaemonSetStatus',
  'apps.v1.DaemonSetCondition':
    'type 1 string required; status 2 string required; lastTransitionTime 3 time; reason 4 string; message 5 string',
  'apps.v1.DaemonSetSpec':
    'selector 1 LabelSelector required; template 2 PodTemplateSpec required; updateStrategy 3 apps.v1.DaemonSetUpdateStrategy; minReadySeconds 4 int32; revisionHistoryLimit 6 int32 presence',
  'apps.v1.DaemonSetStatus':
    'currentNumberScheduled 1 int32 required; numberMisscheduled 2 int32 required; desiredNumberScheduled 3 int32 required; numberReady 4 int32 required; observedGeneration 5 int64; updatedNumberScheduled 6 int32; numberAvailable 7 int32; numberUnavailable 8 int32; collisionCount 9 int32 presence; conditions 10 []apps.v1.DaemonSetCondition merge=type',
  'apps.v1.DaemonSetUpdateStrategy': 'type 1 string; rollingUpdate 2 apps.v1.RollingUpdateDaemonSet',
  'apps.v1.Deployment': 'metadata 1 ObjectMeta; spec 2 apps.v1.DeploymentSpec; status 3 apps.v1.DeploymentStatus',
  'apps.v1.DeploymentCondition':
    'type 1 string required; status 2 string required; lastUpdateTime 6 time; lastTransitionTime 7 time; reason 4 string; message 5 string',
  'apps.v1.DeploymentSpec':
    'replicas 1 int32 presence; selector 2 LabelSelector required; template 3 PodTemplateSpec required; strategy 4 apps.v1.DeploymentStrategy retainKeys; minReadySeconds 5 int32; revisionHistoryLimit 6 int32 presence; paused 7 boolean; progressDeadlineSeconds 9 int32 presence',
  'apps.v1.DeploymentStatus':
    'observedGeneration 1 int64; replicas 2 int32; updatedReplicas 3 int32; readyReplicas 7 int32; availableReplicas 4 int32; unavailableReplicas 5 int32; terminatingReplicas 9 int32 presence; conditions 6 []apps.v1.DeploymentCondition merge=type; collisionCount 8 int32 presence',
  'apps.v1.DeploymentStrategy': 'type 1 string; rollingUpdate 2 apps.v1.RollingUpdateDeployment',
  'apps.v1.ReplicaSet': 'metadata 1 ObjectMeta; spec 2 apps.v1.ReplicaSetSpec; status 3 apps.v1.ReplicaSetStatus',
  'apps.v1.ReplicaSetCondition':
    'type 1 string required; status 2 string required; lastTransitionTime 3 time; reason 4 string; message 5 string',
  'apps.v1.ReplicaSetSpec':
    'replicas 1 int32 presence; minReadySeconds 4 int32; selector 2 LabelSelector required; template 3 PodTemplateSpec',
  'apps.v1.ReplicaSetStatus':
    'replicas 1 int32 required; fullyLabeledReplicas 2 int32; readyReplicas 4 int32; availableReplicas 5 int32; terminatingReplicas 7 int32 presence; observedGeneration 3 int64; conditions 6 []apps.v1.ReplicaSetCondition merge=type',
  'apps.v1.RollingUpdateDaemonSet': 'maxUnavailable 1 intOrString; maxSurge 2 intOrString',
  'apps.v1.RollingUpdateDeployment': 'maxUnavailable 1 intOrString; maxSurge 2 intOrString',
  'apps.v1.RollingUpdateStatefulSetStrategy': 'partition 1 int32 presence; maxUnavailable 2 intOrString',
  'apps.v1.StatefulSet': 'metadata 1 ObjectMeta; spec 2 apps.v1.StatefulSetSpec; status 3 apps.v1.StatefulSetStatus',
  'apps.v1.StatefulSetCondition':
    'type 1 string required; status 2 string required; lastTransitionTime 3 time; reason 4 string; message 5 string',
  'apps.v1.StatefulSetOrdinals': 'start 1 int32 presence',
  'apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy': 'whenDeleted 1 string; whenScaled 2 string',
  'apps.v1.StatefulSetSpec':
    'replicas 1 int32 presence; selector 2 LabelSelector required; template 3 PodTemplateSpec required; volumeClaimTemplates 4 []PersistentVolumeClaim; serviceName 5 string; podManagementPolicy 6 string; updateStrategy 7 apps.v1.StatefulSetUpdateStrategy; revisionHistoryLimit 8 int32 presence; minReadySeconds 9 int32; persistentVolumeClaimRetentionPolicy 10 apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy; ordinals 11 apps.v1.StatefulSetOrdinals',
  'apps.v1.StatefulSetStatus':
    'observedGeneration 1 int64; replicas 2 int32 required; readyReplicas 3 int32; currentReplicas 4 int32; updatedReplicas 5 int32; currentRevision 6 string; updateRevision 7 string; collisionCount 9 int32 presence; conditions 10 []apps.v1.StatefulSetCondition merge=type; availableReplicas 11 int32 presence',
  'apps.v1.StatefulSetUpdateStrategy': 'type 1 string; rollingUpdate 2 apps.v1.RollingUpdateStatefulSetStrategy',
} as const;
