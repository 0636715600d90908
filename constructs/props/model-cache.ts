// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

import type { SecretReference } from './shared';
import type { KnownAwsRegion } from './known-names';
import type { ObjectReference } from '../object-reference';
import type { OneBlock } from '../one-block';

/** Properties of a `ModelCache`. Model files that are staged on clusters before engines read them. */
export type ModelCacheProps = OneBlock<
  ModelCacheFields,
  'source',
  {
    HuggingFace: 'huggingFace';
    S3: 's3';
    GCS: 'gcs';
    AzureBlob: 'azureBlob';
    HTTP: 'http';
    ExistingPVC: 'existingPVC';
    OCI: 'oci';
    ConfigMap: 'configMap';
    Inline: 'inline';
  }
>;

/** All fields of `ModelCacheProps`. */
export interface ModelCacheFields {
  /** The name, unique among resources of this kind and namespace.
   * @default the id of the construct */
  readonly name?: string | undefined;
  /** The namespace.
   * @default default */
  readonly namespace?: string | undefined;
  /** Labels, for selectors.
   * @default - none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations. They do not affect plans.
   * @default - none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** The source of the files. The block of the same name is required. */
  readonly source: 'HuggingFace' | 'S3' | 'GCS' | 'AzureBlob' | 'HTTP' | 'ExistingPVC' | 'OCI' | 'ConfigMap' | 'Inline';
  /** For source HuggingFace.
   * @default - none */
  readonly huggingFace?: HuggingFaceSource | undefined;
  /** For source S3.
   * @default - none */
  readonly s3?: S3Source | undefined;
  /** For source GCS.
   * @default - none */
  readonly gcs?: GcsSource | undefined;
  /** For source AzureBlob.
   * @default - none */
  readonly azureBlob?: AzureBlobSource | undefined;
  /** For source HTTP.
   * @default - none */
  readonly http?: HttpSource | undefined;
  /** For source ExistingPVC: files that exist already. Nothing is staged.
   * @default - none */
  readonly existingPVC?: ExistingPvcSource | undefined;
  /** For source OCI: an image that pods mount as a volume. Needs Kubernetes 1.35. Nothing is staged.
   * @default - none */
  readonly oci?: OciSource | undefined;
  /** For source ConfigMap: a ConfigMap that exists already.
   * @default - none */
  readonly configMap?: ConfigMapSource | undefined;
  /** For source Inline: small files, written in the manifest.
   * @default - none */
  readonly inline?: InlineSource | undefined;
  /** The content of the files. Model: engines load it as their model. LoRA: an adapter, for loraAdapters. Tokenizer and Bytes are only mounted.
   * @default Model */
  readonly content?: 'Model' | 'LoRA' | 'Tokenizer' | 'Bytes' | undefined;
  /** The storage of the files. SharedFilesystem: a volume that all nodes of a cluster mount. BlockDevice: a disk for each pod, or a snapshot that many nodes read. ObjectStorageMount: the bucket itself, which pods mount; nothing is staged. Sources that need no storage ignore it.
   * @default SharedFilesystem */
  readonly storage?: 'SharedFilesystem' | 'BlockDevice' | 'ObjectStorageMount' | undefined;
  /** For storage BlockDevice.
   * @default - none */
  readonly blockDevice?: CacheBlockDevice | undefined;
  /** The size of the volume on each cluster, in GiB. Allow twice the size of the files if they can change. The default startup budget of engines grows with it.
   * @default - none */
  readonly sizeGiB?: number | undefined;
  /** WherePlaced: stages on clusters with a replica that mounts it. Everywhere: stages on all clusters that clusterSelector selects.
   * @default WherePlaced, or Everywhere under modelplane.ai */
  readonly stage?: 'WherePlaced' | 'Everywhere' | undefined;
  /** The clusters that may have the cache.
   * @default all */
  readonly clusterSelector?: CacheClusterSelector | undefined;
  /** Files to stage, by path: '*.safetensors'. '*' matches any text, including slashes.
   * @default all */
  readonly include?: readonly string[] | undefined;
  /** Files to leave out, by path: 'original/*'. They take precedence over include.
   * @default - none */
  readonly exclude?: readonly string[] | undefined;
  /** For source HTTP: checks of the file.
   * @default - none */
  readonly verify?: CacheVerification | undefined;
  /** The path at which engines find the files.
   * @default /mnt/models */
  readonly mountPath?: string | undefined;
}

/** For source HuggingFace. */
export interface HuggingFaceSource {
  /** The repository: Qwen/Qwen3-8B. */
  readonly repo: string;
  /** A commit of 40 digits, which never changes, or a branch or tag, which can.
   * @default the default branch of the repository */
  readonly revision?: string | undefined;
  /** The Secret with the token for a gated repository, in the namespace of the cache. Default key: HF_TOKEN.
   * @default - none */
  readonly authSecret?: HuggingFaceSecret | undefined;
  /** The same as spec.sizeGiB, at the place that modelplane.ai uses. If both are set, they must be equal.
   * @default - none */
  readonly sizeGiB?: number | undefined;
}

