import { z } from 'zod';
import { counterSets, countPartitions, findCounterFaults } from './counter-sets';
import { type ClassDevice, declaredDevices, devices } from './device';
import { currency } from './price-file';
import { declaredProvisioning, type Provisioning, provisioning } from './provisioning';
import { BOTH_GROUPS, type ResourceOf, type ValidationResult } from './resource';
import { fields, withDefault } from './schema/fields';
import { defineKind } from './schema/kind';
import { amount, quantity } from './schema/quantity';
import { LEAST_MEMORY } from './schema/quantity-faults';
import { rules, type SchemaRule } from './schema/rules';
import { date, nonEmptyText } from './schema/string-formats';
import { validateAgainst } from './schema/validate';
import { IN_CLASS, IN_PRICE } from './kubernetes-spellings';

const allocatable = fields({
  cpu: amount.describe('The CPU for pods: 190, or 3920m.'),
  memory: quantity(32, LEAST_MEMORY).describe('The memory for pods: 1900Gi.'),
}).partial();

const price = fields(
  {
    perHour: z.number().min(0).describe('The price of a node for an hour, in the currency of the fleet.'),
    spotPerHour: z.number().min(0).optional().describe('The price of spot capacity. Default: unknown.'),
    currency: withDefault(currency, 'USD', 'The currency, which must be that of the fleet.'),
    asOf: date.optional().describe('The day of the price: 2026-10-31. Default: undated.'),
  },
  IN_PRICE,
);

const shape = fields(
  {
    description: z.string().optional().describe('A description for readers.'),
    from: nonEmptyText(128)
      .optional()
      .describe(
        'An instance type or macro of the catalog: aws/p5.48xlarge, H100-8x. Other fields of the class override it. Default: the class declares everything itself.',
      ),
    provisioning: declaredProvisioning
      .optional()
      .describe('How a cloud makes a node of this class. Default: without from, the nodes exist already.'),
    devices: declaredDevices.optional(),
    counterSets: counterSets.optional(),
    node: fields({
      allocatable: allocatable
        .default({})
        .describe(
          'The capacity of a node for pods, without what the system reserves. Default: an estimate for machines of GKE, EKS and AKS in the catalog. For machines of its other clouds, CPU and memory of the machine are an upper bound; otherwise neither is checked.',
        ),
    })
      .prefault({})
      .describe('The node itself.'),
    price: price
      .optional()
      .describe('The price of a node. Default: the price file of the fleet, then the catalog, then unknown.'),
  },
  IN_CLASS,
);

/** The spec of a class as declared. With `from`, it contains only the fields that differ from the catalog. */
export type DeclaredClassSpec = z.output<typeof shape>;

/** The schema of the fields that the catalog can fill in. A class without `from` declares them completely. */
const hardware = fields({ provisioning: provisioning.optional(), devices });

function validateHardware({ provisioning, devices }: DeclaredClassSpec): ValidationResult<z.output<typeof hardware>> {
  return validateAgainst(hardware, { provisioning, devices });
}

const completeWithoutFrom: SchemaRule<DeclaredClassSpec> = function* (declared) {
  const checked = declared.from === undefined ? validateHardware(declared) : undefined;
  if (checked && 'findings' in checked) yield* checked.findings;
};

const knownCounters: SchemaRule<DeclaredClassSpec> = function* (declared) {
  yield* findCounterFaults(declared);
};

const spec = shape.check(rules(completeWithoutFrom, knownCounters));

/** The spec of a class, with the fields from the catalog filled in. */
export interface InferenceClassSpec extends Omit<DeclaredClassSpec, 'provisioning' | 'devices'> {
  readonly provisioning?: Provisioning | undefined;
  readonly devices: ClassDevice[];
}

function finish(declared: DeclaredClassSpec): DeclaredClassSpec {
  if (declared.from !== undefined) return declared;
  const checked = validateHardware(declared);
  if ('findings' in checked) throw new Error('bug: an incomplete class passed its rules');
  const complete = checked.value;
  return { ...declared, ...complete, devices: countPartitions(complete.devices, declared.counterSets ?? []) };
}

export const inferenceClass = defineKind(
  {
    kind: 'InferenceClass',
    scope: 'Cluster',
    groups: BOTH_GROUPS,
    description: 'The hardware of one node: its devices as their driver publishes them, and how a cloud makes it.',
    spec,
  },
  finish,
);

/** A class as declared, before the fields from the catalog are filled in. */
export type DeclaredClass = ResourceOf<'InferenceClass', DeclaredClassSpec>;

/** The hardware of a node, with the fields from the catalog filled in. */
export type InferenceClass = ResourceOf<'InferenceClass', InferenceClassSpec>;

export type InferenceClassInput = z.input<typeof spec>;
