// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const resourceV1 = {
  'resource.v1.AllocatedDeviceStatus':
    'driver 1 string required; pool 2 string required; device 3 string required; shareID 7 string presence; conditions 4 []Condition; data 5 raw; networkData 6 resource.v1.NetworkDeviceData',
  'resource.v1.AllocationResult':
    'devices 1 resource.v1.DeviceAllocationResult; nodeSelector 3 NodeSelector; allocationTimestamp 5 time presence',
  'resource.v1.CELDeviceSelector': 'expression 1 string required',
  'resource.v1.CapacityRequestPolicy':
    'default 1 quantity; validValues 3 []quantity; validRange 4 resource.v1.CapacityRequestPolicyRange',
  'resource.v1.CapacityRequestPolicyRange': 'min 1 quantity required; max 2 quantity; step 3 quantity',
  'resource.v1.CapacityRequirements': 'requests 1 {}quantity',
  'resource.v1.Counter': 'value 1 quantity required',
  'resource.v1.CounterSet': 'name 1 string required; counters 2 {}resource.v1.Counter required',
  'resource.v1.Device':
    'name 1 string required; attributes 2 {}resource.v1.DeviceAttribute; capacity 3 {}resource.v1.DeviceCapacity; consumesCounters 4 []resource.v1.DeviceCounterConsumption; nodeName 5 string presence; nodeSelector 6 NodeSelector; allNodes 7 boolean presence; taints 8 []resource.v1.DeviceTaint; bindsToNode 9 boolean presence; bindingConditions 10 []string; bindingFailureConditions 11 []string; allowMultipleAllocations 12 boolean presence; nodeAllocatableResourceMappings 13 {}resource.v1.NodeAllocatableResourceMapping',
  'resource.v1.DeviceAllocationConfiguration':
    'source 1 string required; requests 2 []string; deviceConfiguration 3 resource.v1.DeviceConfiguration inlined',
  'resource.v1.DeviceAllocationResult':
    'results 1 []resource.v1.DeviceRequestAllocationResult; config 2 []resource.v1.DeviceAllocationConfiguration',
  'resource.v1.DeviceAttribute':
    'int 2 int64 presence; bool 3 boolean presence; string 4 string presence; version 5 string presence; ints 6 []int64; bools 7 []boolean; strings 8 []string; versions 9 []string',
  'resource.v1.DeviceCapacity': 'value 1 quantity required; requestPolicy 2 resource.v1.CapacityRequestPolicy',
  'resource.v1.DeviceClaim':
    'requests 1 []resource.v1.DeviceRequest; constraints 2 []resource.v1.DeviceConstraint; config 3 []resource.v1.DeviceClaimConfiguration',
  'resource.v1.DeviceClaimConfiguration':
    'requests 1 []string; deviceConfiguration 2 resource.v1.DeviceConfiguration inlined',
  'resource.v1.DeviceClass': 'metadata 1 ObjectMeta; spec 2 resource.v1.DeviceClassSpec required',
  'resource.v1.DeviceClassConfiguration': 'deviceConfiguration 1 resource.v1.DeviceConfiguration inlined',
  'resource.v1.DeviceClassSpec':
    'selectors 1 []resource.v1.DeviceSelector; config 2 []resource.v1.DeviceClassConfiguration; extendedResourceName 4 string presence',
  'resource.v1.DeviceConfiguration': 'opaque 1 resource.v1.OpaqueDeviceConfiguration',
  'resource.v1.DeviceConstraint':
    'requests 1 []string; matchAttribute 2 string presence; distinctAttribute 3 string presence',
  'resource.v1.DeviceCounterConsumption': 'counterSet 1 string required; counters 2 {}resource.v1.Counter required',
  'resource.v1.DeviceRequest':
    'name 1 string required; exactly 2 resource.v1.ExactDeviceRequest; firstAvailable 3 []resource.v1.DeviceSubRequest',
  'resource.v1.DeviceRequestAllocationResult':
    'request 1 string required; driver 2 string required; pool 3 string required; device 4 string required; adminAccess 5 boolean presence; tolerations 6 []resource.v1.DeviceToleration; bindingConditions 7 []string; bindingFailureConditions 8 []string; shareID 9 string presence; consumedCapacity 10 {}quantity',
  'resource.v1.DeviceSelector': 'cel 1 resource.v1.CELDeviceSelector',
  'resource.v1.DeviceSubRequest':
    'name 1 string required; deviceClassName 2 string required; selectors 3 []resource.v1.DeviceSelector; allocationMode 4 string; count 5 int64; tolerations 6 []resource.v1.DeviceToleration; capacity 7 resource.v1.CapacityRequirements',
  'resource.v1.DeviceTaint':
    'key 1 string required; value 2 string; effect 3 string required; timeAdded 4 time presence',
  'resource.v1.DeviceToleration':
    'key 1 string; operator 2 string; value 3 string; effect 4 string; tolerationSeconds 5 int64 presence',
  'resource.v1.ExactDeviceRequest':
    'deviceClassName 1 string required; selectors 2 []resource.v1.DeviceSelector; allocationMode 3 string; count 4 int64; adminAccess 5 boolean presence; tolerations 6 []resource.v1.DeviceToleration; capacity 7 resource.v1.CapacityRequirements',
  'resource.v1.NetworkDeviceData': 'interfaceName 1 string; ips 2 []string; hardwareAddress 3 string',
  'resource.v1.NodeAllocatableResourceMapping': 'capacityKey 1 string presence; allocationMultiplier 2 quantity',
  'resource.v1.OpaqueDeviceConfiguration': 'driver 1 string required; parameters 2 raw required',
  'resource.v1.ResourceClaim':
    'metadata 1 ObjectMeta; spec 2 resource.v1.ResourceClaimSpec required; status 3 resource.v1.ResourceClaimStatus',
  'resource.v1.ResourceClaimConsumerReference':
    'apiGroup 1 string; resource 3 string required; name 4 string required; uid 5 string required',
  'resource.v1.ResourceClaimSpec': 'devices 1 resource.v1.DeviceClaim',
  'resource.v1.ResourceClaimStatus':
    'allocation 1 resource.v1.AllocationResult; reservedFor 2 []resource.v1.ResourceClaimConsumerReference merge=uid; devices 4 []resource.v1.AllocatedDeviceStatus',
  'resource.v1.ResourceClaimTemplate': 'metadata 1 ObjectMeta; spec 2 resource.v1.ResourceClaimTemplateSpec required',
  'resource.v1.ResourceClaimTemplateSpec': 'metadata 1 ObjectMeta; spec 2 resource.v1.ResourceClaimSpec required',
  'resource.v1.ResourcePool':
    'name 1 string required; generation 2 int64 required; resourceSliceCount 3 int64 required',
  'resource.v1.ResourceSlice': 'metadata 1 ObjectMeta; spec 2 resource.v1.ResourceSliceSpec required',
  'resource.v1.ResourceSliceSpec':
    'driver 1 string required; pool 2 resource.v1.ResourcePool required; nodeName 3 string presence; nodeSelector 4 NodeSelector; allNodes 5 boolean presence; devices 6 []resource.v1.Device; perDeviceNodeSelection 7 boolean presence; sharedCounters 8 []resource.v1.CounterSet',
} as const;
