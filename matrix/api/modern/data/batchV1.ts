// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const batchV1 = {
  'batch.v1.CronJob': 'metadata 1 ObjectMeta; spec 2 batch.v1.CronJobSpec required; status 3 batch.v1.CronJobStatus',
  'batch.v1.CronJobSpec':
    'schedule 1 string required; timeZone 8 string presence; startingDeadlineSeconds 2 int64 presence; concurrencyPolicy 3 string; suspend 4 boolean presence; jobTemplate 5 batch.v1.JobTemplateSpec required; successfulJobsHistoryLimit 6 int32 presence; failedJobsHistoryLimit 7 int32 presence',
  'batch.v1.CronJobStatus':
    'active 1 []ObjectReference; lastScheduleTime 4 time presence; lastSuccessfulTime 5 time presence',
  'batch.v1.Job': 'metadata 1 ObjectMeta; spec 2 batch.v1.JobSpec; status 3 batch.v1.JobStatus',
  'batch.v1.JobCondition':
    'type 1 string required; status 2 string required; lastProbeTime 3 time; lastTransitionTime 4 time; reason 5 string; message 6 string',
  'batch.v1.JobSpec':
    'parallelism 1 int32 presence; completions 2 int32 presence; activeDeadlineSeconds 3 int64 presence; podFailurePolicy 11 batch.v1.PodFailurePolicy; successPolicy 16 batch.v1.SuccessPolicy; backoffLimit 7 int32 presence; backoffLimitPerIndex 12 int32 presence; maxFailedIndexes 13 int32 presence; selector 4 LabelSelector; manualSelector 5 boolean presence; template 6 PodTemplateSpec required; ttlSecondsAfterFinished 8 int32 presence; completionMode 9 string presence; suspend 10 boolean presence; podReplacementPolicy 14 string presence; managedBy 15 string presence',
  'batch.v1.JobStatus':
    'conditions 1 []batch.v1.JobCondition merge=type; startTime 2 time presence; completionTime 3 time presence; active 4 int32; succeeded 5 int32; failed 6 int32; terminating 11 int32 presence; completedIndexes 7 string; failedIndexes 10 string presence; uncountedTerminatedPods 8 batch.v1.UncountedTerminatedPods; ready 9 int32 presence',
  'batch.v1.JobTemplateSpec': 'metadata 1 ObjectMeta; spec 2 batch.v1.JobSpec',
  'batch.v1.PodFailurePolicy': 'rules 1 []batch.v1.PodFailurePolicyRule required',
  'batch.v1.PodFailurePolicyOnExitCodesRequirement':
    'containerName 1 string presence; operator 2 string required; values 3 []int32 required',
  'batch.v1.PodFailurePolicyOnPodConditionsPattern': 'type 1 string required; status 2 string',
  'batch.v1.PodFailurePolicyRule':
    'action 1 string required; onExitCodes 2 batch.v1.PodFailurePolicyOnExitCodesRequirement; onPodConditions 3 []batch.v1.PodFailurePolicyOnPodConditionsPattern',
  'batch.v1.SuccessPolicy': 'rules 1 []batch.v1.SuccessPolicyRule required',
  'batch.v1.SuccessPolicyRule': 'succeededIndexes 1 string presence; succeededCount 2 int32 presence',
  'batch.v1.UncountedTerminatedPods': 'succeeded 1 []string; failed 2 []string',
} as const;
