import { FleetwrightError } from '../../src/base/errors';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';

/** Part of a document, as a user would write it. */
export type Doc = Record<string, unknown>;

/** What a call refuses: one line a problem. */
export function refusal(call: () => unknown): string[] {
  try {
    call();
  } catch (error) {
    if (error instanceof FleetwrightError) return error.message.split('\n');
    throw error;
  }
  return [];
}

/** An object of a namespace, or of none: `anObject('Service', 'ml/q')`. */
export function anObject(kind: string, name: string, more: Doc = {}): Manifest {
  const [own = '', namespace] = name.split('/').reverse();
  const { apiVersion = API[kind] ?? 'v1', annotations, labels = {}, ...rest } = more;
  const metadata = {
    name: own,
    ...(namespace !== undefined && { namespace }),
    labels,
    ...(annotations !== undefined && { annotations }),
  };
  return { apiVersion, kind, metadata, ...(kind === 'Deployment' && { spec: {} }), ...rest } as Manifest;
}

const API: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  Job: 'batch/v1',
  LeaderWorkerSet: 'leaderworkerset.x-k8s.io/v1',
  ResourceClaimTemplate: 'resource.k8s.io/v1',
};
