import { createHash } from 'node:crypto';
import { clusterLabelsOf } from '../../api/cluster-labels';
import type { ResourcePath } from '../../api/kinds';
import { findUnmetRequirement } from '../../api/label-matching';
import { CLUSTER_LABEL } from '../../api/labels';
import type { ModelDeployment } from '../../api/model-deployment';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { formatCount } from '../../base/figures';
import { sortedBy, sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';
import type { ModelLayout, ModelLayouts } from '../../fleet/models/model-layouts';
import { compareRows, type FitQuestion, type FitRow, fitRow } from '../../sizing/fit-model';
import { formatLayout, listGangLayouts, listNodeLayouts, createTensorLayout } from '../../sizing/layout-rules';
import { gpusOf, type Layout, weightsOf } from '../../sizing/weights';
import { readOptions, versionOf } from '../model-setup';
import { type CandidateClass, findCandidateClasses } from './candidate-classes';
import { type Handwritten, readHandwritten } from './handwritten-fields';
import { resourcesOfPod } from './pod-resources';
import { type ChosenModel, chooseModel } from './choose-model';
import { countWrittenGpus } from './written-devices';

/** The layouts of a model, or why there are none. */
export type LayoutChoice =
  | { readonly layouts: ModelLayouts }
  | { readonly problems: readonly Diagnostic<ResourcePath>[] };

/** A layout on a class, and whether it holds the model. */
interface CandidateRow {
  readonly candidate: CandidateClass;
  readonly row: FitRow;
}

/**
 * Chooses the layouts of the model of a deployment: on each class the cheapest that holds the wanted requests. Layouts
 * that may not hold them are only chosen where no class has a better one; those that do not are never chosen.
 */
export function chooseLayouts(deployment: ModelDeployment, fleet: Fleet): LayoutChoice {
  const { model: spec } = deployment.spec;
  if (!spec) throw new Error('bug: a deployment without a model has no layouts');
  const found = chooseModel(deployment, spec, fleet);
  if ('problem' in found) return { problems: [found.problem] };
  const written = readHandwritten(deployment);
  const chosen = spec.context === undefined ? { ...found, context: contextOf(found, written) } : found;
  const best = findBestRows(deployment, fleet, chosen, written);
  if ('problem' in best) return { problems: [best.problem] };
  const weights = weightsOf(chosen.row);
  const layouts = {
    spec: digestModel(deployment),
    repository: chosen.row.repository,
    ...(chosen.revision !== undefined && { revision: chosen.revision }),
    ...(chosen.converted !== undefined && { quantization: chosen.converted }),
    context: chosen.context,
    image: spec.image ?? written.start.image,
    filesGiB: Math.ceil(weights?.totalGiB ?? 0),
    cached: false,
    layouts: mergeClasses(best.rows, chosen, written.requests !== undefined),
  };
  return { layouts };
}

/** The longest request: that of the written arguments, as far as the model allows it, or that of the model. */
function contextOf({ row }: ChosenModel, { profile: { memory }, settings }: Handwritten): number {
  const given = memory && readOptions(settings, memory)?.context;
  return typeof given === 'number' ? Math.min(given, row.positions) : row.positions;
}

/** A digest of what decides the layouts of a deployment. Prices, rows and other fields are not part of it. */
export function digestModel({ spec }: ModelDeployment): string {
  const { load: _, ...model } = spec.model ?? { load: undefined };
  const pods = spec.template.spec.engines.map(({ members }) =>
    members.map(({ role, worker, nodeSelector, template }) => [
      role,
      worker?.nodes ?? 1,
      nodeSelector?.devices ?? [],
      template.spec.containers[0].command ?? [],
      template.spec.containers[0].args ?? [],
      template.spec.containers[0].image,
    ]),
  );
  const sorted = Object.entries(model).filter(([, value]) => value !== undefined);
  const text = JSON.stringify([sortedBy(sorted, ([name]) => name), pods]);
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** The problem of a selector that no cluster matches: what it selects is wrong, and not the hardware. */
function findUnmatchedSelector(resource: ModelDeployment, { clusters }: Fleet): Diagnostic<ResourcePath> | undefined {
  const selector = resource.spec.template.spec.clusterSelector;
  const unmet = clusters.flatMap((cluster) => findUnmetRequirement(selector, clusterLabelsOf(cluster)) ?? []);
  if (clusters.length === 0 || unmet.length < clusters.length) return undefined;
  const at = { resource, path: ['spec', 'template', 'spec', 'clusterSelector'] };
  const what = `no cluster matches ${joinNames(sortUnique(unmet.map(({ requirement }) => requirement)))}`;
  const hint = `Use labels that a cluster has, as in '${CLUSTER_LABEL}: ${clusters[0]?.metadata.name ?? ''}' for its name`;
  return errorAt('no-layout', at, what, hint);
}

type Best = { readonly rows: readonly CandidateRow[] } | { readonly problem: Diagnostic<ResourcePath> };

function findBestRows(deployment: ModelDeployment, fleet: Fleet, chosen: ChosenModel, written: Handwritten): Best {
  const at = { resource: deployment, path: ['spec', 'model'] };
  const allowed = findCandidateClasses(deployment, fleet);
  if (allowed.length === 0) {
    const unmatched = findUnmatchedSelector(deployment, fleet);
    if (unmatched) return { problem: unmatched };
    const what = 'no cluster that the deployment may be on has a pool of a class with GPUs for the model';
    return { problem: errorAt('no-layout', at, what, 'Add a pool, or change spec.model.hardware or clusterSelector') };
  }
  // The images of engines that a release names are built for CUDA.
  const hasImage = (deployment.spec.model?.image ?? written.container?.image ?? '') !== '';
  const candidates = allowed.filter(({ gpu }) => hasImage || gpu.platform === 'cuda');
  if (candidates.length === 0) {
    const names = joinNames(allowed.map(({ hardware }) => hardware));
    const what = `the GPUs of ${names} are not of NVIDIA, and the default image of the engine needs CUDA`;
    return { problem: errorAt('no-layout', at, what, 'Set spec.model.image to an image for these GPUs') };
  }
  const question = questionOf(deployment, chosen, written);
  const rows = candidates.map((candidate) => rowsOf(question, candidate, written));
  const best = rows.map((all) => all.find(({ row }) => row.verdict === 'fits'));
  const fitting = best.flatMap((one) => one ?? []);
  const tight = rows.flatMap((all) => all.find(({ row }) => row.verdict === 'tight') ?? []);
  const usable = fitting.length > 0 ? fitting : tight;
  if (usable.length === 0) {
    const unmatched = rows.flat().length === 0 && describeUnmatchedRequests(deployment, candidates, written);
    return { problem: unmatched || describeNoLayout(at, question, rows.flat()) };
  }
  const ordered = deployment.spec.model?.hardware ? usable : [...usable].sort((a, b) => compareRows(a.row, b.row));
  return { rows: ordered };
}

/** What is asked of each layout: what the model and the arguments of the engine say. */
function questionOf(deployment: ModelDeployment, chosen: ChosenModel, written: Handwritten): FitQuestion {
  const { settings, profile, start } = written;
  const memory = profile.memory;
  if (!memory) throw new Error(`bug: the memory of ${profile.title} is not known`);
  const given = readOptions(settings, memory);
  const spec = deployment.spec.model;
  const image = spec?.image ?? (written.container?.image || start.image);
  const options = {
    engine: versionOf(memory, image).engine,
    context: chosen.context,
    concurrency: spec?.concurrency ?? 1,
    quantization: chosen.converted,
    kvBytes: given?.kvBytes ?? 2,
    utilization: given?.utilization,
    maxBatchedTokens: given?.maxBatchedTokens,
  };
  return { model: chosen.row, options, measurements: [] };
}

/** The layouts on a class that the written fields allow, the cheapest first. */
function rowsOf(question: FitQuestion, candidate: CandidateClass, written: Handwritten): CandidateRow[] {
  const { nodes, gpusPerNode } = candidate;
  const gpus = written.requests && countWrittenGpus(written.requests, candidate.devices);
  if (written.requests && gpus === undefined) return [];
  const own = {
    gpusPerNode: Math.min(gpusPerNode, gpus ?? gpusPerNode),
    nodes: Math.min(nodes, written.nodes ?? nodes),
  };
  const exact = written.tensor === undefined ? [] : [createTensorLayout(question.model, written.tensor)];
  const layouts = [...listNodeLayouts(question.model, own), ...exact, ...listGangLayouts(question.model, own)];
  const rows = layouts
    .filter((layout) => isAllowed(layout, own, written))
    .filter((layout) => gpus === undefined || gpusOf(layout) / layout.nodes === gpus)
    .map((layout) => ({ candidate, row: fitRow(question, candidate, layout) }));
  return rows.sort((a, b) => compareRows(a.row, b.row));
}

function isAllowed(layout: Layout, { gpusPerNode }: { readonly gpusPerNode: number }, written: Handwritten): boolean {
  const { nodes, tensor, start } = written;
  if (gpusOf(layout) / layout.nodes > gpusPerNode) return false;
  if (nodes !== undefined && layout.nodes !== nodes) return false;
  if (tensor !== undefined && layout.tp !== tensor) return false;
  return start.expertParallel !== undefined || (layout.dp === 1 && layout.ep === 1);
}

/** The problem of requests that no pod of the model can have: no context and no concurrency changes that. */
function describeUnmatchedRequests(
  resource: ModelDeployment,
  candidates: readonly CandidateClass[],
  { engine, member, requests, devices = 0 }: Handwritten,
): Diagnostic<ResourcePath> | undefined {
  if (!engine || !member || !requests) return undefined;
  const index = engine.members.indexOf(member);
  const members = ['spec', 'template', 'spec', 'engines', 0, 'members', index];
  const at = { resource, path: [...members, 'nodeSelector', 'devices', 0] };
  const matching = candidates.filter((one) => countWrittenGpus(requests, one.devices) !== undefined);
  const [largest] = [...(matching.length > 0 ? matching : candidates)].sort((a, b) => b.gpusPerNode - a.gpusPerNode);
  if (!largest) return undefined;
  if (matching.length === 0) {
    const what = `no class that the deployment may use has the devices that the engine requests`;
    return errorAt('no-layout', at, what, 'Change the selectors, or leave the request out: it follows from the model');
  }
  if (devices <= largest.gpusPerNode) return undefined;
  const what = `the engine needs ${devices} devices of one node, and no class has more than ${largest.gpusPerNode} ('${largest.hardware}')`;
  return errorAt(
    'no-layout',
    at,
    what,
    'Request fewer devices for each pod: a gang of a Leader and Workers runs on several nodes',
  );
}

function describeNoLayout(
  at: ResourcePath,
  { model, options }: FitQuestion,
  rows: readonly CandidateRow[],
): Diagnostic<ResourcePath> {
  const [nearest] = [...rows].sort((a, b) => gpusOf(b.row.layout) - gpusOf(a.row.layout));
  if (!nearest) {
    const what = `no layout of ${model.repository} has the GPUs and the parallelism that the engine asks for`;
    const hint = `Leave 'devices' and the flags of parallelism out: they follow from the model. 'fleetwright fit ${model.repository}' lists its layouts`;
    return errorAt('no-layout', at, what, hint);
  }
  const wanted = `${pluralize(options.concurrency, 'request')} of ${formatCount(options.context)} tokens`;
  const why = `on ${nearest.candidate.hardware}, ${formatLayout(nearest.row.layout)}: ${nearest.row.reason}`;
  const classes = [...new Set(rows.map(({ candidate }) => candidate.hardware))];
  const what = `no layout of ${model.repository} on ${joinNames(classes)} holds ${wanted} at once (${why})`;
  const hint = `Lower 'context' or 'concurrency', or allow other hardware: 'fleetwright fit ${model.repository}' lists what holds it`;
  return errorAt('no-layout', at, what, hint);
}

/**
 * Layouts of equal GPUs that differ in their class only are one. Written requests select the GPUs of all layouts, so
 * that layouts of different GPUs lead to the same pods: they are one as well, of what the smallest of them holds.
 */
function mergeClasses(rows: readonly CandidateRow[], chosen: ChosenModel, isWritten: boolean): ModelLayout[] {
  const merged = new Map<string, ModelLayout>();
  for (const { candidate, row } of rows) {
    const layout = toLayout(candidate, row, chosen);
    const { tp, pp, dp, ep, nodes, where } = layout;
    const key = JSON.stringify([isWritten || where, tp, pp, dp, ep, nodes]);
    const known = merged.get(key);
    const smaller = known && {
      ...(layout.kvGiB < known.kvGiB ? layout : known),
      classes: [...known.classes, ...layout.classes].sort(),
      cpu: Math.min(known.cpu, layout.cpu),
      memoryGiB: Math.min(known.memoryGiB, layout.memoryGiB),
    };
    merged.set(key, smaller ?? layout);
  }
  return [...merged.values()];
}

function toLayout(candidate: CandidateClass, { layout, ...row }: FitRow, { row: model }: ChosenModel): ModelLayout {
  const { tp, pp, dp, ep, nodes } = layout;
  const gpus = gpusOf(layout);
  const held = row.concurrency === null ? null : Math.floor(row.concurrency.expected);
  const isEncoder = model.attention.kind === 'none';
  return {
    classes: [candidate.hardware],
    where: candidate.where,
    gpu: row.gpu,
    tp,
    pp,
    dp,
    ep,
    nodes,
    ...resourcesOfPod(candidate, gpus / nodes),
    kvGiB: isEncoder ? 0 : roundTenth(Math.max(0, row.kvGiBPerGpu.expected) * gpus),
    requests: held,
  };
}

function roundTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
