import type { Manifest } from '../src/render/manifest';

/** Kinds for which the provider waits, unless it is told not to: a Service, for example, for its first ready pod. */
const AWAITED: ReadonlySet<string> = new Set([
  'DaemonSet',
  'Deployment',
  'Job',
  'PersistentVolumeClaim',
  'Pod',
  'Service',
  'StatefulSet',
]);

/** An object for which the provider does not wait until it is ready. */
export function withoutWaiting(manifest: Manifest): Manifest {
  if (!AWAITED.has(manifest.kind)) return manifest;
  const { metadata } = manifest;
  const annotations = { ...metadata.annotations, 'pulumi.com/skipAwait': 'true' };
  return { ...manifest, metadata: { ...metadata, annotations } };
}
