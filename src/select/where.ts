import type { Finding } from '../api/resource';
import { ARCHITECTURES } from '../catalog/architectures';
import type { DriverRow, FactRow } from '../catalog/driver';
import { DRIVERS } from '../catalog/drivers';
import { NUMBER_FORMATS } from '../catalog/number-formats';
import { nearest } from '../nearest';
import { comparison, membership } from './comparison';
import { and, type Condition } from './condition';
import { referenceTo } from './reference';
import { type Bound, clash, meets } from './where-bounds';
import { type Asked, asked, type WhereValue } from './where-value';

/** The short form of a selector: what a device must be, by the names that its driver publishes. */
export type Where = Readonly<Record<string, WhereValue>>;

/** What a short form stands for, or what is wrong with it. Paths of findings start at the form. */
export type WhereReading = { readonly condition: Condition } | { readonly findings: readonly Finding[] };

const NVIDIA = 'gpu.nvidia.com';

/** A line of a short form. */
interface Line {
  readonly key: string;
  readonly fact: FactRow;
  readonly asked: Asked;
}

/**
 * Reads a short form. Names are those of one driver, that of NVIDIA's GPUs unless `driver` names another; `supports`
 * stands for the compute capability that computes a number format.
 *
 * @example
 * readWhere({ architecture: 'Hopper', memory: '>= 79Gi', supports: 'FP8' });
 */
export function readWhere(where: Where): WhereReading {
  const { driver = NVIDIA, ...facts } = where;
  const known = DRIVERS.find(({ name }) => name === driver);
  if (typeof driver !== 'string' || !known) return { findings: [unknownDriver(driver)] };
  const lines = Object.entries(facts).map(([key, value]) => lineOf(key, value, known));
  const findings = lines.filter((line) => 'code' in line);
  const sound = lines.filter((line): line is Line => 'fact' in line);
  const wrong = findings.length > 0 ? findings : contradictions(sound, driver);
  if (wrong.length > 0) return { findings: wrong };
  const own: Condition = { cel: `device.driver == ${JSON.stringify(driver)}` };
  // In the order of the catalogue, so that the order of the lines does not change a manifest.
  const conditions = known.facts.flatMap((fact) =>
    sound.filter((line) => line.fact === fact).map((line) => conditionOf(line, driver)),
  );
  const [first, ...rest] = where['driver'] === undefined ? conditions : [own, ...conditions];
  return first ? { condition: and(first, ...rest) } : { findings: [saysNothing()] };
}

function lineOf(key: string, value: WhereValue, driver: DriverRow): Line | Finding {
  if (key === 'supports' && driver.name === NVIDIA) return supportsLine(value, driver);
  const fact = driver.facts.find(
    ({ name, domain }) => key === name || key === `${domain ?? driver.name}/${name}`,
  );
  if (!fact) return unknownFact(key, driver);
  const found = asked(fact.type, value);
  return 'wrong' in found ? { code: 'bad-value', path: [key], ...found.wrong } : { key, fact, asked: found };
}

/** Number formats come with the compute capability: the least that computes all of them. */
function supportsLine(value: WhereValue, { facts }: DriverRow): Line | Finding {
  const wanted = typeof value === 'object' ? value : [String(value)];
  const names = NUMBER_FORMATS.map(({ name }) => name);
  const odd = wanted.find((one) => !names.some((name) => name === one));
  const fact = facts.find(({ name }) => name === 'cudaComputeCapability');
  if (odd !== undefined || wanted.length === 0 || !fact) {
    const meant = odd === undefined ? undefined : nearest(odd, names);
    const what = odd === undefined ? 'it names no number format' : `there is no number format '${odd}'`;
    const hint = meant ? `Use '${meant}'` : `Use one of ${names.join(', ')}`;
    return { code: 'unknown-value', path: ['supports'], what, hint };
  }
  const bounds = NUMBER_FORMATS.filter(({ name }) => wanted.includes(name)).map(
    ({ since }): Bound => ({ operator: '>=', value: since }),
  );
  const highest = bounds.find(({ value }) => bounds.every((other) => meets('version', value, other)));
  return { key: 'supports', fact, asked: { bounds: highest ? [highest] : [] } };
}

