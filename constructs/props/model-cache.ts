// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

import type { SecretReference } from './shared';

/** Properties of a `ModelCache`. Model files that are staged on clusters before engines read them. */
export interface ModelCacheProps {
  /** The name, unique among resources of this kind and namespace.
   * @default the id of the construct */
  readonly name?: string | undefined;
  /** The namespace.
   * @default default */
  readonly namespace?: string | undefined;
  /** Labels, for selectors.
   * @default - none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations. Nothing is decided by them.
   * @default - none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Where the files come from. The block of the same name is required. */
  readonly source: 'HuggingFace' | 'S3' | 'GCS' | 'HTTP' | 'ExistingPVC';
  /** For source HuggingFace.
   * @default - none */
  readonly huggingFace?: HuggingFaceSource | undefined;
  /** For source S3.
   * @default - none */
  readonly s3?: S3Source | undefined;
  /** For source GCS.
   * @default - none */
  readonly gcs?: GcsSource | undefined;
  /** For source HTTP.
   * @default - none */
  readonly http?: HttpSource | undefined;
  /** For source ExistingPVC: files that are there already. Nothing is staged.
   * @default - none */
  readonly existingPVC?: ExistingPvcSource | undefined;
  /** What the files are. Model: engines get it as their model. LoRA: an adapter, for loraAdapters. Tokenizer and Bytes are only mounted.
   * @default Model */
  readonly content?: 'Model' | 'LoRA' | 'Tokenizer' | 'Bytes' | undefined;
  /** The storage of the files. SharedFilesystem: a volume that all nodes of a cluster mount.
   * @default SharedFilesystem */
  readonly storage?: 'SharedFilesystem' | undefined;
  /** The size of the volume on each cluster, in GiB. Twice that of the files lets them change.
   * @default - none */
  readonly sizeGiB?: number | undefined;
  /** WherePlaced: on clusters with a replica that mounts it. Everywhere: on all that clusterSelector selects.
   * @default WherePlaced, or Everywhere under modelplane.ai */
  readonly stage?: 'WherePlaced' | 'Everywhere' | undefined;
  /** Clusters that the cache may be on.
   * @default all */
  readonly clusterSelector?: CacheClusterSelector | undefined;
  /** Files to stage, by path: '*.safetensors'. '*' matches any text, including slashes.
   * @default all */
  readonly include?: readonly string[] | undefined;
  /** Files to leave out, by path: 'original/*'. They win over include.
   * @default - none */
  readonly exclude?: readonly string[] | undefined;
  /** For source HTTP: what the file must be.
   * @default - none */
  readonly verify?: CacheVerification | undefined;
  /** Where engines find the files.
   * @default /mnt/models */
  readonly mountPath?: string | undefined;
}

/** For source HuggingFace. */
export interface HuggingFaceSource {
  /** The repository: Qwen/Qwen3-8B. */
  readonly repo: string;
  /** A commit of 40 digits, which never changes, or a branch or tag, which may.
   * @default the repository's own */
  readonly revision?: string | undefined;
  /** The Secret with the token for a gated repository, in the namespace of the cache. Default key: HF_TOKEN.
   * @default - none */
  readonly authSecret?: HuggingFaceSecret | undefined;
  /** The same as spec.sizeGiB, where modelplane.ai has it. If both are set, they must be equal.
   * @default - none */
  readonly sizeGiB?: number | undefined;
}

/** The Secret with the token for a gated repository, in the namespace of the cache. Default key: HF_TOKEN. */
export interface HuggingFaceSecret {
  /** The name of the Secret. */
  readonly name: string;
  /** The key in the Secret.
   * @default HF_TOKEN */
  readonly key?: string | undefined;
}

/** For source S3. */
export interface S3Source {
  /** A bucket and a folder in it, or one object: s3://models/qwen3-8b. */
  readonly uri: string;
  /** The region of the bucket: us-east-1.
   * @default - none */
  readonly region?: string | undefined;
  /** A store that is not that of AWS, which may be in the cluster: https://minio.example.com.
   * @default that of AWS */
  readonly endpoint?: string | undefined;
  /** The Secret with the keys access_key and secret_key, in the namespace of the cache.
   * @default the cloud identity of the pod */
  readonly secretRef?: SecretReference | undefined;
  /** The ServiceAccount whose cloud identity may read the bucket, in the namespace of the cache.
   * @default default */
  readonly serviceAccountName?: string | undefined;
}

/** For source GCS. */
export interface GcsSource {
  /** A bucket and a folder in it, or one object: gs://models/qwen3-8b. */
  readonly uri: string;
  /** The Secret with the key of a Google service account, in the namespace of the cache.
   * @default the cloud identity of the pod */
  readonly secretRef?: GcsSecret | undefined;
  /** The ServiceAccount whose cloud identity may read the bucket, in the namespace of the cache.
   * @default default */
  readonly serviceAccountName?: string | undefined;
}

/** The Secret with the key of a Google service account, in the namespace of the cache. */
export interface GcsSecret {
  /** The name of the Secret. */
  readonly name: string;
  /** The key in the Secret.
   * @default key.json */
  readonly key?: string | undefined;
}

/** For source HTTP. */
export interface HttpSource {
  /** The address of one file: https://example.com/adapter.safetensors. */
  readonly url: string;
  /** What the file is called in the cache.
   * @default the last part of the path of the address */
  readonly fileName?: string | undefined;
  /** The Secret with the value of the header Authorization, in the namespace of the cache. Default key: Authorization.
   * @default - none */
  readonly secretRef?: HttpSecret | undefined;
}

/** The Secret with the value of the header Authorization, in the namespace of the cache. Default key: Authorization. */
export interface HttpSecret {
  /** The name of the Secret. */
  readonly name: string;
  /** The key in the Secret.
   * @default Authorization */
  readonly key?: string | undefined;
}

/** For source ExistingPVC: files that are there already. Nothing is staged. */
export interface ExistingPvcSource {
  /** The PersistentVolumeClaim, in the namespace of the cache, on each cluster. */
  readonly claimName: string;
  /** The folder of the volume that is mounted: models/qwen3-8b.
   * @default all of it */
  readonly path?: string | undefined;
}

/** Clusters that the cache may be on. */
export interface CacheClusterSelector {
  /** Labels that must be there with these values.
   * @default - none */
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
}

/** For source HTTP: what the file must be. */
export interface CacheVerification {
  /** The SHA-256 checksum of the file, in lowercase hexadecimal digits. */
  readonly sha256: string;
}
