import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { type Diagnostic, warningAt } from '../base/diagnostic';
import { sortUnique } from '../base/order';
import { joinChoices, joinNames } from '../base/text';
import { indexDeploymentsById } from '../fleet/fleet';
import { commandOfAddition } from '../fleet/models/model-addition';
import { BUILT_IN_MODELS, findMisspelledModel, findSimilarModels, type ModelBook } from '../fleet/models/model-book';
import type { PlacedFleet } from '../plan/decision';
import { memoryBookOf, type MemoryBook } from '../plan/engine-memory';
import { gpusOf } from '../sizing/weights';
import type { DeploymentDiff } from './deployment-diff';
import type { FleetDiff } from './fleet-diff';

type Placed = Pick<PlacedFleet, 'fleet' | 'matcher'>;

interface ChangedModels {
  readonly before: Placed;
  readonly after: Placed;

  /** Where the change is, for what no declaration causes. */
  readonly at: string;
}

/**
 * Finds deployments that are new, or whose engines get other GPUs, another model, another division of it or another
 * length of requests, although the model catalog lacks the model: nothing says whether it fits.
 */
export function findUncheckedMemory({ deployments }: FleetDiff, { before, after, at }: ChangedModels): Diagnostic[] {
  const earlier = indexDeploymentsById(before.fleet.deployments);
  const later = indexDeploymentsById(after.fleet.deployments);
  const formerBook = memoryBookOf(before.fleet, before.matcher);
  const book = memoryBookOf(after.fleet, after.matcher);
  const formerOf = (all: readonly ModelDeployment[]): ReadonlySet<string> =>
    new Set(all.flatMap((one) => listEngines(one, formerBook)).map(({ text }) => text));
  // A new deployment with the engines of one that is removed is the same under another name.
  const removed = formerOf(before.fleet.deployments.filter((one) => !later.has(qualifiedNameOf(one))));
  const models = after.fleet.models ?? BUILT_IN_MODELS;
  return deployments.flatMap(({ deployment: id, changes }) => {
    const [was, is] = [earlier.get(id), later.get(id)];
    if (!is) return [];
    const known = was ? formerOf([was]) : removed;
    const changed = listEngines(is, book).find(({ text, isKnown }) => !isKnown && !known.has(text));
    if (!changed || (!was && findMisspelledModel(changed.repository, models) !== undefined)) return [];
    const causes = changes.flatMap((one) => one.causes);
    const cause = causes.find(({ field }) => field?.path.includes('engines')) ?? causes[0];
    const what = `memory of ${id} is not checked: the model catalog has no '${changed.repository}'`;
    return [warningAt('unchecked-memory', cause?.where ?? at, what, hintAt(changed, changes, models))];
  });
}

const LEAVES: ReadonlySet<string> = new Set(['remove', 'draining']);

/** The most kinds of nodes that are named. */
const MAX_NAMED = 3;

function hintAt(
  { name, repository, gpus }: SizedEngine,
  changes: DeploymentDiff['changes'],
  models: ModelBook,
): string {
  const similar = findSimilarModels(repository, models);
  const meant = similar.length === 0 ? '' : `Did you mean ${joinChoices(similar)}? `;
  const pools = changes.filter(({ action }) => !LEAVES.has(action)).flatMap((one) => one.pools[name] ?? []);
  const nodes = joinNames(
    sortUnique(pools).map((pool) => `${gpus} x ${pool}`),
    MAX_NAMED,
    ' and ',
  );
  const where = nodes === '' ? '' : ` ${nodes}`;
  return `${meant}Check that weights and KV cache fit${where}, or add a row with ${commandOfAddition(repository)}`;
}

interface SizedEngine {
  readonly name: string;
  readonly repository: string;
  readonly isKnown: boolean;

  /** The GPUs that its model is divided over. */
  readonly gpus: number;

  /** What decides how much memory it has and takes. */
  readonly text: string;
}

/** The engines of a deployment whose model and division can be read. */
function listEngines(deployment: ModelDeployment, book: MemoryBook): SizedEngine[] {
  return deployment.spec.template.spec.engines.flatMap((engine) => {
    const setup = book.setupOf({ deployment, engine, demand: undefined });
    if (!setup) return [];
    const { repository, layout, context, quantization } = setup;
    const devices = engine.members.map(({ nodeSelector }) => nodeSelector);
    const text = JSON.stringify([engine.name, repository, layout, context, quantization, devices]);
    const isKnown = book.rowOf(setup) !== undefined;
    return [{ name: engine.name, repository, isKnown, gpus: gpusOf(layout), text }];
  });
}
