import { type Locate, locateAll, type ResourcePath } from '../api/kinds';
import { type Path, qualifiedNameOf } from '../api/resource';
import { type Diagnostic, errorAt, warningAt } from '../base/diagnostic';
import type { DiagnosticCode } from '../base/diagnostic-codes';
import { FleetwrightError } from '../base/errors';
import { getOrCompute } from '../base/memoize';
import { compareText, sortUnique } from '../base/order';
import { joinChoices, joinNames, MOST_NAMED } from '../base/text';
import type { ModelSetup } from '../engine/model-setup';
import type { Fleet } from '../fleet/fleet';
import { commandOfAddition } from '../fleet/models/model-addition';
import { BUILT_IN_MODELS, findMisspelledModel, findSimilarModels, type ModelBook } from '../fleet/models/model-book';
import type { NodeShape } from '../scheduler/compile/shapes';
import type { CompiledFleet, Pool } from '../scheduler/compiled-fleet';
import type { Placement } from '../scheduler/placement';
import type { Schedule } from '../scheduler/schedule-result';
import { MORE_GPUS, type ServingFinding } from '../sizing/check-serving';
import { type EngineMemory, type MemoryBook, type ModelEngine, servingOptionsOf } from './engine-memory';
import { type HeldDeployments, isImpossible } from './held-deployments';
import { listDeploymentLayouts } from './model-layouts';
import { nodeShapesOf } from './placed-engines';
import { nameSmallestLayout } from './smallest-layout';
import { nodesOf } from './warnings/device-request-uses';

/** What is known of the memory of the engines of a fleet where they are placed. */
export interface MemoryFindings {
  /** Errors where an engine cannot start, and warnings where it may not. */
  readonly findings: readonly Diagnostic<ResourcePath>[];

  /** The repositories of which the model catalog has no row, sorted. */
  readonly unknownModels: readonly string[];

  /** The deployments that serve weights of a cache whose model is named nowhere, sorted: `ml/chat`. */
  readonly unnamedModels: readonly string[];
}

/**
 * Finds engines whose model does not fit the GPUs of the pools that they are placed on. Deployments of the alias group
 * get warnings only, because their manifests must continue to load.
 */
export function findEngineMemory(
  fleet: Fleet,
  model: CompiledFleet,
  { book, placements }: { readonly book: MemoryBook; readonly placements: readonly Placement[] },
): MemoryFindings {
  const problemsOf = createProblemLookup(book, nodesOf(model.clusters));
  const adviseOn = createAdviser(fleet, book);
  const clusters = new Map(model.clusters.map((cluster) => [cluster.name, cluster]));
  const unknown = new Set<string>();
  const unnamed = new Set<string>();
  const findings = listDeploymentLayouts(fleet, model, placements).flatMap(({ deployment, demands, placements: own }) =>
    deployment.spec.template.spec.engines.flatMap((engine, e) => {
      const demand = demands.find(({ name }) => name === engine.name);
      const { setup, problems } = problemsOf({ deployment, engine, demand });
      if (setup && !problems) unknown.add(setup.repository);
      if (!setup && book.isUnnamed({ deployment, engine, demand })) unnamed.add(qualifiedNameOf(deployment));
      if (!setup || !problems || problems.size === 0) return [];
      const shapes = nodeShapesOf(engine, own, clusters);
      const found = [...shapes].flatMap((node) => problems.get(node) ?? []);
      const distinct = [...new Map(found.map((finding) => [finding.what, finding])).values()];
      const pools = own.flatMap(({ cluster, pools }) => ({ cluster, pool: pools[engine.name] ?? '' }));
      const advise = adviseOn(setup, { deployment, pools });
      return distinct.map((finding) => toDiagnostic(advise(finding), setup, { deployment, e }));
    }),
  );
  const unknownModels = [...unknown].sort(compareText);
  return { findings, unknownModels, unnamedModels: [...unnamed].sort(compareText) };
}

/** The deployments without a place, and the clusters that they could be on. */
interface UnplacedDeployments extends Pick<Schedule, 'shortfalls'> {
  readonly book: MemoryBook;
  readonly held: Pick<HeldDeployments, 'requested'>;
}

