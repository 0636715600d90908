import { callCost, comparison, concatenation, namespaceCost, type Operand } from './cost-calls';
import { deviceSize, type Path } from './device-size';
import { either, exactly, plus, product, type Size, times, UNKNOWN } from './size';
import { callOf, isNamed, type Node } from './syntax';

/** The limit of Kubernetes for the evaluation of one selector on one device, in its own units. */
export const MOST_COST = 1_000_000;

/** What the value of a part takes, and what is known of the value. */
interface Estimate {
  readonly steps: number;
  readonly size?: Size;

  /** Of its elements, for a list or map that is written down. */
  readonly entries?: Entries;

  /** Where it comes from, if it is a part of the device. */
  readonly path?: Path;
}

interface Entries {
  readonly container: 'list' | 'map';
  readonly key: Size;
  readonly value: Size;
}

type Scope = ReadonlyMap<string, Estimate>;

const NAMESPACES = new Set(['lists', 'sets', 'optional', 'cel']);
const SCALARS = new Set(['int', 'uint', 'double', 'bool', 'google.protobuf.Timestamp', 'google.protobuf.Duration']);
const AMOUNTS = new Set(['kubernetes.Quantity', 'kubernetes.Semver']);
const NEW_LIST = 10;
const NEW_MAP = 30;

/**
 * The most that an evaluation can cost, as the API server estimates it before it accepts a selector. `Infinity`
 * where the size of a value is needed and not known, which is refused as well.
 *
 * @param root the tree of an expression that has been checked, so that its parts have types
 */
export function costOf(root: Node): number {
  return estimate(root, new Map()).steps;
}
