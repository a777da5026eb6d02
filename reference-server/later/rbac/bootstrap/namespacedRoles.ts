// The first Roles, each with its namespace, as Kubernetes 1.34 has them.
export const namespacedRoles = `
kube-public/system:controller:bootstrap-signer
  read | core | configmaps
  update | core | configmaps | cluster-info
  events
kube-system/extension-apiserver-authentication-reader
  read | core | configmaps | extension-apiserver-authentication
kube-system/system::leader-locking-kube-controller-manager
  create get list update watch | coordination.k8s.io | leases
  create get list update watch | coordination.k8s.io | leasecandidates
kube-system/system::leader-locking-kube-scheduler
  create get list update watch | coordination.k8s.io | leases
  create get list update watch | coordination.k8s.io | leasecandidates
kube-system/system:controller:bootstrap-signer
  read | core | secrets
kube-system/system:controller:cloud-provider
  create get list watch | core | configmaps
kube-system/system:controller:token-cleaner
  delete get list watch | core | secrets
  events
`;
