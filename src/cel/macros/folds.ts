import { panicOnError, typedEntriesOf } from '../cel-go-compat/evaluation';
import { type CelType, createEvaluationError } from '../cel-js-internals';
import type { AstNode } from '../syntax-tree';
import { equals, ORDERED_TYPES, sortByKey } from '../values/comparison';
import { kindOf } from '../values/kinds';

/** One element of a range. `run` runs a part of the macro on it, and only before the next element is asked for. */
export interface ElementVisit {
  readonly key: unknown;
  readonly value: unknown;

  /** Whether the range is a list. */
  readonly listed: boolean;
  run(part: AstNode): unknown;
}

/** What a comprehension makes of its range. Its parts are its arguments behind the variables. */
export interface ComprehensionFold {
  /** The parts that must be true or false. */
  predicates(parts: readonly AstNode[]): readonly AstNode[];

  /** The name of the type of the result, from the types of the range and of the last part. */
  type(range: CelType, body: CelType): string;

  /** What is wrong with those types, as a clause; nothing where they fit. Default: all fit. */
  refuses?(range: CelType, body: CelType): string | undefined;

  /** `body` is the type of the last part. */
  run(visits: Iterable<ElementVisit>, parts: readonly AstNode[], body: CelType): unknown;
}

/** `exists` where one true element settles it, `all` where one false one does. Errors count if nothing settles it. */
export function createQuantifier(settles: boolean): ComprehensionFold {
  return {
    predicates: (parts) => parts,
    type: () => 'bool',
    run(visits, parts) {
      let error: unknown;
      for (const visit of visits) {
        try {
          if (meetsPredicates(visit, parts) === settles) return settles;
        } catch (caught) {
          error ??= caught;
        }
      }
      if (error) throw error;
      return !settles;
    },
  };
}

export const EXISTS_ONE: ComprehensionFold = {
  predicates: (parts) => parts,
  type: () => 'bool',
  run(visits, parts) {
    let count = 0;
    for (const visit of visits) count += meetsPredicates(visit, parts) ? 1 : 0;
    return count === 1;
  },
};

export const FILTER: ComprehensionFold = {
  predicates: (parts) => parts,
  type: ({ kind, name, keyType }) => (kind === 'list' ? name : `list<${keyType?.name ?? 'dyn'}>`),
  run(visits, parts) {
    const kept: unknown[] = [];
    for (const visit of visits) if (meetsPredicates(visit, parts)) kept.push(visit.value);
    return kept;
  },
};

/** `map` and `transformList`: the last part of each element that passes the part before it, if there is one. */
export const TRANSFORM_LIST: ComprehensionFold = {
  predicates: (parts) => parts.slice(0, -1),
  type: (_, body) => `list<${body.name}>`,
  run(visits, parts) {
    const made: unknown[] = [];
    for (const visit of visits)
      if (meetsPredicates(visit, parts.slice(0, -1))) made.push(transformElement(visit, parts));
    return made;
  },
};

export const TRANSFORM_MAP: ComprehensionFold = {
  predicates: (parts) => parts.slice(0, -1),
  type: ({ kind, keyType }, body) =>
    `map<${kind === 'list' ? 'int' : (keyType?.name ?? 'dyn')}, ${body.name}>`,
  run(visits, parts) {
    const made = new Map<unknown, unknown>();
    for (const visit of visits) {
      if (meetsPredicates(visit, parts.slice(0, -1))) made.set(visit.key, transformElement(visit, parts));
    }
    return made;
  },
};

/** The entries of the maps that are made of the elements, of which no two may have one key. */
export const TRANSFORM_MAP_ENTRY: ComprehensionFold = {
  predicates: (parts) => parts.slice(0, -1),
  type: (_, body) => (body.kind === 'map' ? body.name : 'map<dyn, dyn>'),
  refuses: (_, { kind, name }) =>
    kind === 'map' || isUnknown(kind)
      ? undefined
      : `the entries are those of a map, not of a value of type ${name}`,
  run(visits, parts) {
    const made = new Map<unknown, unknown>();
    for (const visit of visits) {
      if (!meetsPredicates(visit, parts.slice(0, -1))) continue;
      for (const [key, value] of requireMap(transformElement(visit, parts), parts.at(-1)))
        insertUnique(made, key, value);
    }
    return made;
  },
};

/** The elements of a list in the order of what is made of them. */
export const SORT_BY: ComprehensionFold = {
  predicates: () => [],
  // Of a list of unknown type any key makes another one, but for a key of unknown type: nothing is known then.
  type: ({ kind, name }, body) => (kind === 'list' ? name : body.kind === 'dyn' ? 'dyn' : 'list<T>'),
  refuses(range, { kind, name }) {
    if (range.kind === 'map') return 'only lists are sorted';
    return isUnknown(kind) || name === 'null' || ORDERED_TYPES.has(name)
      ? undefined
      : `values of type ${name} have no order`;
  },
  run(visits, parts, body) {
    const key = () => Array.from(visits, (visit) => ({ ...visit, by: transformElement(visit, parts) }));
    const keyed = isUnknown(body.kind) ? key() : panicOnError(key);
    if (keyed.some(({ listed }) => !listed)) throw new Error('only lists are sorted');
    return sortByKey(keyed, ({ by }) => by).map(({ value }) => value);
  },
};

function isUnknown(kind: string): boolean {
  return kind === 'dyn' || kind === 'param';
}

function requireMap(value: unknown, node: AstNode | undefined): readonly (readonly [unknown, unknown])[] {
  const entries = typedEntriesOf(value);
  if (entries || !node) return entries ?? [];
  throw createEvaluationError(`expected a map of entries, got a value of type ${kindOf(value)}`, node);
}

function insertUnique(made: Map<unknown, unknown>, key: unknown, value: unknown): void {
  if ([...made.keys()].some((other) => equals(other, key))) throw new Error('two entries have one key');
  made.set(key, value);
}

function meetsPredicates(visit: ElementVisit, predicates: readonly AstNode[]): boolean {
  return predicates.every((predicate) => {
    const result = visit.run(predicate);
    if (typeof result === 'boolean') return result;
    throw createEvaluationError(
      `expected true or false for each element, got a value of type ${kindOf(result)}`,
      predicate,
    );
  });
}

function transformElement(visit: ElementVisit, parts: readonly AstNode[]): unknown {
  const body = parts.at(-1);
  return body && visit.run(body);
}
