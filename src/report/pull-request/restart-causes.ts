import { isMap } from '../../base/json';
import type { Json } from '../../manifest/kubernetes/manifest';
import { sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import { isRepository } from '../../engine/named-model';
import type { DeploymentDiff, ReplicaChangeWithCauses } from '../../diff/deployment-diff';
import { type Cause, dedupeCauses, isPlacementField, movesToPool } from '../../diff/replica-causes';
import { poolsOf } from '../diff/change-sentences';
import { formatValue } from '../diff/field-changes-text';
import { listOptionChanges, splitScripts } from '../diff/option-changes';

const MAX_CAUSES = 2;

/** For what replicas restart. */
export interface RestartCauses {
  /** The declarations that change: `InferenceClass h100`. */
  readonly restartsFor?: string;

  /** What changes in them, but for image and model: `cache a → b`. Absent if it is no single value. */
  readonly steps?: string;
}

export function describeRestart({ deployment, changes, model }: DeploymentDiff): RestartCauses {
  const rolled = changes.filter((change) => {
    const { action, wave, cluster, from } = change;
    if (movesToPool(change)) return false;
    return action === 'roll' ? wave !== undefined : action === 'move' && from?.cluster === cluster;
  });
  const causes = dedupeCauses(rolled.flatMap((change) => change.causes));
  if (causes.length === 0) return {};
  const restartsFor = joinNames(sortUnique(causes.map(({ id }) => id)), MAX_CAUSES);
  const sources = listSourceSteps(causes);
  const isShown = (step: string): boolean =>
    ((model ?? sources[0]) === undefined || !step.startsWith('model ')) &&
    // The address of files is their name.
    !(model && step.endsWith(` ${formatValue(model.before)} → ${formatValue(model.after)}`));
  const own = causes.filter(({ id }) => id === `ModelDeployment ${deployment}` || id.startsWith('ModelCache '));
  const pools = rolled.flatMap(listPoolSteps);
  const shown = (own.length > 0 ? own : causes).filter(isNoImage);
  const caches = new Set(shown.map(({ id }) => id));
  const edited = shown.flatMap((cause) => listSteps(cause).map((step) => `${prefixOf(cause, caches.size)}${step}`));
  const steps = sortUnique([...pools, ...edited, ...listAdapterSteps(shown), ...sources]).filter(isShown);
  const requests = own.length > 0 ? [] : describeRequests(rolled);
  // The clause on the node pool, and the edits, have the hardware.
  const named = requests.length > 0 ? steps.filter((step) => !step.startsWith(`${NAMES['from']} `)) : steps;
  const all = [joinNames(named, MAX_CAUSES), ...requests];
  const shownSteps = all.filter((text) => text !== '').join(', so ');
  return { restartsFor, ...(shownSteps !== '' && { steps: shownSteps }) };
}

/** `pods request more CPU and memory`, where an edit of the nodes does nothing else to the replicas. */
function describeRequests(rolled: readonly ReplicaChangeWithCauses[]): string[] {
  const [requests, ...others] = new Set(rolled.map((change) => change.requests));
  return requests === undefined || others.length > 0 ? [] : [`pods request ${AMOUNTS[requests]} CPU and memory`];
}

const AMOUNTS: Readonly<Record<NonNullable<ReplicaChangeWithCauses['requests']>, string>> = {
  more: 'more',
  less: 'less',
  other: 'other amounts of',
};

/** `cache w: `, where several declarations change. */
function prefixOf({ id }: Cause, declarations: number): string {
  const [kind, name = ''] = id.split(' ');
  return kind === 'ModelCache' && declarations > 1 ? `cache ${name.split('/').at(-1)}: ` : '';
}

/** `adapter sql → sql-v7`, `adapter sql added`. */
function listAdapterSteps(causes: readonly Cause[]): string[] {
  const items = causes.flatMap(({ field }) => (field?.path.at(-2) === 'loraAdapters' ? [field] : []));
  const named = (side: 'before' | 'after'): string[] =>
    items.flatMap((one) => {
      const value = one[side];
      return isMap(value) && typeof value['name'] === 'string' ? [value['name']] : [];
    });
  const [gone, made] = [named('before'), named('after')];
  if (gone.length === 1 && made.length === 1) return [`adapter ${gone.join('')} → ${made.join('')}`];
  return [...made.map((name) => `adapter ${name} added`), ...gone.map((name) => `adapter ${name} removed`)];
}

/** `weights from Hugging Face instead of the cache`, where an engine names a repository and a cache goes, or is new. */
function listSourceSteps(causes: readonly Cause[]): string[] {
  const edited = causes.flatMap(({ field }) => field ?? []);
  const references = edited.filter(({ path }) => path.at(-1) === 'modelCacheRef');
  const isLeft = references.some(({ after }) => after === undefined);
  const isNew =
    references.some(({ before }) => before === undefined) ||
    causes.some(({ id, action }) => action === 'added' && id.startsWith('ModelCache '));
  if (isLeft === isNew) return [];
  const words = edited.flatMap(({ before, after }) => [isLeft ? after : before].filter(areWords).flat());
  if (words.some((word) => isRepository(word.slice(word.indexOf('=') + 1)))) {
    return [`weights from ${isLeft ? 'Hugging Face instead of the cache' : 'the cache instead of Hugging Face'}`];
  }
  const [cache] = references.map(({ before, after }) => before ?? after);
  return isMap(cache) ? [`cache ${String(cache['name'])} ${isLeft ? 'removed' : 'added'}`] : [];
}

/** `pool h100 → h200`, of a replica that restarts on other nodes of its cluster. */
function listPoolSteps({ action, from, ...to }: ReplicaChangeWithCauses): string[] {
  const [was, is] = [poolsOf(from ?? to), poolsOf(to)];
  return action === 'roll' && was !== is ? [`pool ${was} → ${is}`] : [];
}

function isNoImage({ field }: Cause): boolean {
  return field?.path.at(-1) !== 'image';
}

/** Describes what is edited by which replicas change, without the name of their deployment and without counts. */
export function describeEdits({ deployment, changes }: DeploymentDiff): string {
  const edits = dedupeCauses(changes.flatMap((change) => change.causes)).map(({ id, action, field }) => {
    const [kind = ''] = id.split(' ');
    const subject = id === `ModelDeployment ${deployment}` || kind === 'ModelCache' ? kind : id;
    const values = field && !isPlacementField(field) ? [field.before, field.after] : [];
    return JSON.stringify([subject, action, field?.field, ...values]);
  });
  return sortUnique(edits).join('\n');
}

/** The steps of what an engine loads and how it is called: models, arguments, labels and other single values. */
function listSteps({ field }: Cause): string[] {
  if (!field) return [];
  const { path, before, after } = field;
  if (areWords(before) && areWords(after)) return listArgumentSteps(before, after);
  const scalar = describeScalar(before, after);
  if (scalar !== undefined) return [`${variableOf(field.field) ?? nameOf(path)} ${scalar}`];
  if (areWords(before ?? after) || SAID.test(field.field)) return [];
  return [`${field.field.slice(field.field.lastIndexOf('.') + 1)} ${describeAction(before, after)}`];
}

/** `8 → 16`, `8 added` or `removed`; undefined where a value is not a single one. */
function describeScalar(before: Json | undefined, after: Json | undefined): string | undefined {
  if (isScalar(before) && isScalar(after)) return `${formatValue(before)} → ${formatValue(after)}`;
  if (isScalar(after) && before === undefined) return `${formatValue(after)} added`;
  return isScalar(before) && after === undefined ? 'removed' : undefined;
}

function describeAction(before: Json | undefined, after: Json | undefined): string {
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}

/** Fields of which other parts of a row say what changes. */
const SAID = /\.(?:copies|scaling|modelCacheRef|loraAdapters\[[^[\]]+\])$/;

/** The variable of which a field is the value. */
function variableOf(field: string): string | undefined {
  const at = field.lastIndexOf('env[');
  return at !== -1 && field.endsWith('].value') ? field.slice(at + 'env['.length, -'].value'.length) : undefined;
}

/** What people call a field. The key of a label can be the name of anything. */
function nameOf(path: NonNullable<Cause['field']>['path']): string {
  const name = String(path.at(-1));
  const parent = path.at(-2);
  if (parent === 'labels') return `label ${name}`;
  if (parent === 'annotations') return `annotation ${name}`;
  if (parent === 'modelCacheRef') return 'cache';
  // The devices and amounts of a node have these names too.
  const reserved = path.indexOf('reserved');
  if (reserved !== -1) return path.slice(reserved).join('.');
  const known = NAMES_BELOW[`${String(parent)}.${name}`];
  if (known !== undefined) return known;
  if (name === 'name' && /Secret(Ref)?$/i.test(String(parent))) return 'secret';
  return NAMES[name] ?? name;
}

/** Names of fields that say nothing without the field around them. */
const NAMES_BELOW: Readonly<Record<string, string>> = {
  'down.after': 'scale-down after',
  'startup.budget': 'startup budget',
  'drain.grace': 'drain grace',
};

const NAMES: Readonly<Record<string, string>> = { repo: 'model', from: 'hardware' };

function isScalar(value: Json | undefined): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function areWords(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string');
}

/** `model Qwen/Qwen3-8B → Qwen/Qwen3-0.6B`, for the options that two command lines give otherwise. */
function listArgumentSteps(before: readonly string[], after: readonly string[]): string[] {
  return listOptionChanges(splitScripts(before), splitScripts(after)).map(({ name, was, is }) => {
    const label = name.replace(/^-+/, '');
    if (!was) return is?.value === undefined ? `${label} added` : `${label} ${formatValue(is.value)} added`;
    if (!is) return `${label} removed`;
    return `${label} ${formatValue(was.value ?? FLAG_SET)} → ${formatValue(is.value ?? FLAG_SET)}`;
  });
}

/** The value of a flag that has none. */
const FLAG_SET = 'on';
