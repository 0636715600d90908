import { existsSync, readFileSync } from 'node:fs';
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

const SHARED = join(__dirname, '../../../shared/truth');

/** A table that is not part of this repository; nothing where it is not at hand. */
export function sharedTable<T>(file: string): T | undefined {
  const path = join(SHARED, file);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : undefined;
}

/** Runs a suite over a table that is at hand, and otherwise says in the report that it did not. */
export function withSharedTable<T>(file: string, suite: (table: T) => void): void {
  const table = sharedTable<T>(file);
  if (table) suite(table);
  else test.skip(`the rows of ${file}, which is not here`, () => {});
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
