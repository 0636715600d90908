import type { InferenceClass } from '../../../src/api/inference-class';
import { parseResource, type Resource } from '../../../src/api/kinds';
import { formatRejectionReason } from '../../../src/plan/rejection-messages';
import { plan, wordsOf } from '../promises/plan';
import type { Row } from './rows';

const GPU = {
  name: 'gpu',
  driver: 'gpu.nvidia.com',
  deviceClassName: 'gpu.nvidia.com',
  count: 40,
  attributes: {
    architecture: { string: 'Hopper' },
    cudaComputeCapability: { version: '9.0.0' },
    index: { int: 3 },
  },
  capacity: { memory: { value: '80Gi' } },
};

const POD = { spec: { containers: [{ name: 'engine', image: 'ollama/ollama:0.12.0' }] } };
const EXISTING = { source: 'Existing', existing: { secretRef: { name: 'kubeconfig' } } };

/** What the plan of a fleet with this one request says against it; empty where it places it. */
export function ourAnswer({ count, cel }: Pick<Row, 'count' | 'cel'>): string {
  const nodeSelector = { devices: [{ name: 'gpu', count, selectors: [{ cel }] }] };
  const engines = [{ name: 'main', members: [{ nodeSelector, template: POD }] }];
  const documents = [
    document('InferenceClass', { name: 'gpu' }, { devices: [GPU] }),
    document('InferenceCluster', { name: 'c' }, { cluster: EXISTING, nodePools: [{ name: 'p', className: 'gpu' }] }),
    document('ModelDeployment', { name: 'd', namespace: 'ns' }, { replicas: 1, template: { spec: { engines } } }),
  ].map((one) => parseResource(one));
  const findings = documents.flatMap((one) => ('findings' in one ? one.findings : []));
  if (findings.length > 0) return findings.map(({ at: path, message }) => `${path.join('.')}: ${message}`).join('; ');
  return planned(documents.flatMap((one) => ('resource' in one ? [one.resource] : [])));
}

/** The class of the node that the same request is tried on. */
export function gpuClass(): InferenceClass {
  const parsed = parseResource(document('InferenceClass', { name: 'gpu' }, { devices: [GPU] }));
  if ('findings' in parsed || parsed.resource.kind !== 'InferenceClass') throw new Error('the class is wrong');
  return parsed.resource as InferenceClass;
}

function planned(resources: readonly Resource[]): string {
  try {
    const { shortfalls } = plan(resources).schedule;
    return shortfalls
      .flatMap(({ rejections }) => rejections.map(({ reason }) => formatRejectionReason({ reason })))
      .join('; ');
  } catch (error) {
    return wordsOf(error);
  }
}

function document(kind: string, metadata: object, spec: object): object {
  return { apiVersion: 'fleetwright.dev/v1alpha1', kind, metadata, spec };
}
