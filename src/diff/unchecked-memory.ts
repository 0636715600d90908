import type { ModelDeployment } from '../api/model-deployment';
import { type Diagnostic, warningAt } from '../base/diagnostic';
import { indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import { createMemoryBook, type MemoryBook } from '../plan/engine-memory';
import type { FleetDiff } from './fleet-diff';

type Placed = Pick<PlacedFleet, 'fleet' | 'matcher'>;

interface ChangedModels {
  readonly before: Placed;
  readonly after: Placed;

  /** Where the change is, for what no declaration causes. */
  readonly at: string;
}

/**
 * Finds deployments whose engines get other GPUs, another model, another division of it or another length of requests,
 * although the model catalog lacks the model: nothing says whether it still fits.
 */
export function findUncheckedMemory({ deployments }: FleetDiff, { before, after, at }: ChangedModels): Diagnostic[] {
  const earlier = indexDeploymentsById(before.fleet.deployments);
  const later = indexDeploymentsById(after.fleet.deployments);
  const formerBook = createMemoryBook(before.fleet, before.matcher);
  const book = createMemoryBook(after.fleet, after.matcher);
  return deployments.flatMap(({ deployment: id, changes }) => {
    const [was, is] = [earlier.get(id), later.get(id)];
    if (!was || !is) return [];
    const former = new Set(listEngines(was, formerBook).map(({ text }) => text));
    const changed = listEngines(is, book).find(({ text, isKnown }) => !isKnown && !former.has(text));
    if (!changed) return [];
    const causes = changes.flatMap((one) => one.causes);
    const cause = causes.find(({ field }) => field?.path.includes('engines')) ?? causes[0];
    const what = `memory of ${id} is not checked: the model catalog has no '${changed.repository}'`;
    const hint = "Check that weights and KV cache fit, or add a row with 'fleetwright model add PATH'";
    return [warningAt('unchecked-memory', cause?.where ?? at, what, hint)];
  });
}

interface SizedEngine {
  readonly repository: string;
  readonly isKnown: boolean;

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
    return [{ repository, isKnown: book.rowOf(setup) !== undefined, text }];
  });
}
