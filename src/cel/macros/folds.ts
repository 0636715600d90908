import { panicOnError, typedEntriesOf } from '../cel-go-compat/evaluation';
import { type CelType, createEvaluationError } from '../cel-js-internals';
import type { AstNode } from '../syntax-tree';
import { equals, ORDERED_TYPES, sortByKey } from '../values/comparison';
import { kindOf } from '../values/kinds';

/** One element of a range. `run` evaluates a part of the macro for it. Call it before the next element is read. */
export interface ElementVisit {
  readonly key: unknown;
  readonly value: unknown;

  /** Whether the range is a list. */
  readonly listed: boolean;
  run(part: AstNode): unknown;
}

/** Reduces a range to the result of a comprehension. The parts are the arguments after the variables. */
export interface ComprehensionFold {
  /** Returns the parts that must be boolean. */
  predicates(parts: readonly AstNode[]): readonly AstNode[];

  /** Returns the type name of the result, from the types of the range and of the last part. */
  type(range: CelType, body: CelType): string;

  /** Describes why these types are invalid, as a clause, or returns `undefined`. Default: all are valid. */
  refuses?(range: CelType, body: CelType): string | undefined;

  /** Computes the result. `body` is the type of the last part. */
  run(visits: Iterable<ElementVisit>, parts: readonly AstNode[], body: CelType): unknown;
}

/**
 * Creates `exists`, which stops at a true element, or `all`, which stops at a false element. An error counts only if no
 * element stops the evaluation.
 */
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

/** `exists_one` and `existsOne`: whether exactly one element satisfies the predicate. */
export const EXISTS_ONE: ComprehensionFold = {
  predicates: (parts) => parts,
  type: () => 'bool',
  run: (visits, parts) => [...selectVisits(visits, parts)].length === 1,
};

/** `filter`: the elements that satisfy the predicate. For a map, the keys. */
export const FILTER: ComprehensionFold = {
  predicates: (parts) => parts,
  type: ({ kind, name, keyType }) => (kind === 'list' ? name : `list<${keyType?.name ?? 'dyn'}>`),
  run: (visits, parts) => Array.from(selectVisits(visits, parts), ({ value }) => value),
};

/** `map` and `transformList`: the last part for each element that satisfies the optional predicate before it. */
export const TRANSFORM_LIST: ComprehensionFold = {
  predicates: (parts) => parts.slice(0, -1),
  type: (_, body) => `list<${body.name}>`,
  run: (visits, parts) =>
    Array.from(selectVisits(visits, parts.slice(0, -1)), (visit) => transformElement(visit, parts)),
};

/** `transformMap`: the last part by key, for each element that satisfies the optional predicate before it. */
export const TRANSFORM_MAP: ComprehensionFold = {
  predicates: (parts) => parts.slice(0, -1),
  type: ({ kind, keyType }, body) => `map<${kind === 'list' ? 'int' : (keyType?.name ?? 'dyn')}, ${body.name}>`,
  run: (visits, parts) =>
    new Map(
      Array.from(selectVisits(visits, parts.slice(0, -1)), (visit) => [visit.key, transformElement(visit, parts)]),
    ),
};

/** `transformMapEntry`: the merged entries of the maps that the last part creates. Keys must be unique. */
export const TRANSFORM_MAP_ENTRY: ComprehensionFold = {
  predicates: (parts) => parts.slice(0, -1),
  type: (_, body) => (body.kind === 'map' ? body.name : 'map<dyn, dyn>'),
  refuses: (_, { kind, name }) =>
    kind === 'map' || isUnknown(kind) ? undefined : `the entries are those of a map, not of a value of type ${name}`,
  run(visits, parts) {
    const result = new Map<unknown, unknown>();
    for (const visit of selectVisits(visits, parts.slice(0, -1))) {
      for (const [key, value] of requireMap(transformElement(visit, parts), parts.at(-1))) {
        if ([...result.keys()].some((other) => equals(other, key))) throw new Error('two entries have one key');
        result.set(key, value);
      }
    }
    return result;
  },
};

/** `sortBy`: the elements of a list, sorted by the last part. */
export const SORT_BY: ComprehensionFold = {
  predicates: () => [],
  // A list of unknown type has an open type. If the type of the key is also unknown, so is the result type.
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

/** Evaluates an element only when the caller takes it. */
function* selectVisits(visits: Iterable<ElementVisit>, predicates: readonly AstNode[]): Iterable<ElementVisit> {
  for (const visit of visits) if (meetsPredicates(visit, predicates)) yield visit;
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
