import { bucketSourceOf, deliveryOf, isCopiedSource } from '../api/cache/delivery';
import type { CopiedSource } from '../api/cache/source';
import type { ModelCache } from '../api/model-cache';
import type { JsonObject } from '../manifest/kubernetes/manifest';

type Spec = ModelCache['spec'];

const HTTPS = 443;

/**
 * The addresses from which pods get their cloud identity. GKE: the metadata server, also with Dataplane V2 (GKE
 * documentation, "Network policy and Workload Identity Federation"). EKS: the agent of Pod Identity.
 */
const IDENTITY: Readonly<Record<'GCS' | 'S3', readonly JsonObject[]>> = {
  GCS: [toAddress('169.254.169.254', 80), toAddress('169.254.169.252', 988)],
  S3: [toAddress('169.254.170.23', 80)],
};

/** The rules of egress for copying each source. A NetworkPolicy knows no host names, so the port is all that limits. */
const COPY: Readonly<Record<CopiedSource, (spec: Spec) => readonly JsonObject[]>> = {
  HuggingFace: () => [toPort(HTTPS)],
  S3: ({ s3 }) => [...(s3?.secretRef ? [] : IDENTITY.S3), toPort(portOf(s3?.endpoint))],
  GCS: ({ gcs }) => [...(gcs?.secretRef ? [] : IDENTITY.GCS), toPort(HTTPS)],
  // The webhook of workload identity gives pods a token, which Entra ID exchanges.
  AzureBlob: () => [toPort(HTTPS)],
  HTTP: ({ http }) => [toPort(portOf(http?.url))],
};

/**
 * The rules of egress that a pod needs for a cache, where the user restricts egress: pods that stage files themselves,
 * and the sidecar of Cloud Storage FUSE. Other volumes are mounted by the node.
 */
export function cacheEgressOf({ spec }: ModelCache): readonly JsonObject[] {
  const { source } = spec;
  if (deliveryOf(spec) === 'PodDisk' && isCopiedSource(source)) return COPY[source](spec);
  return bucketSourceOf(spec) === 'GCS' ? COPY.GCS(spec) : [];
}

function portOf(url: string | undefined): number {
  if (url === undefined || !URL.canParse(url)) return HTTPS;
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'http:' ? 80 : HTTPS) : Number(port);
}

function toPort(port: number): JsonObject {
  return { ports: [{ protocol: 'TCP', port }] };
}

function toAddress(address: string, port: number): JsonObject {
  return { to: [{ ipBlock: { cidr: `${address}/32` } }], ...toPort(port) };
}
