import * as fc from 'fast-check';
import { type KindName, KINDS, PARTITIONS, WISHES, type WishName } from './kinds';

/** What a node of a class has: devices of each kind. */
export interface ClassSpec {
  readonly name: string;
  readonly has: readonly { readonly kind: KindName; readonly count: number }[];

  /** What nodes have of CPU and memory. Absent: the class does not state it. */
  readonly allocatable?: Compute;
}

/** CPU and memory, as quantities. */
export interface Compute {
  readonly cpu: string;
  readonly memory: string;
}

export interface RequestSpec {
  readonly wish: WishName;
  readonly count: number;

  /** The part of the memory of one device that it asks for. Absent: what the driver sets. */
  readonly memory?: string;
}

export interface EngineSpec {
  readonly requests: readonly RequestSpec[];
  readonly copies: number;

  /** What scales its copies from one to their number. Absent: nothing, the number is fixed. */
  readonly scaling?: object;
  readonly workers: number;

  /** The leader of the gang asks for no devices. */
  readonly idleLeader: boolean;

  /** What each pod requests beside devices. Absent: nothing. */
  readonly compute?: Compute;
}

export interface DeploymentSpec {
  readonly id: string;
  readonly replicas: number;
  readonly priority: number;
  readonly region?: string;
  readonly rollout: 'Recreate' | { readonly surge: 0 | 1 };
  readonly engines: readonly EngineSpec[];
}

export interface ClusterSpec {
  readonly name: string;
  readonly region: string;

  /** Whether pods claim devices. Otherwise a device plugin counts them. */
  readonly dra: boolean;

  /** Whose queue its replicas wait in. Absent: there are no queues. */
  readonly scheduler?: 'Kueue' | 'KAI';
  readonly pools: readonly {
    readonly className: string;
    readonly nodes: number;
    readonly tainted: boolean;

    /** Whether gangs have to stay within a block, which is all of the pool. */
    readonly block?: boolean;
  }[];
}

/** A fleet as the test knows it: what it declares, and nothing of what the product makes of it. */
export interface FleetSpec {
  readonly classes: readonly ClassSpec[];
  readonly clusters: readonly ClusterSpec[];
  readonly deployments: readonly DeploymentSpec[];
}

/** Small models and whole nodes: shapes that do not divide each other as well. */
const COUNTS = [1, 1, 1, 1, 2, 2, 3, 4, 8];

const requestSpec = (classes: readonly ClassSpec[]): fc.Arbitrary<RequestSpec> => {
  // Mostly what some class has, so that most fleets get most of what they ask for.
  const kinds = new Set(classes.flatMap(({ has }) => has.map(({ kind }) => kind)));
  const all = Object.keys(WISHES) as WishName[];
  const met = all.filter((name) => WISHES[name].kinds.some((kind) => kinds.has(kind)));
  const name = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...met) }, fc.constantFrom(...all));
  const memory = fc.constantFrom('500Mi', '5Gi', '12Gi', '20Gi', '30Gi', undefined);
  const whole = fc.record({ wish: name, count: fc.constantFrom(...COUNTS) });
  return fc.tuple(whole, memory).map(([request, part]): RequestSpec => {
    return request.wish === 'share' && part ? { ...request, count: 1, memory: part } : request;
  });
};

const classSpec: fc.Arbitrary<ClassSpec['has']> = fc
  .uniqueArray(fc.constantFrom(...(Object.keys(KINDS) as KindName[]).filter((kind) => !PARTITIONS.includes(kind))), {
    minLength: 1,
    maxLength: 3,
  })
  .chain((kinds) => fc.tuple(...kinds.map((kind) => fc.constantFrom(1, 2, 4, 4, 8).map((count) => ({ kind, count })))))
  .map((has) => has.flatMap((one) => (one.kind === 'divided' ? [one, ...partitionsOf(one.count)] : [one])));

/** The parts that a number of GPUs can be divided into, each kind alone. */
function partitionsOf(gpus: number): ClassSpec['has'] {
  return PARTITIONS.map((kind) => ({ kind, count: gpus * (KINDS[kind].placements?.length ?? 0) }));
}

