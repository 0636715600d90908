import { z } from 'zod';
import { errorAt } from '../base/diagnostic';
import { parseDuration } from '../base/duration';
import { type Copies, LABELS_PLACEHOLDER, MOST_SECONDS_BETWEEN_ADDITIONS } from './engine-copies';
import { IN_SCALING } from './kubernetes-spellings';
import { allowNumber, fields, withDefault } from './schema/fields';
import { checkDistinct } from './schema/list';
import { duration, integer } from './schema/quantity';
import { describeMissingField, requireExactlyOne, rules, type SchemaRule } from './schema/rules';
import { nonEmptyText, stringFormat } from './schema/string-formats';

const MOST_COPIES = 64;

const orderedBounds: SchemaRule<{ min: number; max: number }> = function* ({ min, max }) {
  if (min > max) yield errorAt('bad-bounds', ['min'], `min ${min} is more than max ${max}`, 'Lower min, or raise max');
};

const bounds = fields({
  min: integer(0, MOST_COPIES).describe(
    'The fewest copies. 0: none without requests, where the HTTP add-on of KEDA holds requests until the first copy serves.',
  ),
  max: integer(1, MOST_COPIES).describe('The most copies. The plan reserves devices for all of them.'),
}).check(rules(orderedBounds));

/** The schema of the copies of an engine: a fixed number, or bounds between which an autoscaler chooses. */
export const copies = allowNumber(integer(1, MOST_COPIES), bounds)
  .default(1)
  .describe(
    'The copies of the engine in a replica: a number, or bounds, { min: 1, max: 4 }, between which KEDA chooses by scaling. Default: 1.',
  );

const percentage = stringFormat({
  noun: 'a percentage',
  code: 'bad-quantity',
  pattern: /^(?:100|[1-9]\d?)%$/,
  max: 4,
  hint: "Write a whole number from 1 to 100 and the sign, as in '80%'",
});

