import { placeAfterMoves, type PlacedWithRemedy, placeWithRemedy } from '../scheduler/applied-remedy';
import type { CompiledDeployment, CompiledFleet } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { groupByDeployment, type Placement } from '../scheduler/placement';
import type { Remedy } from '../scheduler/remedy';
import { hasLimits } from '../scheduler/topology-spread';

/** What a remedy leads to, on the clusters that it may change. Other deployments stay there, unless it moves them. */
export interface RemedyTrial extends PlacedWithRemedy {
  /** What is on these clusters without it. */
  readonly before: readonly Placement[];

  /** What runs there until replicas that move are finalized. Absent: nothing moves. */
  readonly moving?: readonly Placement[];
}

/** Tries a remedy for a deployment. Undefined: it was not tried. */
export type TryRemedy = (deployment: string, remedy: Remedy) => RemedyTrial | undefined;

interface PlacedFleet {
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;
  readonly schedule: { readonly placements: readonly Placement[] };
}

/** The most replicas to place in all trials together: a plan has to be quick. */
const TRIED_REPLICAS = 20_000;

/** The fixed cost of a trial, in replicas. */
const COST_OF_TRIAL = 100;

/** What changes the demand of a deployment. Of one with several layouts, it changes one. */
const CHANGES_DEMAND: ReadonlySet<Remedy['kind']> = new Set(['toleration', 'bound', 'count', 'copies', 'surge']);

/**
 * Creates a function that tries remedies, each once. It schedules only the clusters that a remedy may fill: how long that
 * takes depends on what is there, and not on the size of the fleet.
 */
export function createRemedyTrials({ model, matcher, schedule: { placements } }: PlacedFleet): TryRemedy {
  const deployments = new Map(model.deployments.map((one) => [one.id, one]));
  const known = new Map<string, RemedyTrial | undefined>();
  let left = TRIED_REPLICAS;
  const run = (deployment: CompiledDeployment, remedy: Remedy): RemedyTrial | undefined => {
    // Another deployment has a place of its own only where it is placed from scratch.
    if (remedy.kind === 'declare' && remedy.frees !== undefined) return undefined;
    if (deployment.variants && CHANGES_DEMAND.has(remedy.kind)) return undefined;
    const near = nearOf(deployment, remedy, { model, placements });
    left -= near.placements.length + COST_OF_TRIAL;
    if (left < 0) return undefined;
    const fleet = { ...near, deployment };
    const placed =
      'moves' in remedy ? placeAfterMoves(fleet, remedy, matcher) : placeWithRemedy(fleet, remedy, matcher);
    return { ...placed, before: near.placements };
  };
  return (id, remedy) => {
    const deployment = deployments.get(id);
    if (!deployment) return undefined;
    const key = `${id} ${JSON.stringify(changeOf(remedy))}`;
    if (!known.has(key)) known.set(key, run(deployment, remedy));
    return known.get(key);
  };
}

/** A remedy without what is only said about it. */
function changeOf(remedy: Remedy): object {
  return Object.fromEntries(Object.entries(remedy).filter(([field]) => !SAID.has(field)));
}

const SAID: ReadonlySet<string> = new Set([
  'accepts',
  'before',
  'breaks',
  'cost',
  'drainsFirst',
  'gateway',
  'helps',
  'inPlace',
  'maxNodeCount',
  'minimums',
  'nodeCount',
  'places',
  'restarts',
  'serving',
  'started',
  'stops',
  'stopsAll',
  'supposed',
  'unavailable',
  'unites',
  'unpriced',
  'vacates',
]);

type PlacedModel = Pick<PlacedFleet, 'model'> & PlacedFleet['schedule'];

/**
 * The clusters that a remedy changes and those that its deployments are on, with all that is placed there. Other clusters
 * have no room, unless a limit of placement or what the remedy changes of the demand is what keeps replicas off them:
 * then, they are all of them.
 */
function nearOf(deployment: CompiledDeployment, remedy: Remedy, { model, placements }: PlacedModel): PlacedModel {
  if (hasLimits(deployment) || CHANGES_DEMAND.has(remedy.kind)) return { model, placements };
  const own = groupByDeployment(placements);
  const changed = [deployment.id, ...('moves' in remedy ? remedy.moves.map((one) => one.deployment) : [])];
  const names = new Set([
    ...clustersOf(remedy),
    ...changed.flatMap((id) => (own.get(id) ?? []).map(({ cluster }) => cluster)),
  ]);
  const near = placements.filter(({ cluster }) => names.has(cluster));
  const ids = new Set([deployment.id, ...groupByDeployment(near).keys()]);
  return {
    model: {
      ...model,
      clusters: model.clusters.filter(({ name }) => names.has(name)),
      deployments: model.deployments.filter(({ id }) => ids.has(id)),
    },
    placements: near,
  };
}

function clustersOf(remedy: Remedy): string[] {
  const moved = 'moves' in remedy ? remedy.moves.flatMap(({ from, to }) => [from, to]) : [];
  if (remedy.kind === 'move') return moved;
  const also = 'also' in remedy ? (remedy.also ?? []) : [];
  return [...moved, ...[remedy, ...also].map(({ cluster }) => cluster)];
}
