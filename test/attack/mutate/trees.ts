import type { Random } from '../random';
import { FIELD_NAMES, HOSTILE_VALUES, MISPLACED_SECRETS } from './values';

/** Plain data, as YAML and JSON hold it. */
type Tree = unknown;
type Path = readonly (string | number)[];

interface Place {
  readonly path: Path;
  readonly value: Tree;
}

/** One change of plain data at a place in it. */
interface TreeMutation {
  readonly name: string;

  /** How often it is drawn, as a share of all. */
  readonly weight: number;
  readonly apply: (root: Tree, place: Place, random: Random) => Tree;
}

const MUTATIONS: readonly TreeMutation[] = [
  { name: 'remove', weight: 3, apply: (root, { path }) => replace(root, path, () => REMOVED) },
  {
    name: 'hostile value',
    weight: 8,
    apply: (root, { path }, random) => replace(root, path, () => random.pick(HOSTILE_VALUES)),
  },
  {
    name: 'misplaced secret',
    weight: 2,
    apply: (root, { path }, random) => replace(root, path, () => random.pick(MISPLACED_SECRETS)),
  },
  {
    name: 'value of another place',
    weight: 4,
    apply: (root, { path }, random) => replace(root, path, () => random.pick(placesOf(root)).value),
  },
  { name: 'in a list', weight: 1, apply: (root, { path }) => replace(root, path, (value) => [value]) },
  { name: 'as text', weight: 1, apply: (root, { path }) => replace(root, path, (value) => JSON.stringify(value)) },
  {
    name: 'as key',
    weight: 1,
    apply: (root, { path }) => replace(root, path, (value) => ({ [String(value)]: value })),
  },
  {
    name: 'many times',
    weight: 2,
    apply: (root, { path }, random) =>
      replace(root, path, (value) => {
        if (Array.isArray(value)) return Array.from({ length: random.pick([2, 17, 300]) }, () => value).flat();
        return typeof value === 'string' ? value.repeat(random.pick([2, 30, 3000])) : [value, value];
      }),
  },
  {
    name: 'further field',
    weight: 3,
    apply: (root, { path }, random) =>
      replace(root, path, (value) => withField(value, random.pick(FIELD_NAMES), random.pick(HOSTILE_VALUES))),
  },
  {
    name: 'other number',
    weight: 3,
    apply: (root, { path }, random) =>
      replace(root, path, (value) =>
        typeof value === 'number' ? random.pick([0, -1, 1, value + 1, value * 1000, 0.5, 2 ** 31, 1e21]) : value,
      ),
  },
  {
    name: 'hostile part of a text',
    weight: 4,
    apply: (root, { path }, random) =>
      replace(root, path, (value) => {
        if (typeof value !== 'string') return value;
        const at = random.below(value.length + 1);
        const insert = random.pick(HOSTILE_VALUES.filter((one) => typeof one === 'string'));
        return value.slice(0, at) + insert + value.slice(at + random.below(3));
      }),
  },
];

const BY_WEIGHT = MUTATIONS.flatMap((one) => Array.from({ length: one.weight }, () => one));

/** A change of plain data, drawn at random, with its name. */
export function mutateTree(root: Tree, random: Random): { readonly root: Tree; readonly name: string } {
  const place = random.pick(placesOf(root));
  const mutation = random.pick(BY_WEIGHT);
  return {
    root: mutation.apply(root, place, random),
    name: `${mutation.name} at ${place.path.join('.') || 'the top'}`,
  };
}

/** Every place, the top included. */
function placesOf(root: Tree, path: Path = []): Place[] {
  const inner = typeof root === 'object' && root !== null ? Object.entries(root) : [];
  const isList = Array.isArray(root);
  return [
    { path, value: root },
    ...inner.flatMap(([key, value]) => placesOf(value, [...path, isList ? Number(key) : key])),
  ];
}

const REMOVED = Symbol('removed');

function replace(root: Tree, [key, ...rest]: Path, change: (value: Tree) => Tree): Tree {
  if (key === undefined) return withoutRemoved(change(root));
  const value = replaceInner((root as Record<string, Tree>)[key], rest, change);
  if (Array.isArray(root)) return value === REMOVED ? root.toSpliced(Number(key), 1) : root.with(Number(key), value);
  const entries = Object.entries(root as object).map(([name, one]) => [name, name === key ? value : one] as const);
  return Object.fromEntries(entries.filter(([, one]) => one !== REMOVED));
}

function replaceInner(value: Tree, rest: Path, change: (value: Tree) => Tree): Tree {
  return rest.length === 0 ? change(value) : replace(value, rest, change);
}

function withoutRemoved(value: Tree): Tree {
  return value === REMOVED ? null : value;
}

/** A field with any name: `__proto__` is one like others. */
function withField(value: Tree, name: string, field: Tree): Tree {
  if (typeof value !== 'object' || value === null) return { [name]: field };
  if (Array.isArray(value)) return [...value, field];
  return Object.fromEntries([...Object.entries(value), [name, field]]);
}
