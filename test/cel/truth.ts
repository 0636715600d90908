import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttributeValue, type DeviceFacts, type PreparedDevice, prepareDevice } from '../../src/cel/device';
import { compileSelector, SelectorError, type SelectorFeatures } from '../../src/cel/selector';

/** How an expression ends: the outcome of a selector, or its rejection by the compiler. */
export type Ending = 'match' | 'no-match' | 'runtime-error' | 'compile-error';

/** An expected result as the tables of upstream and of its peers write it. */
export interface Expected {
  readonly kind: string;
  readonly value?: unknown;
}

/** A device as those tables write it: with integers as text where JSON has no room for them. */
export interface DeviceRow {
  readonly driver?: string;
  readonly attributes?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly capacity?: DeviceFacts['capacity'];
  readonly allowMultipleAllocations?: boolean | null;
}

/** An expression with what the compiler of Kubernetes 1.36 makes of it. */
export interface RecentRow {
  readonly group: string;
  readonly expression: string;
  readonly want: string;

  /** The estimate of the most that an evaluation can cost, where the row is about that too. */
  readonly cost?: number;

  /** The gate DRAListTypeAttributes. Default: true. */
  readonly listAttributes?: boolean;
}

/** Reads a table of outcomes. `test/truth/README.md` says where each is from. */
export function truthTable<T>(file: string): T {
  return JSON.parse(readFileSync(join(__dirname, '../truth', file), 'utf8')) as T;
}

export function factsOf({ driver = '', attributes = {}, capacity = {}, ...rest }: DeviceRow): DeviceFacts {
  const values = Object.entries(attributes).map(([name, value]) => {
    const int = 'int' in value ? { int: BigInt(String(value['int'])) } : value;
    return [name, int as AttributeValue] as const;
  });
  const allowMultipleAllocations = rest.allowMultipleAllocations ?? false;
  return { driver, attributes: Object.fromEntries(values), capacity, allowMultipleAllocations };
}

export function endingOf(expression: string, row: DeviceRow, features?: SelectorFeatures): Ending {
  const selector = compiled(expression, features);
  const device = prepared(row);
  if (!selector) return 'compile-error';
  const kind = device ? selector.match(device).kind : 'error';
  return kind === 'error' ? 'runtime-error' : kind;
}

/** An expected result as an {@link Ending}. A panic of the real compiler is an error of ours. */
export function endingIn({ kind, value }: Expected): Ending {
  if (kind === 'match') return value === true ? 'match' : 'no-match';
  return kind === 'compile-error' ? 'compile-error' : 'runtime-error';
}

function compiled(expression: string, features?: SelectorFeatures) {
  try {
    return compileSelector(expression, features);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

function prepared(row: DeviceRow): PreparedDevice | undefined {
  try {
    return prepareDevice(factsOf(row));
  } catch {
    return undefined;
  }
}
