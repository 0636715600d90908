import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { isMap } from '../../base/json';
import { hintAtName, suggestName } from '../../base/name-suggestion';
import { describeTypeOf, shortenText } from '../../base/describe-value';
import { API_VERSION, BOTH_GROUPS, type Group, type Path } from '../resource';
import { describeMissingField } from './rules';

interface KnownKind {
  readonly kind: string;
  readonly groups: readonly Group[];
}

/** Whether a document belongs to a Fleetwright group, also if its API version or kind is misspelled. */
export function isMeantForFleetwright(value: unknown, kinds: readonly KnownKind[]): boolean {
  const { apiVersion, kind } = isMap(value) ? value : {};
  const known = kinds.some((one) => one.kind === kind);
  if (apiVersion === undefined) return known;
  const [group = ''] = String(apiVersion).split('/');
  if (group === 'fleetwright.dev') return true;
  // Groups of other projects contain a dot: a known kind in a group without a dot is meant for Fleetwright.
  return known && (suggestName(group, BOTH_GROUPS) !== undefined || !group.includes('.'));
}

/** Reads and checks group, version and kind of a document. */
export function readGroupVersionKind<K extends KnownKind>(
  value: unknown,
  kinds: readonly K[],
): { readonly kind: K; readonly group: Group } | { readonly findings: readonly Diagnostic<Path>[] } {
  const { apiVersion, kind: name } = isMap(value) ? value : {};
  const [group = '', version] = String(apiVersion ?? '').split('/');
  const kind = kinds.find((one) => one.kind === name);
  const findings = [...checkVersion(apiVersion, group, version), ...checkKind(name, kind, kinds)];
  if (kind && isGroup(group) && findings.length === 0) {
    return kind.groups.includes(group) ? { kind, group } : { findings: [describeWrongGroup(kind, group)] };
  }
  return { findings };
}

function checkVersion(apiVersion: unknown, group: string, version: string | undefined): Diagnostic<Path>[] {
  const path = ['apiVersion'];
  if (apiVersion === undefined || apiVersion === null) {
    return [describeMissingField(path, `Use fleetwright.dev/${API_VERSION}`)];
  }
  if (isGroup(group) && version === API_VERSION) return [];
  const hint = `Use '${suggestName(group, BOTH_GROUPS) ?? 'fleetwright.dev'}/${API_VERSION}'`;
  return [errorAt('unknown-version', path, describeVersion(group, version), hint)];
}

function describeVersion(group: string, version: string | undefined): string {
  if (!isGroup(group)) return `'${shortenText(group)}' is not an API group of Fleetwright`;
  return version === undefined ? `'${group}' has no version` : `${group} has no version '${shortenText(version)}'`;
}

function checkKind(name: unknown, kind: KnownKind | undefined, kinds: readonly KnownKind[]): Diagnostic<Path>[] {
  const path = ['kind'];
  const known = kinds.map((one) => one.kind);
  if (name === undefined || name === null) {
    return [describeMissingField(path, `Use one of ${known.join(', ')}`)];
  }
  if (kind) return [];
  if (typeof name !== 'string') {
    return [
      errorAt('wrong-type', path, `expected text, got ${describeTypeOf(name)}`, `Use one of ${known.join(', ')}`),
    ];
  }
  // A name of Kubernetes, such as Deployment or Service.
  const [whole, ...others] = known.filter((one) => one.endsWith(name));
  const hint = whole !== undefined && others.length === 0 ? `Did you mean '${whole}'?` : hintAtName(name, known);
  return [errorAt('unknown-kind', path, `unknown kind '${shortenText(name)}'`, hint)];
}

function describeWrongGroup({ kind, groups }: KnownKind, group: Group): Diagnostic<Path> {
  const hint = `Use '${groups.map((one) => `${one}/${API_VERSION}`).join("' or '")}'`;
  return errorAt('unknown-kind', ['apiVersion'], `${group} has no kind ${kind}`, hint);
}

function isGroup(group: string): group is Group {
  return BOTH_GROUPS.some((one) => one === group);
}