/**
 * Finds engines that no pool of the fleet takes, because their model fits the GPUs of none that match. Of several kinds
 * of GPUs, the finding is about those with the most memory.
 */
export function findUnplacedMemory(
  fleet: Fleet,
  { clusters }: CompiledFleet,
  { book, shortfalls, held }: UnplacedDeployments,
): Diagnostic<ResourcePath>[] {
  const byId = new Map(fleet.deployments.map((one) => [qualifiedNameOf(one), one]));
  const adviseOn = createAdviser(fleet, book);
  const memories = new Map(clusters.flatMap(({ pools }) => pools.map((pool) => [placeOf(pool), memoryOfNode(pool)])));
  return shortfalls.flatMap((shortfall) => {
    const deployment = held.requested.has(shortfall.deployment) ? undefined : byId.get(shortfall.deployment);
    if (!deployment || !isImpossible(shortfall)) return [];
    const misfits = shortfall.rejections.flatMap(({ cluster, pool: name = '', reason }) => {
      if (reason.filter !== 'devices' || reason.misfit !== 'memory') return [];
      return [{ reason, cluster, pool: name, memory: memories.get(placeOf({ cluster, name })) ?? 0 }];
    });
    const [largest] = misfits.sort((a, b) => b.memory - a.memory);
    const e = deployment.spec.template.spec.engines.findIndex(({ name }) => name === largest?.reason.engine);
    const engine = deployment.spec.template.spec.engines[e];
    const setup = engine && book.setupOf({ deployment, engine, demand: undefined });
    if (!largest || !setup) return [];
    const advise = adviseOn(setup, { deployment, pools: misfits });
    return [toDiagnostic(advise({ ...largest.reason, certain: true }), setup, { deployment, e })];
  });
}

/** Adds to a finding what helps. */
type Advise = (finding: ServingFinding) => ServingFinding;

/** Creates a function that names the smallest layout that holds a model, and its longest request, in findings that ask for more GPUs. */
function createAdviser(
  fleet: Fleet,
  book: MemoryBook,
): (setup: ModelSetup, on: Omit<Parameters<typeof nameSmallestLayout>[1], 'fleet'>) => Advise {
  return (setup, on) => (finding) => {
    const { about, hint } = finding;
    const model = hint.includes(MORE_GPUS) ? book.rowOf(setup) : undefined;
    if (!model) return finding;
    const question = { model, options: servingOptionsOf(setup, model), measurements: [] };
    // No GPU makes the model allow a longer request.
    if (about === 'context' && setup.overlong !== undefined && question.options.context > model.positions)
      return finding;
    const layout = nameSmallestLayout(question, { ...on, fleet });
    return layout === undefined
      ? finding
      : { ...finding, hint: hint.replace(MORE_GPUS, `${MORE_GPUS}, such as ${layout}`) };
  };
}

function placeOf({ cluster, name }: Pick<Pool, 'cluster' | 'name'>): string {
  return `${cluster}/${name}`;
}

function memoryOfNode({ node }: Pool): number {
  return Math.max(0, ...node.kinds.map(({ memory }) => memory));
}

/** What is wrong with an engine, by kind of node. Kinds without problems are left out. */
export type ProblemsByNode = ReadonlyMap<NodeShape, readonly ServingFinding[]>;

interface EngineProblems {
  readonly setup?: ModelSetup;

  /** Absent if the model is not known. */
  readonly problems?: ProblemsByNode;
}

/** Creates a function that checks an engine on all kinds of nodes, cached by setup and demand. */
export function createProblemLookup(
  book: MemoryBook,
  nodes: readonly NodeShape[],
): (placed: ModelEngine) => EngineProblems {
  const known = new Map<ModelSetup, Map<ModelEngine['demand'], ProblemsByNode>>();
  return (placed) => {
    const setup = book.setupOf(placed);
    if (!setup) return {};
    if (!book.rowOf(setup)) return { setup };
    const problems = getOrCompute(known, setup, placed.demand, () => {
      const all = nodes.map((node) => [node, findProblems(book.memoryOn(placed, node))] as const);
      return new Map(all.filter(([, found]) => found.length > 0));
    });
    return { setup, problems };
  };
}

