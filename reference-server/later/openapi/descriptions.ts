// What the documents say about the fields that all objects have.

/** What is said of a type and of its fields. */
interface Description {
  readonly type: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The fields of every kind besides its metadata. */
export const kindFields: Readonly<Record<string, string>> = {
  apiVersion: 'APIVersion defines the schema of the object: its group and version, such as apps/v1.',
  kind: 'Kind is the name of the type of the object. It never changes.',
};

/** A field of one of these types, in any object. */
export const fieldsOfType: Readonly<Record<string, string>> = {
  ListMeta: "Standard list's metadata: the version of the list, and where it goes on.",
  ObjectMeta: "Standard object's metadata: its name, its labels, and what the server records about it.",
};

/** The types by name. */
export const typeDescriptions: Readonly<Record<string, Description>> = {
  ListMeta: {
    type: 'ListMeta is the metadata of lists.',
    fields: {
      continue: 'Continue is a token that asks for the next page of the list. It is empty on the last page.',
      remainingItemCount: 'RemainingItemCount is how many objects follow after this page, if the server knows.',
      resourceVersion: 'ResourceVersion is the version of the list. A watch can start from it.',
      selfLink: 'SelfLink is the path of the list. Present servers leave it out.',
    },
  },
  ManagedFieldsEntry: {
    type: 'ManagedFieldsEntry says which fields a manager has set.',
    fields: {
      apiVersion: 'APIVersion is the version in which the fields are named.',
      fieldsType: 'FieldsType is the format of the fields: FieldsV1.',
      fieldsV1: 'FieldsV1 is the set of the fields, as a tree.',
      manager: 'Manager is the name of who has set the fields.',
      operation: 'Operation is how the fields were set: Apply or Update.',
      subresource: 'Subresource is the subresource by which the fields were set; empty for the object itself.',
      time: 'Time is when the manager last changed its fields.',
    },
  },
  ObjectMeta: {
    type: 'ObjectMeta is the metadata that every stored object has.',
    fields: {
      annotations: 'Annotations are notes of tools and users about the object. Nothing selects objects by them.',
      clusterName: 'ClusterName is the name of a cluster. Servers ignore it.',
      creationTimestamp: 'CreationTimestamp is a timestamp of the server: when the object was created.',
      deletionGracePeriodSeconds:
        'DeletionGracePeriodSeconds is how long the object may take to end, once it is deleted.',
      deletionTimestamp: 'DeletionTimestamp is when the object will be removed. Only a delete sets it.',
      finalizers: 'Finalizers keep a deleted object until those who have set them take them away.',
      generateName: 'GenerateName is the beginning of a name that the server makes, if the object has no name.',
      generation: 'Generation counts the changes of what the object asks for.',
      labels: 'Labels are names and values by which selectors find the object.',
      managedFields: 'ManagedFields says who has set which fields of the object.',
      name: 'Name tells the object from others of its resource in its namespace. It cannot be changed.',
      namespace: 'Namespace is where the object is. It is empty for objects of the whole cluster.',
      ownerReferences:
        'OwnerReferences are the objects that this one depends on. It is deleted after the last of them.',
      resourceVersion: 'ResourceVersion is the version of the object. Clients compare versions for equality only.',
      selfLink: 'SelfLink is the path of the object. Present servers leave it out.',
      uid: 'UID tells the object from all others, earlier ones of its name included.',
    },
  },
  OwnerReference: {
    type: 'OwnerReference names an object that others depend on, in their namespace or in the whole cluster.',
    fields: {
      apiVersion: 'APIVersion is the group and the version of the owner.',
      blockOwnerDeletion: 'BlockOwnerDeletion lets a deletion of the owner in the foreground wait for this object.',
      controller: 'Controller says that the owner manages this object. One owner at most does.',
      kind: 'Kind is the kind of the owner.',
      name: 'Name is the name of the owner.',
      uid: 'UID is the UID of the owner.',
    },
  },
};
