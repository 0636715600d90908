import { suggestName } from '../../base/name-suggestion';
import { type AttributeRow, type DriverRow, DRIVERS } from '../../catalog/drivers';
import { ARCHITECTURES, NUMBER_FORMATS } from '../../catalog/gpu-architectures';
import type { Finding } from '../resource';
import { and, compareWithList, compareWithValue, type Condition, referenceOf } from './condition';
import {
  findContradiction,
  isWithinBound,
  type ParsedWhereValue,
  parseWhereValue,
  type ValueBound,
  type WhereValue,
} from './where-value';

/** The short form of a selector: what a device must be, by the names that its driver publishes. */
export type Where = Readonly<Record<string, WhereValue>>;

/** What a short form stands for, or what is wrong with it. Paths of findings start at the form. */
export type ParsedWhere = { readonly condition: Condition } | { readonly findings: readonly Finding[] };

const NVIDIA = 'gpu.nvidia.com';

/** A line of a short form. */
interface WhereLine {
  readonly key: string;
  readonly fact: AttributeRow;
  readonly asked: ParsedWhereValue;
}

/**
 * Reads a short form. Names are those of one driver, that of NVIDIA's GPUs unless `driver` names another; `supports`
 * stands for the compute capability that computes a number format.
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
  const sound = lines.filter((line): line is WhereLine => 'fact' in line);
  const wrong = findings.length > 0 ? findings : findContradictions(sound, driver);
  if (wrong.length > 0) return { findings: wrong };
  const own: Condition = { cel: `device.driver == ${JSON.stringify(driver)}` };
  // In the order of the catalogue, so that the order of the lines does not change a manifest.
  const conditions = known.facts.flatMap((fact) =>
    sound.filter((line) => line.fact === fact).map((line) => conditionOf(line, driver)),
  );
  const [first, ...rest] = where['driver'] === undefined ? conditions : [own, ...conditions];
  return first ? { condition: and(first, ...rest) } : { findings: [createEmptyWhere()] };
}

function parseLine(key: string, value: WhereValue, driver: DriverRow): WhereLine | Finding {
  if (key === 'supports' && driver.name === NVIDIA) return parseSupports(value, driver);
  const fact = driver.facts.find(
    ({ name, domain }) => key === name || key === `${domain ?? driver.name}/${name}`,
  );
  if (!fact) return createUnknownAttribute(key, driver);
  const found = parseWhereValue(fact.type, value);
  return 'wrong' in found ? { code: 'bad-value', path: [key], ...found.wrong } : { key, fact, asked: found };
}

/** Number formats come with the compute capability: the least that computes all of them. */
function parseSupports(value: WhereValue, { facts }: DriverRow): WhereLine | Finding {
  const wanted = typeof value === 'object' ? value : [String(value)];
  const names = NUMBER_FORMATS.map(({ name }) => name);
  const odd = wanted.find((one) => !names.some((name) => name === one));
  const fact = facts.find(({ name }) => name === 'cudaComputeCapability');
  if (odd !== undefined || wanted.length === 0 || !fact) {
    const meant = odd === undefined ? undefined : suggestName(odd, names);
    const what = odd === undefined ? 'it names no number format' : `there is no number format '${odd}'`;
    const hint = meant ? `Use '${meant}'` : `Use one of ${names.join(', ')}`;
    return { code: 'unknown-value', path: ['supports'], what, hint };
  }
  const bounds = NUMBER_FORMATS.filter(({ name }) => wanted.includes(name)).map(
    ({ since }): ValueBound => ({ operator: '>=', value: since }),
  );
  const highest = bounds.find(({ value }) => bounds.every((other) => isWithinBound('version', value, other)));
  return { key: 'supports', fact, asked: { bounds: highest ? [highest] : [] } };
}

