import { type Diagnostic, errorAt, type Span } from '../../base/diagnostic';
import { containsWords, hintAtName } from '../../base/name-suggestion';
import { type AttributeRow, type DriverRow, DRIVERS } from '../../catalog/drivers';
import { GPU_ARCHITECTURES, NUMBER_FORMATS } from '../../catalog/gpu-architectures';
import { GPUS } from '../../catalog/gpus';
import type { Path } from '../resource';
import { AND, and, compareWithList, compareWithValue, type Condition, referenceOf } from './condition';
import {
  findContradiction,
  isWithinBound,
  type ParsedWhereValue,
  parseWhereValue,
  type ValueBound,
  type WhereValue,
} from './where-value';

/** The short form of a selector: the required values of attributes, by the names that the driver publishes. */
export type Where = Readonly<Record<string, WhereValue>>;

/** The condition of a short form, or its errors. Paths of findings start at the short form. */
type ParsedWhere =
  | { readonly condition: Condition; readonly lines: readonly TranslatedLine[] }
  | { readonly findings: readonly Diagnostic<Path>[] };

/** An entry of a short form, and the span of its translation in the condition. */
export interface TranslatedLine extends Span {
  readonly key: string;
}

const NVIDIA = 'gpu.nvidia.com';

interface WhereLine {
  readonly key: string;
  readonly fact: AttributeRow;
  readonly constraint: ParsedWhereValue;
}

/**
 * Parses a short form. Its names are the attributes of one driver: `gpu.nvidia.com`, unless `driver` names another.
 * `supports` selects the compute capability that supports a number format.
 *
 * @example
 * readWhere({ architecture: 'Hopper', memory: '>= 79Gi', supports: 'FP8' });
 */
export function readWhere(where: Where): ParsedWhere {
  const { driver = NVIDIA, ...facts } = where;
  const known = DRIVERS.find(({ name }) => name === driver);
  if (typeof driver !== 'string' || !known) return { findings: [createUnknownDriver(driver)] };
  const lines = Object.entries(facts).map(([key, value]) => parseLine(key, value, known));
  const findings = lines.filter((line) => 'code' in line);
  const valid = lines.filter((line): line is WhereLine => 'fact' in line);
  const wrong = findings.length > 0 ? findings : findContradictions(valid, driver);
  if (wrong.length > 0) return { findings: wrong };
  const driverLine = { key: 'driver', cel: `device.driver == ${JSON.stringify(driver)}` };
  // In the order of the catalog, so that the order of entries does not change a manifest.
  const sorted = known.facts.flatMap((fact) => valid.filter((line) => line.fact === fact));
  const entries = sorted.map((line) => ({ key: line.key, ...conditionOf(line, driver) }));
  const translated = where['driver'] === undefined ? entries : [driverLine, ...entries];
  const [first, ...rest] = translated;
  if (first) return { condition: and(first, ...rest), lines: locateEntries(translated) };
  return { findings: [errorAt('missing-field', [], 'where is empty', DESCRIBE_DEVICE)] };
}

/** How to write a request for devices, and one for any GPU. */
export const DESCRIBE_DEVICE =
  "Describe the device, as in 'where: { architecture: Hopper }', or ask for any NVIDIA GPU: 'where: { driver: gpu.nvidia.com }'";

/** The spans of conditions that `and` combines. */
function locateEntries(entries: readonly (Condition & { readonly key: string })[]): TranslatedLine[] {
  const lines: TranslatedLine[] = [];
  for (const { key, cel } of entries) {
    const start = lines.length === 0 ? 0 : (lines.at(-1)?.end ?? 0) + AND.length;
    lines.push({ key, start, end: start + cel.length });
  }
  return lines;
}

function parseLine(key: string, value: WhereValue, driver: DriverRow): WhereLine | Diagnostic<Path> {
  if (key === 'supports' && driver.name === NVIDIA) return parseSupports(value, driver);
  const fact = driver.facts.find(({ name, domain }) => key === name || key === `${domain ?? driver.name}/${name}`);
  if (!fact) return createUnknownAttribute(key, value, driver);
  const found = parseWhereValue(fact, value);
  return 'wrong' in found
    ? errorAt('bad-value', [key], found.wrong.what, found.wrong.hint)
    : { key, fact, constraint: found };
}

/** Parses `supports` to the lowest compute capability that supports all listed number formats. */
function parseSupports(value: WhereValue, { facts }: DriverRow): WhereLine | Diagnostic<Path> {
  const formats = typeof value === 'object' ? value : [String(value)];
  const names = NUMBER_FORMATS.map(({ name }) => name);
  const unknown = formats.find((format) => !names.some((name) => name === format));
  const fact = facts.find(({ name }) => name === 'cudaComputeCapability');
  if (unknown !== undefined || formats.length === 0 || !fact) {
    const what = unknown === undefined ? 'it has no number format' : `there is no number format '${unknown}'`;
    return errorAt('unknown-value', ['supports'], what, hintAtName(unknown ?? '', names));
  }
  const bounds = NUMBER_FORMATS.filter(({ name }) => formats.includes(name)).map(
    ({ since }): ValueBound => ({ operator: '>=', value: since }),
  );
  const highest = bounds.find(({ value }) => bounds.every((other) => isWithinBound('version', value, other)));
  return { key: 'supports', fact, constraint: { bounds: highest ? [highest] : [] } };
}

