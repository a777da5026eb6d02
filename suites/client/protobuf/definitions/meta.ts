// Definitions that all groups share: metadata, Status, discovery, references, reviews.

export const metaMessages = `
ObjectMeta: 1 name string; 2 generateName string; 3 namespace string; 4 selfLink string; 5 uid string;
  6 resourceVersion string; 7 generation int64; 8 creationTimestamp Time; 9 deletionTimestamp Time;
  10 deletionGracePeriodSeconds int64; 11 labels map string; 12 annotations map string;
  13 ownerReferences OwnerReference[]; 14 finalizers string[]; 15 clusterName string
OwnerReference: 1 kind string; 3 name string; 4 uid string; 5 apiVersion string; 6 controller bool;
  +7 blockOwnerDeletion bool
ListMeta: 1 selfLink string; 2 resourceVersion string; +3 continue string; +4 remainingItemCount int64
LabelSelector: 1 matchLabels map string; 2 matchExpressions LabelSelectorRequirement[]
LabelSelectorRequirement: 1 key string; 2 operator string; 3 values string[]
Status: 1 metadata ListMeta; 2 status string; 3 message string; 4 reason string; 5 details StatusDetails;
  6 code int32
StatusDetails: 1 name string; 2 group string; 3 kind string; 4 causes StatusCause[]; 5 retryAfterSeconds int32;
  +6 uid string
StatusCause: 1 reason string; 2 message string; 3 field string
DeleteOptions: 1 gracePeriodSeconds int64; 2 preconditions Preconditions; 3 orphanDependents bool;
  +4 propagationPolicy string; +5 dryRun string[]
Preconditions: 1 uid string; +2 resourceVersion string
WatchEvent: +1 type string; +2 object RawExtension
APIVersions: 1 versions string[]; 2 serverAddressByClientCIDRs ServerAddressByClientCIDR[]
ServerAddressByClientCIDR: 1 clientCIDR string; 2 serverAddress string
APIGroupList: 1 groups APIGroup[]
APIGroup: 1 name string; 2 versions GroupVersionForDiscovery[]; 3 preferredVersion GroupVersionForDiscovery;
  4 serverAddressByClientCIDRs ServerAddressByClientCIDR[]
GroupVersionForDiscovery: 1 groupVersion string; 2 version string
APIResourceList: 1 groupVersion string; 2 resources APIResource[]
APIResource: 1 name string; 2 namespaced bool; 3 kind string; +4 verbs Verbs; +5 shortNames string[];
  +6 singularName string; +7 categories string[]; +8 group string; +9 version string
Verbs: +1 items string[]
ObjectReference: 1 kind string; 2 namespace string; 3 name string; 4 uid string; 5 apiVersion string;
  6 resourceVersion string; 7 fieldPath string
LocalObjectReference: 1 name string
Binding: 1 metadata ObjectMeta; 2 target ObjectReference
Event: 1 metadata ObjectMeta; 2 involvedObject ObjectReference; 3 reason string; 4 message string;
  5 source EventSource; 6 firstTimestamp Time; 7 lastTimestamp Time; 8 count int32; 9 type string
EventSource: 1 component string; 2 host string
TokenReview: 1 metadata ObjectMeta; 2 spec TokenReviewSpec; 3 status TokenReviewStatus
TokenReviewSpec: 1 token string
TokenReviewStatus: 1 authenticated bool; 2 user UserInfo; 3 error string
SelfSubjectReview: +1 metadata ObjectMeta; +2 status SelfSubjectReviewStatus
SelfSubjectReviewStatus: +1 userInfo UserInfo
UserInfo: 1 username string; 2 uid string; 3 groups string[]; 4 extra map ExtraValue
ExtraValue: 1 items string[]
Eviction: 1 metadata ObjectMeta; 2 deleteOptions DeleteOptions
`;