/** The Secret with the token for a gated repository, in the namespace of the cache. Default key: HF_TOKEN. */
export interface HuggingFaceSecret {
  /** The name of the Secret. */
  readonly name: ObjectReference | string;
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
  readonly region?: KnownAwsRegion | (string & {}) | undefined;
  /** The address of an S3-compatible store, inside or outside the cluster: https://minio.example.com.
   * @default AWS */
  readonly endpoint?: string | undefined;
  /** The Secret with the keys access_key and secret_key, in the namespace of the cache.
   * @default the cloud identity of the pod */
  readonly secretRef?: SecretReference | undefined;
  /** The ServiceAccount whose cloud identity may read the bucket, in the namespace of the cache.
   * @default default */
  readonly serviceAccountName?: ObjectReference | string | undefined;
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
  readonly serviceAccountName?: ObjectReference | string | undefined;
}

/** The Secret with the key of a Google service account, in the namespace of the cache. */
export interface GcsSecret {
  /** The name of the Secret. */
  readonly name: ObjectReference | string;
  /** The key in the Secret.
   * @default key.json */
  readonly key?: string | undefined;
}

/** For source AzureBlob. */
export interface AzureBlobSource {
  /** A container and a folder in it, or one blob: https://ACCOUNT.blob.core.windows.net/models/qwen3-8b. */
  readonly uri: string;
  /** The resource ID of the storage account. A stack that creates a cluster on AKS then creates an identity that may read the container, and a ServiceAccount for it.
   * @default no identity is created */
  readonly storageAccountId?: string | undefined;
  /** The Secret with a key of the storage account, in the namespace of the cache. Default key: azurestorageaccountkey.
   * @default the workload identity of the pod */
  readonly secretRef?: AzureBlobSecret | undefined;
  /** The ServiceAccount whose workload identity may read the container, in the namespace of the cache.
   * @default default */
  readonly serviceAccountName?: ObjectReference | string | undefined;
}

/** The Secret with a key of the storage account, in the namespace of the cache. Default key: azurestorageaccountkey. */
export interface AzureBlobSecret {
  /** The name of the Secret. */
  readonly name: ObjectReference | string;
  /** The key in the Secret.
   * @default azurestorageaccountkey */
  readonly key?: string | undefined;
}

/** For source HTTP. */
export interface HttpSource {
  /** The address of one file: https://example.com/adapter.safetensors. */
  readonly url: string;
  /** The name of the file in the cache.
   * @default the last part of the path of the address */
  readonly fileName?: string | undefined;
  /** The Secret with the value of the header Authorization, in the namespace of the cache. Default key: Authorization.
   * @default - none */
  readonly secretRef?: HttpSecret | undefined;
}

/** The Secret with the value of the header Authorization, in the namespace of the cache. Default key: Authorization. */
export interface HttpSecret {
  /** The name of the Secret. */
  readonly name: ObjectReference | string;
  /** The key in the Secret.
   * @default Authorization */
  readonly key?: string | undefined;
}

/** For source ExistingPVC: files that exist already. Nothing is staged. */
export interface ExistingPvcSource {
  /** The PersistentVolumeClaim, in the namespace of the cache, on each cluster. */
  readonly claimName: ObjectReference | string;
  /** The folder of the volume that is mounted: models/qwen3-8b.
   * @default all of it */
  readonly path?: string | undefined;
}

/** For source OCI: an image that pods mount as a volume. Needs Kubernetes 1.35. Nothing is staged. */
export interface OciSource {
  /** The image whose files are mounted: registry.example.com/models/qwen3-8b@sha256:... A tag can change, a digest cannot. */
  readonly image: string;
  /** The folder of the image that is mounted: models.
   * @default all of it */
  readonly path?: string | undefined;
  /** When the image is pulled.
   * @default Always with the tag latest, else IfNotPresent */
  readonly pullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
  /** The Secret for a private registry, in the namespace of the cache.
   * @default the identity of the node and the imagePullSecrets of the engine */
  readonly pullSecretRef?: SecretReference | undefined;
}

/** For source ConfigMap: a ConfigMap that exists already. */
export interface ConfigMapSource {
  /** The ConfigMap, in the namespace of the cache, on each cluster. */
  readonly name: ObjectReference | string;
  /** The keys that are mounted.
   * @default all keys, each as the file of its name */
  readonly items?: readonly CacheFile[] | undefined;
}

/** Used in `ConfigMapSource.items`. */
export interface CacheFile {
  /** The key of the ConfigMap. */
  readonly key: string;
  /** The file in the cache: tokenizer.json. */
  readonly path: string;
}

/** For source Inline: small files, written in the manifest. */
export interface InlineSource {
  /** The text of each file, by name: at most 1 MiB in total. Manifests contain it, so it must not contain secrets. */
  readonly files: Readonly<Record<string, string>>;
}

/** For storage BlockDevice. */
export interface CacheBlockDevice {
  /** A snapshot of a disk with the files, of which each cluster makes a volume that many nodes read. Nothing is staged.
   * @default a disk for each pod, onto which an init container stages the files */
  readonly snapshot?: Snapshot | undefined;
}

/** A snapshot of a disk with the files, of which each cluster makes a volume that many nodes read. Nothing is staged. */
export interface Snapshot {
  /** The VolumeSnapshot, in the namespace of the cache, on each cluster. */
  readonly name: string;
  /** The folder of the volume that is mounted.
   * @default all of it */
  readonly path?: string | undefined;
}

/** The clusters that may have the cache. */
export interface CacheClusterSelector {
  /** Labels that must exist with these values.
   * @default - none */
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
}

/** For source HTTP: checks of the file. */
export interface CacheVerification {
  /** The SHA-256 checksum of the file, in lowercase hexadecimal digits. */
  readonly sha256: string;
}