function conditionOf({ fact, asked }: WhereLine, driver: string): Condition {
  const read = { ...referenceOf(driver, fact), type: fact.type };
  if ('oneOf' in asked) return compareWithList(read, asked.oneOf);
  if ('wrong' in asked) throw new Error('bug: a value that is wrong has a condition');
  const [first, ...rest] = asked.bounds.map(({ operator, value }) => compareWithValue(read, operator, value));
  if (!first) throw new Error('bug: a value that asks for nothing');
  return and(first, ...rest);
}

/** Lines that no device meets at once: by their own bounds, or because no GPU is like that. */
function findContradictions(lines: readonly WhereLine[], driver: string): Finding[] {
  const own = lines.flatMap(({ key, fact, asked }) => {
    const pair = 'bounds' in asked ? findContradiction(fact.type, asked.bounds) : undefined;
    return pair ? [{ ...createContradiction(pair.map(formatBound).join(' and ')), path: [key] }] : [];
  });
  return own.length > 0 || driver !== NVIDIA ? own : findImpossibleGpu(lines);
}

/** An architecture, and compute capabilities that none of its GPUs has. */
function findImpossibleGpu(lines: readonly WhereLine[]): Finding[] {
  const [named, ...others] = ['architecture', 'cudaComputeCapability'].map((name) =>
    lines.filter(({ fact }) => fact.name === name),
  );
  const capabilities = others.flat();
  const rows = ARCHITECTURES.filter(({ name }) =>
    (named ?? []).every(({ asked }) => admitsValue(asked, name)),
  );
  const bounds = capabilities.flatMap(({ asked }) => ('bounds' in asked ? asked.bounds : []));
  const some = rows.some(
    ({ name }) => !findContradiction('version', [...computeCapabilityRangeOf(name), ...bounds]),
  );
  if (some || rows.length === 0 || !named?.[0] || bounds.length === 0) return [];
  const keys = [...named, ...capabilities].map(({ key }) => key).join(' and ');
  return [{ ...createContradiction(keys), path: [named[0].key] }];
}

function admitsValue(asked: ParsedWhereValue, name: string): boolean {
  if ('oneOf' in asked) return asked.oneOf.includes(name);
  return 'bounds' in asked && asked.bounds.every((bound) => isWithinBound('string', name, bound));
}

/** The compute capabilities of an architecture: from its own first one to the first of the next. */
function computeCapabilityRangeOf(name: string): ValueBound[] {
  const index = ARCHITECTURES.findIndex((row) => row.name === name);
  const [first] = ARCHITECTURES[index]?.computeCapabilities ?? [];
  const [next] = ARCHITECTURES[index + 1]?.computeCapabilities ?? [];
  return [
    ...(first === undefined ? [] : [{ operator: '>=', value: first } as const]),
    ...(next === undefined ? [] : [{ operator: '<', value: next } as const]),
  ];
}

function formatBound({ operator, value }: ValueBound): string {
  return `${operator} ${value}`;
}

function createContradiction(parts: string): Omit<Finding, 'path'> {
  const hint = 'Keep one of them, or split the request into alternatives';
  return { code: 'contradiction', what: `no device meets ${parts} at once`, hint };
}

function createUnknownDriver(driver: WhereValue): Finding {
  const known = DRIVERS.map(({ name }) => name);
  const meant = suggestName(String(driver), known);
  return {
    code: 'unknown-value',
    path: ['driver'],
    what: `the catalogue has no driver '${String(driver)}'`,
    hint: meant ? `Use '${meant}'` : `Use one of ${known.join(', ')}, or write CEL in selectors`,
  };
}

function createUnknownAttribute(key: string, { name, facts }: DriverRow): Finding {
  const known = [...facts.map((fact) => fact.name), ...(name === NVIDIA ? ['supports'] : [])];
  const meant = suggestName(key, known);
  return {
    code: 'unknown-attribute',
    path: [key],
    what: `the driver ${name} publishes no '${key}'`,
    hint: meant ? `Use '${meant}'` : `Use one of ${known.join(', ')}`,
  };
}

function createEmptyWhere(): Finding {
  const hint = 'Write what a device must be: architecture: Hopper';
  return { code: 'missing-field', path: [], what: 'where says nothing', hint };
}
