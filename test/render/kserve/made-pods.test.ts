import * as fc from 'fast-check';
import type { ModelDeployment } from '../../../src/api/model-deployment';
import { assemble } from '../../../src/fleet/fleet';
import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { decide } from '../../../src/plan/decide';
import { renderCluster } from '../../../src/render/cluster';
import { kserve } from '../../../src/render/kserve/kserve';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { aClass, aDeployment, byPath, type Doc, MACHINES } from '../../api/build';
import { aReplica, fleetOf, manifestsOf, ofKind, renamed } from '../build';
import { aGang, ALL, aPair, GANG, GANGS, kserveCluster, ON, PAIR, PIPELINE, POD, serviceOf, withArgs } from './build';
import { controllerPods, type MadePods } from './controller';
import { daily } from '../../daily';

type NativePods = Pick<MadePods, 'member' | 'pods' | 'surge' | 'spec'>;

/** The pods of the native renderer, in the form of those of the controller. */
function nativePods(deployment: ModelDeployment): NativePods[] {
  const manifests = renderCluster(ON, [{ ...aReplica(deployment, { cluster: ON }), backend: 'Native' }], {
    fleet: fleetOf(),
  });
  const deployments = ofKind(manifests, 'Deployment').filter(
    ({ metadata }) => 'fleetwright.dev/engine' in metadata.labels,
  );
  return [...deployments, ...ofKind(manifests, 'LeaderWorkerSet')].flatMap(({ spec }): NativePods[] => {
    const {
      replicas,
      template,
      strategy,
      leaderWorkerTemplate: gang,
      rolloutStrategy,
    } = spec as Doc & {
      replicas: number;
      template?: Doc;
      leaderWorkerTemplate?: { size: number; leaderTemplate: Doc; workerTemplate: Doc };
      strategy?: { rollingUpdate: { maxSurge: number } };
      rolloutStrategy?: { rollingUpdateConfiguration: { maxSurge: number } };
    };
    if (!gang)
      return [{ member: 'pod', pods: replicas, surge: strategy!.rollingUpdate.maxSurge, spec: mained(template!) }];
    const { maxSurge: surge } = rolloutStrategy!.rollingUpdateConfiguration;
    const workers = gang.size - 1;
    return [
      { member: 'leader', pods: replicas, surge, spec: mained(gang.leaderTemplate) },
      {
        member: 'worker',
        pods: replicas * workers,
        surge: surge * workers,
        spec: mained(gang.workerTemplate),
      },
    ];
  });
}

function mained({ spec }: Doc): MadePods['spec'] {
  const {
    containers: [engine, ...others],
    ...rest
  } = spec as MadePods['spec'];
  return { ...rest, containers: [{ ...engine, name: 'main' }, ...others] };
}

const byMember = (pods: readonly NativePods[]) =>
  pods.map(({ member, pods: count, surge, spec }) => JSON.stringify([member, count, surge, sortKeys(spec)])).sort();

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sortKeys(one)]),
  );
}

test.each(ALL.map((deployment) => [deployment.metadata.name, deployment] as const))(
  'the controller makes the pods of %s that the native renderer makes',
  (_, deployment) => {
    expect(byMember(controllerPods(serviceOf(deployment)))).toEqual(byMember(nativePods(deployment)));
  },
);

const selectorOf = (deployment: ModelDeployment): Record<string, string> => {
  const { metadata, spec } = ofKind(manifestsOf(deployment, { cluster: ON }), 'Service').find(
    ({ metadata: { name } }) => !/pods|picker|proxy/.test(name),
  )!;
  expect(metadata.namespace).toBe('ml');
  return spec?.['selector'] as Record<string, string>;
};
const serving = (deployment: ModelDeployment): string[] => {
  const wanted = Object.entries(
    kserve
      .render(aReplica(deployment, { cluster: ON }))
      .flatMap(({ kind, spec }) => (kind === 'Service' ? [spec?.['selector'] as Record<string, string>] : []))[0]!,
  );
  return controllerPods(serviceOf(deployment))
    .filter(({ labels }) => wanted.every(([key, value]) => labels[key] === value))
    .map(({ workload, member }) => `${workload.replace(/.*-kserve/, 'kserve')} ${member}`);
};

