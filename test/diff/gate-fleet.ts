import type { Resource } from '../../src/api/kinds';
import type { ModelDeployment } from '../../src/api/model-deployment';
import { diffStates } from '../../src/diff/fleet-diff';
import { findGateFindings } from '../../src/diff/gate-findings';
import { supposeLost } from '../../src/diff/suppose-lost';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { formatGateFinding, formatGateFindings } from '../../src/report/diff/gate-text';
import { numberEdits } from '../../src/report/pull-request/edit-list';
import { aClass, aMember, byPath } from '../api/build';
import { aDoor, aModel, anAdapter, aSite, aSplit, to } from '../routing/build';
import { state } from './build';

const H100 = aClass('h100');
const us = aSite('us', { pools: { h100: { nodeCount: 20 } } });
const door = aDoor(['us']);
export const stable = (change: object = {}) =>
  aModel('ml/chat', { replicas: 2, replicaLabels: { track: 'stable' }, ...change });
export const canary = (change: object = {}) => aModel('ml/next', { replicaLabels: { track: 'canary' }, ...change });
export const split = (weights: [number, number], change: Record<string, unknown> = {}) =>
  aSplit(
    'ml/chat',
    [to({ track: 'stable' }, { weight: weights[0] }), to({ track: 'canary' }, { weight: weights[1] })],
    change,
  );

export const headed = () =>
  aSplit('ml/headed', [
    to({ track: 'stable' }),
    to({ track: 'canary' }, { match: { headers: { 'x-track': 'next' } } }),
  ]);

export const NEWER = {
  name: 'main',
  members: [
    aMember({
      gpus: 1,
      template: {
        spec: { containers: [{ name: 'engine', image: 'vllm/vllm-openai:v0.99.0', args: ['Qwen/Qwen3-8B'] }] },
      },
    }),
  ],
};
/** Engines with a model, and its served names. Default: that of its repository. */
export const serving = (model: string, ...names: string[]) => {
  const args = [model, ...(names.length > 0 ? ['--served-model-name', ...names] : [])];
  const containers = [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args }];
  return { engines: [{ name: 'main', members: [aMember({ gpus: 1, template: { spec: { containers } } })] }] };
};
export const NAMED = serving('Qwen/Qwen3-8B', 'chat');
export const RENAMED = serving('Qwen/Qwen3-8B', 'talk');
export const TWICE_NAMED = serving('Qwen/Qwen3-8B', 'chat', 'talk');

export const atLeast = (minAvailable: number, { spec, ...model }: ModelDeployment): ModelDeployment => ({
  ...model,
  spec: { ...spec, minAvailable },
});

/** Leaves the door out of a fleet. */
export const NO_GATEWAY = aDoor(['us']);

/** With the class, the cluster and the door of most cases, unless a case has its own. */
function fleetOf(own: readonly Resource[]): readonly Resource[] {
  const has = (wanted: Resource['kind']): boolean => own.some(({ kind }) => kind === wanted);
  return [
    ...(has('InferenceClass') ? [] : [H100]),
    ...(has('InferenceCluster') ? [] : [us]),
    ...(has('InferenceGateway') ? [] : [door]),
    ...own.filter((one) => one !== NO_GATEWAY),
  ];
}

export function findings(before: readonly Resource[], after: readonly Resource[], acceptRemovals = false): string[] {
  const { found, located } = judge(before, after, acceptRemovals);
  return found.map((finding) => formatGateFinding(finding, located));
}

/** What a reader gets: findings that are alike share a line. */
export function findingLines(before: readonly Resource[], after: readonly Resource[]): string[] {
  const { found, located } = judge(before, after, false);
  return formatGateFindings(found, located);
}

/** The same in a comment, which numbers edits. */
export function numberedLines(before: readonly Resource[], after: readonly Resource[]): string[] {
  const { found, located, declarations } = judge(before, after, false);
  return formatGateFindings(found, { ...located, cite: numberEdits(declarations, () => undefined).cite });
}

function judge(before: readonly Resource[], after: readonly Resource[], acceptRemovals: boolean) {
  const former = state('main', fleetOf(before));
  const later = state('here', fleetOf(after), former.decision.lock, former);
  const planned = decide(assemble(fleetOf(after)), byPath, former.decision.lock);
  const earlier = supposeLost(former, later.decision.model);
  const diff = diffStates(earlier, later, planned);
  const context = { before: earlier.decision, after: later.decision, applied: 'withWaves' as const, acceptRemovals };
  const located = { fleet: later.decision.fleet, locate: byPath };
  return { found: findGateFindings(diff, context), located, declarations: diff.declarations };
}

export const withAuth = (auth: object | string) => aSplit('ml/chat', [to({ track: 'stable' })], { auth });
export const OPEN = 'None';
export const keys = (secret: string, ...names: string[]) => ({
  apiKeys: names.map((name) => ({ name, secretRef: { name: secret } })),
});
export const jwt = (issuer: string, ...audiences: string[]) => ({
  jwt: { issuer, audiences, jwksUri: `${issuer}/keys`, clientClaim: 'sub' },
});
export const named = (namespace: string, name: string, model: ModelDeployment): ModelDeployment => ({
  ...model,
  metadata: { ...model.metadata, namespace, name },
});

export const sqlFiles = anAdapter('sql');
export const sql = (...names: string[]): ModelDeployment => {
  const loraAdapters = names.map((name) => ({ name, modelCacheRef: { name: 'sql' } }));
  return stable({ loraAdapters });
};