/** Texts in quotes, in which braces and placeholders are no syntax. A quote that never ends reaches the end. */
const QUOTED = /"(?:[^"\\]|\\[^])*(?:"|\\?$)|'(?:[^'\\]|\\[^])*(?:'|\\?$)|`[^`]*(?:`|$)/g;

const SELECTOR = /\{[^{}]*\}/g;

const selectsLabels: SchemaRule<string> = function* (query) {
  const selectors = query.replace(QUOTED, "''").match(SELECTOR) ?? [];
  if (selectors.some((selector) => selector.includes(LABELS_PLACEHOLDER))) return;
  const what = 'the query counts all deployments, because it selects no label of this one';
  const hint = `Write ${LABELS_PLACEHOLDER} into its selectors, as in 'sum(my_metric{${LABELS_PLACEHOLDER}})'`;
  yield errorAt('bad-query', [], what, hint);
};

const signal = fields({
  queue: integer(1, 100_000).optional().describe('Requests of each copy that wait.'),
  running: integer(1, 100_000).optional().describe('Requests of each copy that are in progress.'),
  kvUse: percentage.optional().describe('The used part of the KV cache, on average over the copies: 80%.'),
  prometheus: fields({
    query: nonEmptyText(4096)
      .check(rules(selectsLabels))
      .describe(
        'A PromQL query with one result, the sum over all copies. $(labels) in it becomes the labels of the engine in its replica.',
      ),
    threshold: z.number().min(0.001).max(1e12).describe('The part of the result that one copy can bear.'),
  })
    .optional()
    .describe('A query of your own.'),
}).check(rules(requireExactlyOne('the signal', ['queue', 'running', 'kvUse', 'prometheus'])));

/** A measure of load, and how much of it one copy can bear. */
export type ScalingSignal = z.output<typeof signal>;

function describeSignal({ prometheus, ...builtIn }: ScalingSignal): string {
  return prometheus ? prometheus.query : Object.keys(builtIn).join();
}

/** The longest window of a HorizontalPodAutoscaler. */
const LONGEST_WINDOW_SECONDS = 3600;

function durationUpTo(seconds: number, text: string): typeof duration {
  return duration.check(
    rules(function* inBounds(value: string) {
      const given = parseDuration(value);
      const hint = `Use 1s to ${text}`;
      if (given > seconds) yield errorAt('out-of-bounds', [], `${value} is more than the maximum of ${text}`, hint);
      if (given === 0) yield errorAt('out-of-bounds', [], `${value} is less than the minimum of 1s`, hint);
    }),
  );
}

/** The schema of the signals by which an autoscaler chooses the copies of an engine, and of its pace. */
export const scaling = fields(
  {
    on: z
      .array(signal)
      .max(8)
      .check(checkDistinct(describeSignal, 'the signal'))
      .meta({ minItems: 1 })
      .default([])
      .describe('What each copy can bear. The signal that asks for the most copies decides.'),
    up: fields({
      pods: withDefault(integer(1, MOST_COPIES), 1, 'Copies that are added at a time.'),
      every: durationUpTo(MOST_SECONDS_BETWEEN_ADDITIONS, '30m')
        .optional()
        .describe('The time between two additions. Default: the startup budget of the engine, and at most 30m.'),
    })
      .prefault({})
      .describe('How fast copies are added.'),
    down: fields({
      after: withDefault(
        durationUpTo(LONGEST_WINDOW_SECONDS, '1h'),
        '5m',
        'How long the load must be lower before copies are removed, one a minute.',
      ),
    })
      .prefault({})
      .describe('How fast copies are removed.'),
  },
  IN_SCALING,
);

interface Scaled {
  readonly copies: Copies;
  readonly scaling?: z.output<typeof scaling> | undefined;
  readonly members: readonly { readonly role: string }[];
  readonly phase?: string | undefined;
}

const NEEDS_SIGNALS = 'Bounds of copies need signals: write scaling.on';

/** What is checked only once the deployment can be read, so that one round of corrections is enough. */
const NEEDS_FROM_ZERO =
  "Write 'scaling: { on: [{ running: 16 }] }'. With 'min: 0' a replica also needs 'servingStack.kedaHttpAddOn' on its cluster, a ModelService that routes to it, and no other replica of the deployment on that cluster";

/** Checks that bounds have signals, and that a fixed number has none. */
export const scalingFitsCopies: SchemaRule<Scaled> = function* ({ copies: declared, scaling: given }) {
  if (typeof declared === 'number') {
    if (!given) return;
    const what = `'scaling' needs bounds of copies, and 'copies' is ${declared}, a fixed number`;
    yield errorAt('contradiction', ['scaling'], what, "Write 'copies: { min: 1, max: 4 }', or remove 'scaling'");
    return;
  }
  const hint = "Write what each copy can bear, as in '{ queue: 4 }'";
  if (!given) yield describeMissingField(['scaling'], declared.min > 0 ? NEEDS_SIGNALS : NEEDS_FROM_ZERO);
  else if (given.on.length === 0) yield describeMissingField(['scaling', 'on'], hint);
};

/** Checks that an engine without a copy can start one when a request waits. */
export const startsFromZero: SchemaRule<Scaled> = function* ({ copies: declared, scaling: given, members, phase }) {
  if (typeof declared === 'number' || declared.min > 0) return;
  const reason =
    members.length > 1
      ? 'a gang starts only when all its nodes are there, so it never starts from zero for a waiting request'
      : phase && 'a prefill and decode pair serves only with a copy of each, and a waiting request starts only one';
  if (reason) yield errorAt('scale-to-zero', ['copies', 'min'], reason, 'Set it to 1 or more');
  else if (given && given.on.length > 0 && given.on.every(({ running }) => running === undefined)) {
    const what = 'without a copy, the engine measures nothing, so only requests in progress can start the first one';
    yield errorAt('scale-to-zero', ['scaling', 'on'], what, "Add the signal 'running', as in '{ running: 16 }'");
  }
};
