import { type Resource, resourceIdOf } from '../api/kinds';
import { attempt } from '../base/attempt';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { sortedBy } from '../base/order';
import { joinNames } from '../base/text';
import type { UnreadDeclaration } from '../diff/fleet-state';
import type { LoadedFleet } from './read-fleet';

/** The resources with errors, by ID, each with the earlier declaration that takes its place, if one is known. */
export type SetAside = ReadonlyMap<string, Resource | undefined>;

/** The next earlier declaration of a resource, the newest first. Undefined if no more are known. */
export type FindEarlierDeclaration = (id: string) => Resource | undefined;

/** The result of a step without the resources that have errors. */
export interface Remainder<T> {
  readonly value: T;

  /** The errors of the resources that are set aside. */
  readonly problems: readonly Diagnostic[];
  readonly aside: SetAside;
}

/** The kinds of which one resource with errors stops no other. All others concern the whole fleet. */
const SEPARABLE_KINDS: ReadonlySet<string> = new Set<Resource['kind']>([
  'ModelDeployment',
  'ModelCache',
  'ModelService',
  'ModelEndpoint',
  'Grant',
]);

/**
 * Repeats a step, each time without the resources that had errors before, until it succeeds.
 *
 * @param step fails with everything that is wrong
 * @param start what is set aside before the first step. Default: nothing
 * @throws FleetwrightError with everything that is wrong, if some of it is about more than one resource
 */
export function setAsideFaults<T>(
  step: (aside: SetAside) => T,
  recall: FindEarlierDeclaration,
  start: Omit<Remainder<unknown>, 'value'> = { problems: [], aside: new Map() },
): Remainder<T> {
  const aside = new Map(start.aside);
  const problems = [...start.problems];
  for (;;) {
    const taken = attempt(() => step(aside));
    if ('value' in taken) return { value: taken.value, problems, aside };
    const subjects = taken.problems.map(({ subject }) => subject);
    const ids = new Set(subjects.flatMap((id) => (id !== undefined && isSeparable(id, aside) ? [id] : [])));
    const others = taken.problems.filter(({ subject = '' }) => !ids.has(subject));
    if (others.length > 0) throw new FleetwrightError([...problems, ...taken.problems]);
    // An error of an earlier declaration is nothing that its user can correct.
    const own = taken.problems.filter(({ subject = '' }) => !aside.has(subject));
    problems.push(...own.map((problem) => explainConsequence(problem, aside)));
    for (const id of ids) aside.set(id, recall(id));
  }
}

/** Whether a resource can be set aside: it has not been removed yet. */
function isSeparable(id: string, aside: SetAside): boolean {
  return isSeparableKind(kindOf(id)) && !(aside.has(id) && aside.get(id) === undefined);
}

/** Whether one resource of a kind stops no other. */
export function isSeparableKind(kind: string): boolean {
  return SEPARABLE_KINDS.has(kind);
}

/** For errors that a missing resource causes: the kinds that can be missing, and whether only of the same namespace. */
const CONSEQUENCES: Readonly<Record<string, { readonly kinds: readonly string[]; readonly sameNamespace: boolean }>> = {
  'unknown-reference': { kinds: ['ModelCache'], sameNamespace: true },
  'selects-nothing': { kinds: ['ModelDeployment', 'ModelEndpoint', 'Grant'], sameNamespace: false },
  'no-target': { kinds: ['ModelDeployment', 'ModelEndpoint'], sameNamespace: true },
  'unrouted-engine': { kinds: ['ModelService'], sameNamespace: true },
};

/** Replaces an error about a missing resource by one that names the resource which is set aside. */
function explainConsequence(problem: Diagnostic, aside: SetAside): Diagnostic {
  const { code, at, message, subject = '' } = problem;
  const rule = CONSEQUENCES[code];
  if (!rule) return problem;
  const causes = [...aside].flatMap(([id, earlier]) => {
    const isNear = !rule.sameNamespace || namespaceOf(id) === namespaceOf(subject);
    const isNamed = code !== 'unknown-reference' || message.includes(`'${nameOf(id)}'`);
    return earlier === undefined && rule.kinds.includes(kindOf(id)) && isNear && isNamed ? [id] : [];
  });
  if (causes.length === 0) return problem;
  const what = `it may depend on ${joinNames(causes, MAX_NAMED)}, which ${causes.length === 1 ? 'has' : 'have'} errors`;
  return { ...errorAt('set-aside', at, what, 'Correct those errors first'), subject };
}

const MAX_NAMED = 4;

function kindOf(id: string): string {
  return id.split(' ')[0] ?? '';
}

/** The `namespace/name` of the ID of a resource. */
export function qualifiedNameIn(id: string): string {
  return id.slice(id.indexOf(' ') + 1);
}

function namespaceOf(id: string): string {
  return qualifiedNameIn(id).split('/')[0] ?? '';
}

function nameOf(id: string): string {
  return qualifiedNameIn(id).split('/').at(-1) ?? '';
}

/** Whether an ID is that of a deployment. */
export function isDeploymentId(id: string): boolean {
  return kindOf(id) === 'ModelDeployment';
}

/** A loaded fleet in which earlier declarations replace the resources that are set aside. */
export function replaceSetAside<T extends LoadedFleet>(read: T, aside: SetAside): T {
  if (aside.size === 0) return read;
  const remains = ({ subject = '' }: Diagnostic): boolean => !aside.has(subject);
  const earlier = [...aside.values()].filter((one) => one !== undefined);
  const others = read.resources.filter((resource) => !aside.has(resourceIdOf(resource)));
  return {
    ...read,
    resources: sortedBy([...others, ...earlier], resourceIdOf),
    problems: read.problems.filter(remains),
    missing: read.missing.filter(remains),
    ...(read.missingParts && { missingParts: read.missingParts.filter(remains) }),
    unread: read.unread.filter(({ id = '' }) => !aside.has(id)),
  };
}

/** The declarations as they are written, where earlier ones replace the resources that are set aside. */
export interface WrittenDeclarations {
  readonly resources: readonly Resource[];

  /** The resources that cannot be read, by ID. */
  readonly unread: ReadonlyMap<string, UnreadDeclaration>;
}

/**
 * Returns the resources as they are written, with those that are set aside.
 *
 * @param problems the errors of the resources that are set aside
 */
export function listWritten(
  read: Pick<LoadedFleet, 'resources' | 'unread'>,
  { aside, problems }: Omit<Remainder<unknown>, 'value'>,
): WrittenDeclarations {
  const written = new Set(read.resources.map(resourceIdOf));
  const places = new Map(problems.map(({ subject = '', at }) => [subject, at]));
  const unread = [...aside.keys()].filter((id) => !written.has(id));
  const valid = new Map(read.unread.flatMap((one) => (one.id !== undefined && one.valid ? [[one.id, one.valid]] : [])));
  const declarations = unread.map((id): [string, UnreadDeclaration] => {
    const readable = valid.get(id);
    return [id, { where: places.get(id) ?? '', ...(readable && { valid: readable }) }];
  });
  return { resources: read.resources, unread: new Map(declarations) };
}

/** Whether the routes of all services stay as they are: what some of them lead to is not known. */
export function keepsRouting(aside: SetAside): boolean {
  return [...aside].some(([id, earlier]) => earlier === undefined && ROUTING_KINDS.has(kindOf(id)));
}

const ROUTING_KINDS: ReadonlySet<string> = new Set<Resource['kind']>(['ModelService', 'ModelEndpoint', 'Grant']);
