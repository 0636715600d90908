import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeviceFacts } from '../../../src/cel/device';
import edge from '../../truth/oracle-edge-cases.json';
import recent from '../../truth/kubernetes-1.36-cases.json';
import { type DeviceRow, factsOf } from '../../cel/truth';
import { ROOT } from '../harness/paths';
import type { Question } from './oracle';

interface Row {
  readonly expression: string;
  readonly device?: DeviceRow;
  readonly driver?: string;
  readonly features?: Readonly<Record<string, boolean>>;
  readonly listAttributes?: boolean;
}

/** Expressions of the truth tables, each with a device of its own. */
export interface Table {
  readonly devices: Readonly<Record<string, DeviceFacts>>;
  readonly questions: readonly Question[];
}

const TRUTH = join(ROOT, 'test/truth');

/** Tables that are read as files, with the keys of their lists of rows. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'dra-cel-cases.json': ['cases', 'v0.36.2OnlyCases'],
  'mp-cel-cases.json': ['cases'],
  'mp-quantity-cases.json': ['cases'],
  'mp-semver-cases.json': ['cases'],
};

/** All rows of all tables. Their expected outcomes are not looked at: the real compiler is asked. */
export function truthTables(): Table {
  const rows: Row[] = [edge, recent].flatMap(({ cases, device }) =>
    (cases as Row[]).map(({ expression, listAttributes }) => ({
      expression,
      device: listAttributes === false ? withoutLists(device as DeviceRow) : (device as DeviceRow),
      listAttributes: listAttributes ?? true,
    })),
  );
  for (const [file, keys] of Object.entries(FILES)) {
    const table = JSON.parse(readFileSync(join(TRUTH, file), 'utf8')) as Record<string, Row[]>;
    for (const key of keys) rows.push(...(table[key] ?? []));
  }
  const devices: Record<string, DeviceFacts> = {};
  const questions = rows.map((row, i): Question => {
    devices[`row${i}`] = factsOf(row.device ?? (row as DeviceRow));
    const { expression, listAttributes = true } = row;
    return { expression, devices: [`row${i}`], listAttributes };
  });
  return { devices, questions };
}

/** A device as it can be without the gate: Kubernetes evaluates nothing on one with lists. */
function withoutLists({ attributes = {}, ...rest }: DeviceRow): DeviceRow {
  const scalars = Object.entries(attributes).filter(([, value]) => !Object.values(value).some(Array.isArray));
  return { ...rest, attributes: Object.fromEntries(scalars) };
}
