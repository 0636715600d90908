import { z } from 'zod';
import { aboveMaximum, textOf } from './reading/common-findings';
import { fields } from './reading/fields';
import { type Rule, rules } from './reading/rule';
import type { Finding, Path } from './resource';
import { distinct } from './shared/list';
import { dnsSubdomain } from './shared/names';
import { shown } from './wording';

/** What only a driver understands: any plain data. */
export type DriverParameters = Readonly<Record<string, unknown>>;

/** Kubernetes' limit for the parameters of one driver, as JSON. */
const LONGEST_PARAMETERS = 10_240;

const plainData: Rule<DriverParameters> = function* (parameters) {
  const findings = [...notPlain(parameters, [])];
  yield* findings;
  const size = findings.length > 0 ? 0 : JSON.stringify(parameters).length;
  if (size > LONGEST_PARAMETERS) yield aboveMaximum([], textOf(size), LONGEST_PARAMETERS);
};

/** Every value that JSON cannot hold. */
function* notPlain(value: unknown, path: Path): Iterable<Finding> {
  if (typeof value === 'object' && value !== null) {
    const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    for (const [key, item] of entries) yield* notPlain(item, [...path, key]);
  } else if (!SCALARS.has(typeof value) && value !== null) {
    yield { code: 'wrong-type', path, what: `${shown(value)} cannot stand in the parameters of a driver` };
  }
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

/** Configuration of devices that Kubernetes hands to a driver as it is: `devices.config[].opaque` of a claim. */
export const driverConfig = z
  .array(
    fields({
      driver: dnsSubdomain.describe('The driver that reads it: gpu.nvidia.com.'),
      parameters: z
        .record(z.string(), z.unknown())
        .check(rules(plainData))
        .describe('What the driver takes, with its apiVersion and kind.'),
    }),
  )
  .check(distinct(({ driver }: { driver: string }) => driver, 'the driver', 'driver'))
  .default([]);