/** Clusters whose pods claim no devices have no GPUs that are divided on demand. */
function withoutDivided({ classes, clusters, deployments }: FleetSpec): FleetSpec {
  const divided = new Set(
    classes.filter(({ has }) => has.some(({ kind }) => kind === 'divided')).map(({ name }) => name),
  );
  const claiming = clusters.map((cluster) => {
    const hasDivided = cluster.pools.some(({ className }) => divided.has(className));
    return { ...cluster, dra: cluster.dra || hasDivided };
  });
  return { classes, clusters: claiming, deployments };
}

const engineSpec = (classes: readonly ClassSpec[]): fc.Arbitrary<EngineSpec> => {
  const request = requestSpec(classes);
  return fc.record({
    requests: fc.oneof(
      { weight: 3, arbitrary: fc.array(request, { minLength: 1, maxLength: 1 }) },
      fc.array(request, { minLength: 2, maxLength: 3 }),
    ),
    copies: fc.constantFrom(1, 1, 2, 3),
    workers: fc.constantFrom(0, 0, 0, 0, 1, 2),
    idleLeader: fc.constantFrom(false, false, false, true),
  });
};

const ROLLOUTS: readonly DeploymentSpec['rollout'][] = [{ surge: 0 }, { surge: 0 }, { surge: 1 }, 'Recreate'];

const deploymentSpec = (classes: readonly ClassSpec[]): fc.Arbitrary<Omit<DeploymentSpec, 'id'>> =>
  fc.record(
    {
      replicas: fc.integer({ min: 1, max: 6 }),
      priority: fc.integer({ min: 0, max: 2 }),
      region: fc.constantFrom('eu', 'us'),
      rollout: fc.constantFrom(...ROLLOUTS),
      engines: fc.oneof(
        { weight: 3, arbitrary: fc.array(engineSpec(classes), { minLength: 1, maxLength: 1 }) },
        fc.array(engineSpec(classes), { minLength: 2, maxLength: 2 }),
      ),
    },
    { requiredKeys: ['replicas', 'priority', 'rollout', 'engines'] },
  );

const clusterSpec = (classes: readonly ClassSpec[]): fc.Arbitrary<Omit<ClusterSpec, 'name'>> =>
  fc.record({
    region: fc.constantFrom('eu', 'us'),
    dra: fc.constantFrom(true, true, true, false),
    pools: fc.array(
      fc.record({
        className: fc.constantFrom(...classes.map(({ name }) => name)),
        nodes: fc.integer({ min: 2, max: 8 }),
        tainted: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  });

/** Fleets of a few clusters, of which most pools fill up with shapes that compete. */
export const fleetSpec: fc.Arbitrary<FleetSpec> = fc
  .array(classSpec, { minLength: 1, maxLength: 3 })
  .map((all) => all.map((has, i): ClassSpec => ({ name: `k${i}`, has })))
  .chain((classes) =>
    fc.record({
      classes: fc.constant(classes),
      clusters: fc
        .array(clusterSpec(classes), { minLength: 1, maxLength: 4 })
        .map((all) => all.map((spec, i): ClusterSpec => ({ ...spec, name: `c${i}` }))),
      deployments: fc
        .array(deploymentSpec(classes), { minLength: 4, maxLength: 10 })
        .map((all) => all.map((spec, i): DeploymentSpec => ({ ...spec, id: `ns${i % 2}/d${i >> 1}` }))),
    }),
  )
  .map(withoutDivided);

/** The fleet of a seed. */
export function fleetOf(seed: number): FleetSpec {
  return fc.sample(fleetSpec, { numRuns: 1, seed })[0]!;
}

/** A fleet whose engines all scale, each to one copy more than it has. */
export function scaledFleet(spec: FleetSpec, scaling: object): FleetSpec {
  return {
    ...spec,
    deployments: spec.deployments.map((deployment) => ({
      ...deployment,
      engines: deployment.engines.map((engine) => ({ ...engine, copies: engine.copies + 1, scaling })),
    })),
  };
}