function conditionOf({ fact, constraint }: WhereLine, driver: string): Condition {
  const read = referenceOf(driver, fact);
  if ('oneOf' in constraint) return compareWithList(read, constraint.oneOf);
  if ('wrong' in constraint) throw new Error('bug: a value that is wrong has a condition');
  const [first, ...rest] = constraint.bounds.map(({ operator, value }) => compareWithValue(read, operator, value));
  if (!first) throw new Error('bug: a value that asks for nothing');
  return and(first, ...rest);
}

/** Finds entries that no device satisfies together: contradicting bounds, or an impossible GPU. */
function findContradictions(lines: readonly WhereLine[], driver: string): Diagnostic<Path>[] {
  const contradictions = lines.flatMap(({ key, fact, constraint }) => {
    const pair = 'bounds' in constraint ? findContradiction(fact.type, constraint.bounds) : undefined;
    return pair ? [createContradiction([key], pair.map(formatBound).join(' and '))] : [];
  });
  return contradictions.length > 0 || driver !== NVIDIA ? contradictions : findImpossibleGpu(lines);
}

/** Finds an architecture with compute capabilities that its GPUs do not have. */
function findImpossibleGpu(lines: readonly WhereLine[]): Diagnostic<Path>[] {
  const [architectures, ...others] = ['architecture', 'cudaComputeCapability'].map((name) =>
    lines.filter(({ fact }) => fact.name === name),
  );
  const capabilities = others.flat();
  const rows = GPU_ARCHITECTURES.filter(({ name }) =>
    (architectures ?? []).every(({ constraint }) => admitsValue(constraint, name)),
  );
  const bounds = capabilities.flatMap(({ constraint }) => ('bounds' in constraint ? constraint.bounds : []));
  const some = rows.some(({ name }) => !findContradiction('version', [...computeCapabilityRangeOf(name), ...bounds]));
  if (some || rows.length === 0 || !architectures?.[0] || bounds.length === 0) return [];
  const keys = [...architectures, ...capabilities].map(({ key }) => key).join(' and ');
  return [createContradiction([architectures[0].key], keys)];
}

function admitsValue(constraint: ParsedWhereValue, name: string): boolean {
  if ('oneOf' in constraint) return constraint.oneOf.includes(name);
  return 'bounds' in constraint && constraint.bounds.every((bound) => isWithinBound('string', name, bound));
}

/** Returns the compute capabilities of an architecture: from its lowest to the lowest of the next architecture. */
function computeCapabilityRangeOf(name: string): ValueBound[] {
  const index = GPU_ARCHITECTURES.findIndex((row) => row.name === name);
  const [first] = GPU_ARCHITECTURES[index]?.computeCapabilities ?? [];
  const [next] = GPU_ARCHITECTURES[index + 1]?.computeCapabilities ?? [];
  return [
    ...(first === undefined ? [] : [{ operator: '>=', value: first } as const]),
    ...(next === undefined ? [] : [{ operator: '<', value: next } as const]),
  ];
}

function formatBound({ operator, value }: ValueBound): string {
  return `${operator} ${value}`;
}

function createContradiction(at: Path, parts: string): Diagnostic<Path> {
  const hint = 'Keep one of them, or split the request into alternatives';
  return errorAt('contradiction', at, `no device matches ${parts} at the same time`, hint);
}

function createUnknownDriver(driver: WhereValue): Diagnostic<Path> {
  const known = DRIVERS.map(({ name }) => name);
  const hint = hintAtName(String(driver), known, `Use one of ${known.join(', ')}, or write CEL in selectors`);
  return errorAt('unknown-value', ['driver'], `the catalog has no driver '${String(driver)}'`, hint);
}

/** Names under which people know attributes. */
const KNOWN_AS: Readonly<Record<string, string>> = {
  gpuMemory: 'memory',
  gpuType: 'productName',
  vram: 'memory',
};

function createUnknownAttribute(key: string, value: WhereValue, { name, facts }: DriverRow): Diagnostic<Path> {
  const known = [...facts.map((fact) => fact.name), ...(name === NVIDIA ? ['supports'] : [])];
  const product = GPUS.find(({ driver = NVIDIA, productName }) => {
    return driver === name && typeof value === 'string' && containsWords(productName ?? '', value);
  });
  const other = Object.hasOwn(KNOWN_AS, key) ? known.find((one) => one === KNOWN_AS[key]) : undefined;
  const what = `the driver ${name} publishes no '${key}'`;
  const hint = product
    ? `Use 'productName: ${product.productName}'`
    : other
      ? `Use '${other}'`
      : hintAtName(key, known);
  return errorAt('unknown-attribute', [key], what, hint);
}
