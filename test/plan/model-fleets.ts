import { formatDiagnostic } from '../../src/base/diagnostic';
import { assemble } from '../../src/fleet/fleet';
import { loadManifests } from '../../src/manifest/load-manifests';
import { decide } from '../../src/plan/decide';
import type { DecideOptions, Decision } from '../../src/plan/decision';
import { EMPTY_LOCK, type Lock } from '../../src/scheduler/lock/lock';

/** A class of the catalog with a price of our own. */
export interface Class {
  readonly name: string;
  readonly from: string;
  readonly price: number;
}

export const H200: Class = { name: 'h200', from: 'aws/p5en.48xlarge', price: 40 };
export const L40S: Class = { name: 'l40s', from: 'aws/g6e.48xlarge', price: 24 };

export const classText = ({ name, from, price }: Class): string =>
  `{apiVersion: fleetwright.dev/v1alpha1, kind: InferenceClass, metadata: {name: ${name}}, spec: {from: ${from}, price: {perHour: ${price}}}}`;

export const clusterText = (name: string, pools: Record<string, number>, storage = false): string => {
  const list = Object.entries(pools).map(([pool, n]) => `{name: ${pool}, className: ${pool}, nodeCount: ${n}}`);
  const shared = storage ? ', storage: {sharedFilesystem: {storageClassName: nfs}}' : '';
  return `{apiVersion: fleetwright.dev/v1alpha1, kind: InferenceCluster, metadata: {name: ${name}}, spec: {cluster: {source: Existing, existing: {context: ${name}}}${shared}, nodePools: [${list.join(', ')}]}}`;
};

export const deploymentText = (model: string, rest = '', name = 'chat'): string =>
  `{apiVersion: fleetwright.dev/v1alpha1, kind: ModelDeployment, metadata: {name: ${name}, namespace: ml}, spec: {replicas: 2, model: {${model}}${rest}}}`;

export function load(parts: readonly string[]) {
  const { resources, problems, locate } = loadManifests([{ path: 'fleet.yaml', text: parts.join('\n---\n') }]);
  return { fleet: assemble(resources), problems: problems.map(formatDiagnostic), locate };
}

export function decideParts(
  parts: readonly string[],
  lock: Lock = EMPTY_LOCK,
  options?: Partial<DecideOptions>,
): Decision {
  const { fleet, problems, locate } = load(parts);
  expect(problems).toEqual([]);
  return decide(fleet, locate, lock, { notes: [], warnings: [], ...options });
}
