// The options of the storages that outlive the server, named as those of kube-apiserver. The flags have the same names.

/** A storage on etcd, which several servers can share. */
export interface EtcdOptions {
  /** `--etcd-servers`: the URLs of the members, separated by commas. */
  readonly etcdServers?: string;
  /** `--etcd-prefix`: the first part of all keys; `/kube-api-conformance` by default. */
  readonly etcdPrefix?: string;
  /** `--etcd-cafile`: PEM, the certificate authorities of the members. */
  readonly etcdCafile?: string;
  /** `--etcd-certfile` and `--etcd-keyfile`: PEM, the client certificate for etcd and its key. */
  readonly etcdCertfile?: string;
  readonly etcdKeyfile?: string;
  /** `--etcd-compaction-interval`: how often etcd forgets old revisions, such as `10m`; `5m` by default, `0` is never. */
  readonly etcdCompactionInterval?: string;
}

/** By default, objects are only in memory. */
export interface StorageOptions extends EtcdOptions {
  /** `--data-dir`: the directory of the objects. It requires the packages `lmdb` and `fs-native-extensions`. */
  readonly dataDir?: string;
}