/** What is wrong on some kinds of GPUs. A pod that may get another GPU of its node may start. */
function findProblems(memory: readonly EngineMemory[]): ServingFinding[] {
  const found = memory.flatMap(({ finding }) => finding ?? []);
  const certain = memory.every(({ finding }) => finding?.certain);
  return certain ? found : found.map((finding) => ({ ...finding, certain: false }));
}

const CODES: Readonly<Record<ServingFinding['about'], DiagnosticCode>> = {
  heads: 'undivided-heads',
  blocks: 'undivided-blocks',
  weights: 'large-weights',
  context: 'long-context',
};

const PATHS: Readonly<Record<ServingFinding['about'], keyof ModelSetup['paths']>> = {
  heads: 'tensor',
  blocks: 'tensor',
  weights: 'model',
  context: 'context',
};

function toDiagnostic(
  finding: ServingFinding,
  { paths, misspelled }: ModelSetup,
  { deployment, e }: { deployment: Fleet['deployments'][number]; e: number },
): Diagnostic<ResourcePath> {
  const { about, certain } = finding;
  const place = (path: Path): ResourcePath => {
    return { resource: deployment, path: ['spec', 'template', 'spec', 'engines', e, ...path] };
  };
  const at = place(paths[PATHS[about]]);
  if (!certain || deployment.group !== 'fleetwright.dev') {
    const hint = misspelled ? `Use ${misspelled.meant} instead of ${misspelled.written}` : finding.hint;
    return warningAt(CODES[about], at, finding.what, hint);
  }
  if (!misspelled) return errorAt(CODES[about], at, finding.what, finding.hint);
  // Warnings are not shown next to errors, so that the error names its cause.
  const { written, meant, path } = misspelled;
  const what = `${written} is probably a misspelling of ${meant}, and without ${meant}: ${finding.what}`;
  return errorAt(CODES[about], place(path), what, `Use ${meant}`);
}

/** Says once which models are not checked, and what names them. */
export function describeUncheckedModels(
  { unknownModels, unnamedModels }: Pick<MemoryFindings, 'unknownModels' | 'unnamedModels'>,
  models: ModelBook = BUILT_IN_MODELS,
): string[] {
  const unknown = describeUnknownModels(unknownModels, models);
  const unnamed = describeUnnamedModels(unnamedModels);
  const [first, second] = [unknown, unnamed].filter((one) => one !== undefined);
  if (first === undefined) return [];
  const also = second === undefined ? '' : ` Nor are they checked for ${second}.`;
  return [`The memory and parallelism of engines are not checked for ${first}.${also}`];
}

function describeUnnamedModels(deployments: readonly string[]): string | undefined {
  if (deployments.length === 0) return undefined;
  const weights = `the weights of ${joinNames(deployments)}, and neither is the size of their cache`;
  return `${weights}: the model is not known. Name it with 'spec.model.repository'`;
}

/** Models that the catalog lacks, and names that are similar. Warnings say that of misspelled ones. */
function describeUnknownModels(all: readonly string[], models: ModelBook): string | undefined {
  const unknownModels = all.filter((name) => findMisspelledModel(name, models) === undefined);
  if (unknownModels.length === 0) return undefined;
  const names = joinNames(unknownModels);
  const subject = unknownModels.length === 1 ? 'which' : 'each of which';
  const ranked = unknownModels.slice(0, MOST_NAMED).flatMap((name) => findSimilarModels(name, models));
  const question =
    unknownModels.length === 1
      ? ` Did you mean ${joinChoices(ranked)}?`
      : ` Similar names there: ${sortUnique(ranked).join(', ')}.`;
  const similar = ranked.length === 0 ? '' : question;
  const add = similar === '' ? 'To add a row, run' : 'If the name is right, add a row with';
  return `${names}, ${subject} the model catalog lacks.${similar} ${add} ${commandOfAddition(...unknownModels)}`;
}

/**
 * Rejects engines that cannot start on the GPUs that they are placed on.
 *
 * @throws FleetwrightError with every such engine
 */
export function refuseUnservableEngines(findings: readonly Diagnostic<ResourcePath>[], locate: Locate): void {
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new FleetwrightError(locateAll(errors, locate));
}
