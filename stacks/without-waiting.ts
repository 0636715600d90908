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
  return AWAITED.has(manifest.kind) ? annotated(manifest, { 'pulumi.com/skipAwait': 'true' }) : manifest;
}

/** An object with some annotations more. */
export function annotated(manifest: Manifest, more: Readonly<Record<string, string>>): Manifest {
  const { metadata } = manifest;
  return { ...manifest, metadata: { ...metadata, annotations: { ...metadata.annotations, ...more } } };
}