function conditionOf({ fact, asked }: Line, driver: string): Condition {
  const read = { ...referenceTo(driver, fact), type: fact.type };
  if ('oneOf' in asked) return membership(read, asked.oneOf);
  if ('wrong' in asked) throw new Error('bug: a value that is wrong has a condition');
  const [first, ...rest] = asked.bounds.map(({ operator, value }) => comparison(read, operator, value));
  if (!first) throw new Error('bug: a value that asks for nothing');
  return and(first, ...rest);
}

/** Lines that no device meets at once: by their own bounds, or because no GPU is like that. */
function contradictions(lines: readonly Line[], driver: string): Finding[] {
  const own = lines.flatMap(({ key, fact, asked }) => {
    const pair = 'bounds' in asked ? clash(fact.type, asked.bounds) : undefined;
    return pair ? [{ ...contradiction(pair.map(shown).join(' and ')), path: [key] }] : [];
  });
  return own.length > 0 || driver !== NVIDIA ? own : noSuchGpu(lines);
}

/** An architecture, and compute capabilities that none of its GPUs has. */
function noSuchGpu(lines: readonly Line[]): Finding[] {
  const [named, ...others] = ['architecture', 'cudaComputeCapability'].map((name) =>
    lines.filter(({ fact }) => fact.name === name),
  );
  const capabilities = others.flat();
  const rows = ARCHITECTURES.filter(({ name }) => (named ?? []).every(({ asked }) => admits(asked, name)));
  const bounds = capabilities.flatMap(({ asked }) => ('bounds' in asked ? asked.bounds : []));
  const some = rows.some(({ name }) => !clash('version', [...rangeOf(name), ...bounds]));
  if (some || rows.length === 0 || !named?.[0] || bounds.length === 0) return [];
  const keys = [...named, ...capabilities].map(({ key }) => key).join(' and ');
  return [{ ...contradiction(keys), path: [named[0].key] }];
}

function admits(asked: Asked, name: string): boolean {
  if ('oneOf' in asked) return asked.oneOf.includes(name);
  return 'bounds' in asked && asked.bounds.every((bound) => meets('string', name, bound));
}

/** The compute capabilities of an architecture: from its own first one to the first of the next. */
function rangeOf(name: string): Bound[] {
  const index = ARCHITECTURES.findIndex((row) => row.name === name);
  const [first] = ARCHITECTURES[index]?.computeCapabilities ?? [];
  const [next] = ARCHITECTURES[index + 1]?.computeCapabilities ?? [];
  return [
    ...(first === undefined ? [] : [{ operator: '>=', value: first } as const]),
    ...(next === undefined ? [] : [{ operator: '<', value: next } as const]),
  ];
}

function shown({ operator, value }: Bound): string {
  return `${operator} ${value}`;
}

function contradiction(parts: string): Omit<Finding, 'path'> {
  const hint = 'Keep one of them, or split the request into alternatives';
  return { code: 'contradiction', what: `no device meets ${parts} at once`, hint };
}

function unknownDriver(driver: WhereValue): Finding {
  const known = DRIVERS.map(({ name }) => name);
  const meant = nearest(String(driver), known);
  return {
    code: 'unknown-value',
    path: ['driver'],
    what: `the catalogue has no driver '${String(driver)}'`,
    hint: meant ? `Use '${meant}'` : `Use one of ${known.join(', ')}, or write CEL in selectors`,
  };
}

function unknownFact(key: string, { name, facts }: DriverRow): Finding {
  const known = [...facts.map((fact) => fact.name), ...(name === NVIDIA ? ['supports'] : [])];
  const meant = nearest(key, known);
  return {
    code: 'unknown-attribute',
    path: [key],
    what: `the driver ${name} publishes no '${key}'`,
    hint: meant ? `Use '${meant}'` : `Use one of ${known.join(', ')}`,
  };
}

function saysNothing(): Finding {
  const hint = 'Write what a device must be: architecture: Hopper';
  return { code: 'missing-field', path: [], what: 'where says nothing', hint };
}
