import { nearest } from '../../nearest';
import { BOTH_GROUPS, type Finding, type Group, VERSION } from '../resource';
import { shortened, typeOf } from '../wording';
import { missingField } from './common-findings';

/** What decides which schema reads a document. */
interface HeadOf<K> {
  readonly kind: K;
  readonly group: Group;
}

interface KnownKind {
  readonly kind: string;
  readonly groups: readonly Group[];
}

/** Whether a document belongs to one of our groups, or says so with a slip of the pen. */
export function claims(value: unknown, kinds: readonly KnownKind[]): boolean {
  const { apiVersion, kind } = asMap(value);
  const known = kinds.some((one) => one.kind === kind);
  if (apiVersion === undefined) return known;
  const [group = ''] = String(apiVersion).split('/');
  if (group === 'fleetwright.dev') return true;
  // Kinds of others live in groups with a dot; one of ours without it was meant for us.
  return known && (groupMeant(group) !== undefined || !group.includes('.'));
}

/** Reads group, version and kind of a document. */
export function readHead<K extends KnownKind>(
  value: unknown,
  kinds: readonly K[],
): HeadOf<K> | { readonly findings: readonly Finding[] } {
  const { apiVersion, kind: name } = asMap(value);
  const [group = '', version] = String(apiVersion ?? '').split('/');
  const kind = kinds.find((one) => one.kind === name);
  const findings = [...versionFindings(apiVersion, group, version), ...kindFindings(name, kind, kinds)];
  if (kind && isGroup(group) && findings.length === 0) {
    return kind.groups.includes(group) ? { kind, group } : { findings: [wrongGroup(kind, group)] };
  }
  return { findings };
}

function versionFindings(apiVersion: unknown, group: string, version: string | undefined): Finding[] {
  const path = ['apiVersion'];
  const ours = `fleetwright.dev/${VERSION}`;
  if (apiVersion === undefined || apiVersion === null) {
    return [missingField(path, `Use ${ours}`)];
  }
  if (isGroup(group) && version === VERSION) return [];
  const hint = `Use '${groupMeant(group) ?? 'fleetwright.dev'}/${VERSION}'`;
  return [{ code: 'unknown-version', path, what: versionProblem(group, version), hint }];
}

function versionProblem(group: string, version: string | undefined): string {
  if (!isGroup(group)) return `'${shortened(group)}' is not one of our groups`;
  return version === undefined
    ? `'${group}' has no version`
    : `${group} has no version '${shortened(version)}'`;
}

function kindFindings(name: unknown, kind: KnownKind | undefined, kinds: readonly KnownKind[]): Finding[] {
  const path = ['kind'];
  const known = kinds.map((one) => one.kind);
  if (name === undefined || name === null) {
    return [missingField(path, `Use one of ${known.join(', ')}`)];
  }
  if (kind) return [];
  if (typeof name !== 'string')
    return [{ code: 'wrong-type', path, what: `expected text, got ${typeOf(name)}` }];
  const meant = nearest(name, known);
  const hint = meant ? `Use '${meant}'` : `Use one of ${known.join(', ')}`;
  return [{ code: 'unknown-kind', path, what: `'${shortened(name)}' is none of our kinds`, hint }];
}

function wrongGroup({ kind, groups }: KnownKind, group: Group): Finding {
  const hint = `Use '${groups.map((one) => `${one}/${VERSION}`).join("' or '")}'`;
  return { code: 'unknown-kind', path: ['apiVersion'], what: `${group} has no kind ${kind}`, hint };
}

function isGroup(group: string): group is Group {
  return BOTH_GROUPS.some((one) => one === group);
}

function groupMeant(group: string): string | undefined {
  return nearest(group, BOTH_GROUPS);
}

function asMap(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
