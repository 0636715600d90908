import { failure, type Type } from './macro';
import type { Node } from './syntax';
import { equals } from './equality';
import { inOrder, ORDERED } from './order-of-values';
import { orPanic } from './panics';
import { kindOf } from './values';
import { writtenEntries } from './written-keys';

/** One element of a range. `run` runs a part of the macro on it, and only before the next element is asked for. */
export interface Visit {
  readonly key: unknown;
  readonly value: unknown;

  /** Whether the range is a list. */
  readonly listed: boolean;
  run(part: Node): unknown;
}

/** What a comprehension makes of its range. Its parts are its arguments behind the variables. */
export interface Fold {
  /** The parts that must be true or false. */
  predicates(parts: readonly Node[]): readonly Node[];

  /** The name of the type of the result, from the types of the range and of the last part. */
  type(range: Type, body: Type): string;

  /** What is wrong with those types, as a clause; nothing where they fit. Default: all fit. */
  refuses?(range: Type, body: Type): string | undefined;

  /** `body` is the type of the last part. */
  run(visits: Iterable<Visit>, parts: readonly Node[], body: Type): unknown;
}

/** `exists` where one true element settles it, `all` where one false one does. Errors count if nothing settles it. */
export function quantifier(settles: boolean): Fold {
  return {
    predicates: (parts) => parts,
    type: () => 'bool',
    run(visits, parts) {
      let error: unknown;
      for (const visit of visits) {
        try {
          if (holds(visit, parts) === settles) return settles;
        } catch (caught) {
          error ??= caught;
        }
      }
      if (error) throw error;
      return !settles;
    },
  };
}

export const existsOne: Fold = {
  predicates: (parts) => parts,
  type: () => 'bool',
  run(visits, parts) {
    let count = 0;
    for (const visit of visits) count += holds(visit, parts) ? 1 : 0;
    return count === 1;
  },
};

export const filter: Fold = {
  predicates: (parts) => parts,
  type: ({ kind, name, keyType }) => (kind === 'list' ? name : `list<${keyType?.name ?? 'dyn'}>`),
  run(visits, parts) {
    const kept: unknown[] = [];
    for (const visit of visits) if (holds(visit, parts)) kept.push(visit.value);
    return kept;
  },
};

/** `map` and `transformList`: the last part of each element that passes the part before it, if there is one. */
export const transformList: Fold = {
  predicates: (parts) => parts.slice(0, -1),
  type: (_, body) => `list<${body.name}>`,
  run(visits, parts) {
    const made: unknown[] = [];
    for (const visit of visits) if (holds(visit, parts.slice(0, -1))) made.push(transformed(visit, parts));
    return made;
  },
};

export const transformMap: Fold = {
  predicates: (parts) => parts.slice(0, -1),
  type: ({ kind, keyType }, body) =>
    `map<${kind === 'list' ? 'int' : (keyType?.name ?? 'dyn')}, ${body.name}>`,
  run(visits, parts) {
    const made = new Map<unknown, unknown>();
    for (const visit of visits) {
      if (holds(visit, parts.slice(0, -1))) made.set(visit.key, transformed(visit, parts));
    }
    return made;
  },
};

/** The entries of the maps that are made of the elements, of which no two may have one key. */
export const transformMapEntry: Fold = {
  predicates: (parts) => parts.slice(0, -1),
  type: (_, body) => (body.kind === 'map' ? body.name : 'map<dyn, dyn>'),
  refuses: (_, { kind, name }) =>
    kind === 'map' || isUnknown(kind)
      ? undefined
      : `the entries are those of a map, not of a value of type ${name}`,
  run(visits, parts) {
    const made = new Map<unknown, unknown>();
    for (const visit of visits) {
      if (!holds(visit, parts.slice(0, -1))) continue;
      for (const [key, value] of mapOf(transformed(visit, parts), parts.at(-1))) insert(made, key, value);
    }
    return made;
  },
};

/** The elements of a list in the order of what is made of them. */
export const sortBy: Fold = {
  predicates: () => [],
  // Of a list of unknown type any key makes another one, but for a key of unknown type: nothing is known then.
  type: ({ kind, name }, body) => (kind === 'list' ? name : body.kind === 'dyn' ? 'dyn' : 'list<T>'),
  refuses(range, { kind, name }) {
    if (range.kind === 'map') return 'only lists are sorted';
    return isUnknown(kind) || name === 'null' || ORDERED.has(name)
      ? undefined
      : `values of type ${name} have no order`;
  },
  run(visits, parts, body) {
    const key = () => Array.from(visits, (visit) => ({ ...visit, by: transformed(visit, parts) }));
    const keyed = isUnknown(body.kind) ? key() : orPanic(key);
    if (keyed.some(({ listed }) => !listed)) throw new Error('only lists are sorted');
    return inOrder(keyed, ({ by }) => by).map(({ value }) => value);
  },
};

function isUnknown(kind: string): boolean {
  return kind === 'dyn' || kind === 'param';
}

function mapOf(value: unknown, node: Node | undefined): readonly (readonly [unknown, unknown])[] {
  const entries = writtenEntries(value);
  if (entries || !node) return entries ?? [];
  throw failure(`expected a map of entries, got a value of type ${kindOf(value)}`, node);
}

function insert(made: Map<unknown, unknown>, key: unknown, value: unknown): void {
  if ([...made.keys()].some((other) => equals(other, key))) throw new Error('two entries have one key');
  made.set(key, value);
}

function holds(visit: Visit, predicates: readonly Node[]): boolean {
  return predicates.every((predicate) => {
    const result = visit.run(predicate);
    if (typeof result === 'boolean') return result;
    throw failure(
      `expected true or false for each element, got a value of type ${kindOf(result)}`,
      predicate,
    );
  });
}

function transformed(visit: Visit, parts: readonly Node[]): unknown {
  const body = parts.at(-1);
  return body && visit.run(body);
}