describe('labels of pods of KServe', () => {
  const MIXED = aPair({}, aGang('decode', PIPELINE));
  const rows: Record<string, { deployment: ModelDeployment; want: string[] }> = {
    'the Service leads to pods': { deployment: POD, want: ['kserve pod'] },
    'of a gang it leads to leaders': { deployment: GANG, want: ['kserve-mn leader'] },
    'of a pair it leads to decode': { deployment: PAIR, want: ['kserve pod'] },
    'of a pair of gangs it leads to the leaders of decode': { deployment: GANGS, want: ['kserve-mn leader'] },
    'of a pair of a pod and a gang, too': { deployment: renamed(MIXED, 'mixed'), want: ['kserve-mn leader'] },
  };
  test.each(Object.entries(rows))('%s', (_, { deployment, want }) => {
    expect(serving(deployment)).toEqual(want);
  });

  test('a Service selects replicas of before the change to KServe, too', () => {
    expect(selectorOf(POD)).toEqual({ 'fleetwright.dev/deployment': 'qwen3', 'fleetwright.dev/serving': 'true' });
    expect(selectorOf(GANG)).toEqual({
      'fleetwright.dev/deployment': 'gang',
      'leaderworkerset.sigs.k8s.io/worker-index': '0',
    });
  });

  test.each(ALL.map((deployment) => [deployment.metadata.name, deployment] as const))(
    'none of %s is one that the controller selects by',
    (_, deployment) => {
      const own = JSON.stringify(serviceOf(deployment).spec);
      for (const key of ['kserve.io/component', 'llm-d.ai/role', 'app.kubernetes.io/part-of']) {
        expect(own).not.toContain(`"${key}"`);
      }
    },
  );
});

/** An engine of any form that KServe has, with its copies. */
const anyEngine = fc
  .record({
    form: fc.constantFrom('pod', 'pipeline', 'data'),
    nodes: fc.integer({ min: 2, max: 3 }),
    copies: fc.integer({ min: 1, max: 3 }),
    gpus: fc.constantFrom(1, 2, 4),
  })
  .map(({ form, nodes, copies, gpus }) => (name: string, more: Doc): Doc => {
    const args = ['Qwen/Qwen3-8B', '--kv-transfer-config={"kv_connector":"NixlConnector","kv_role":"kv_both"}'];
    if (form === 'pod') return { name, copies, members: [withArgs(args, { gpus })], ...more };
    const split = form === 'data' ? `--data-parallel-size=${nodes}` : `--pipeline-parallel-size=${nodes}`;
    const gang = aGang(name, [...args, split, `--tensor-parallel-size=${gpus}`], { workers: nodes - 1, gpus });
    return { ...gang, copies, ...more };
  });

const anyDeployment = fc
  .record({ first: anyEngine, second: anyEngine, pair: fc.boolean(), surge: fc.integer({ min: 0, max: 1 }) })
  .map(({ first, second, pair, surge }) =>
    aDeployment('ml/any', {
      rollout: { surge },
      ...(pair
        ? {
            serving: { mode: 'PrefillDecode' },
            engines: [first('prefill', { phase: 'Prefill' }), second('decode', { phase: 'Decode' })],
          }
        : { engines: [first('main', {})] }),
    }),
  );

const CLASS = aClass('h100', { provisioning: { ...MACHINES.GKE } });
const LARGE = kserveCluster('0.21', {
  nodePools: [{ name: 'h100', className: 'h100', nodeCount: 64, zones: ['us-central1-a'] }],
});

/** The devices that a pod claims, by the templates among the objects. */
function devicesOf({ spec }: MadePods, objects: readonly Manifest[]): number {
  const names = new Set((spec.resourceClaims ?? []).map(({ resourceClaimTemplateName }) => resourceClaimTemplateName));
  const templates = ofKind(objects, 'ResourceClaimTemplate').filter(({ metadata }) => names.has(metadata.name));
  const requests = templates.flatMap(
    ({ spec: own }) => (own as { spec: { devices: { requests: Doc[] } } }).spec.devices.requests,
  );
  return requests.reduce((sum, { exactly }) => sum + (exactly as { count: number }).count, 0);
}

test('the pods that KServe makes take exactly the devices that the plan charged, member by member', () => {
  fc.assert(
    fc.property(anyDeployment, (deployment) => {
      const { replicas, model } = decide(assemble([CLASS, LARGE, deployment]), byPath, EMPTY_LOCK);
      const [replica] = replicas;
      const objects = kserve.render(replica!);
      const made = controllerPods(ofKind(objects, 'LLMInferenceService')[0]!);
      const charged = model.deployments[0]!.demand.engines.flatMap(({ members }) =>
        members.map(({ pods, surge, pod }) => [pods - surge, surge, pod.requests[0]!.alternatives[0]!.count]),
      );
      const taken = made.map((one) => [one.pods, one.surge, devicesOf(one, objects)]);
      expect(taken.map(String).sort()).toEqual(charged.map(String).sort());
    }),
    { numRuns: daily(30) },
  );
});
