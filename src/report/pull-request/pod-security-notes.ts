import { groupBy, sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import { POD_SECURITY_LEVEL } from '../../manifest/kubernetes/labels-and-annotations';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { WORKLOAD_KINDS } from '../../manifest/kubernetes/workload-kinds';
import type { LowerLevel } from '../../plan/notes';
import { escapeMarkdown, formatCode } from '../document/write-markdown';
import { listCreatedClusters } from './new-needs';

type Changes = Pick<FleetDiff, 'objects' | 'declarations' | 'cloud'>;

/** The levels, the strictest first. */
const LEVELS: readonly unknown[] = ['restricted', 'baseline', 'privileged'];

/** The level that refuses no pod. */
const UNRESTRICTED = 'privileged';

/** The most names of one kind in a line. */
const MAX_NAMED = 5;

/** Says why a namespace restricts its pods less. Undefined: not known. */
export type ExplainLevel = (lowered: LowerLevel) => string | undefined;

/** Says which namespaces restrict their pods less, which more, and which may be there already with other pods. */
export function formatLevelNotes(diff: Changes, reasonOf: ExplainLevel = () => undefined): string[] {
  const changed = listChangedLevels(diff);
  return [
    ...formatLowered(changed.filter(isLowered), reasonOf),
    ...formatRaised(changed.filter((one) => !isLowered(one))),
    ...formatAdopted(listAdopted(diff)),
  ];
}

/** `also in the manifests, which set its Pod Security level to restricted`. */
export function describeInManifests(level: string = UNRESTRICTED): string {
  return `also in the manifests${level === UNRESTRICTED ? '' : `, which set its Pod Security level to ${level}`}`;
}

/** The level of a namespace on a cluster. */
interface Level {
  readonly cluster: string;
  readonly name: string;
  readonly level: string;

  /** Absent where the namespace is created. */
  readonly before?: string;
}

function listChangedLevels({ objects }: Changes): Level[] {
  return objects.flatMap(({ action, kind, name, cluster, fields }) => {
    if (action !== 'change' || kind !== 'Namespace') return [];
    return fields.flatMap(({ path, before, after }) =>
      path.at(-1) === POD_SECURITY_LEVEL && LEVELS.includes(before) && LEVELS.includes(after)
        ? [{ name, cluster, before: String(before), level: String(after) }]
        : [],
    );
  });
}

function isLowered({ before, level }: Level): boolean {
  return LEVELS.indexOf(level) > LEVELS.indexOf(before);
}

function formatLowered(lowered: readonly Level[], reasonOf: ExplainLevel): string[] {
  const texts = groupLevels(lowered).map(({ where, before, ...one }) => {
    const reason = reasonOf({ ...one, namespace: one.name });
    return `${where} from ${before} to ${one.level}${reason === undefined ? '' : ` (${escapeMarkdown(reason)})`}`;
  });
  return texts.length > 0 ? [`Lowers the Pod Security level of namespace ${joinNames(texts, MAX_NAMED)}.`] : [];
}

function formatRaised(raised: readonly Level[]): string[] {
  const texts = groupLevels(raised).map(({ where, before, level }) => `${where} from ${before} to ${level}`);
  if (texts.length === 0) return [];
  const what = `Raises the Pod Security level of namespace ${joinNames(texts, MAX_NAMED)}`;
  return [
    `${what}: pods there that need more are refused when they next start. To keep the level, ${adviseExisting(raised)}.`,
  ];
}

function formatAdopted(adopted: readonly Level[]): string[] {
  const texts = groupLevels(adopted).map(({ where, level }) => `${where} to ${level}`);
  if (texts.length === 0) return [];
  const what = `Sets the Pod Security level of namespace ${joinNames(texts, MAX_NAMED)}`;
  const refused = 'where one exists already, pods there that need more are refused when they next start';
  return [`${what}: ${refused}. To leave namespaces as they are, ${adviseExisting(adopted)}.`];
}

/** The level of a namespace on the clusters on which it changes alike. */
interface AlikeLevels extends Level {
  /** `` `search` on `eu`, `us` ``. */
  readonly where: string;
}

function groupLevels(levels: readonly Level[]): AlikeLevels[] {
  const groups = groupBy(levels, ({ name, before, level }) => `${name} ${before} ${level}`);
  return [...groups.values()].map((all) => {
    const [first] = all as unknown as readonly [Level];
    return { ...first, where: `${formatCode(first.name)} on ${nameClusters(all)}` };
  });
}

/** `` set `namespaces: Existing` of InferenceCluster `us`: … ``. */
function adviseExisting(levels: readonly Level[]): string {
  const clusters = nameClusters(levels);
  return `set ${formatCode('namespaces: Existing')} of InferenceCluster ${clusters}: Fleetwright then creates and labels no namespaces there`;
}

function nameClusters(levels: readonly Level[]): string {
  return joinNames(sortUnique(levels.map(({ cluster }) => cluster)).map(formatCode), MAX_NAMED);
}

/**
 * The namespaces that are created and probably exist already with pods of other tools: those of a cluster that existed
 * and whose namespaces are managed from now on, and those in which the fleet runs nothing.
 */
function listAdopted({ objects, declarations, cloud }: Changes): Level[] {
  const fresh = new Set(listCreatedClusters({ cloud }));
  const switched = new Set(
    declarations.flatMap(({ id, fields }) => (fields.some(({ field }) => field === 'spec.namespaces') ? [id] : [])),
  );
  const running = new Set(objects.filter(hasPods).map(({ cluster, namespace }) => `${cluster} ${namespace}`));
  return objects.flatMap(({ cluster, name, podSecurity = UNRESTRICTED }) => {
    if (podSecurity === UNRESTRICTED || name === SYSTEM_NAMESPACE || fresh.has(cluster)) return [];
    const isAdopted = switched.has(`InferenceCluster ${cluster}`) || !running.has(`${cluster} ${name}`);
    return isAdopted ? [{ cluster, name, level: podSecurity }] : [];
  });
}

/** Whether pods come from an object: those of engines, or those that stage a cache. */
function hasPods({ kind }: FleetDiff['objects'][number]): boolean {
  return kind in WORKLOAD_KINDS || kind === 'Job' || kind === 'CronJob';
}
