import { z } from 'zod';
import type { HealthCheck } from '../api/health-check';
import type { Finding } from '../api/resource';
import { httpPath } from '../api/routing/http-path';
import type { Problem } from '../errors';
import { located, readDataFile } from '../manifest/data-file';
import type { SourceFile } from '../manifest/source';

const seconds = z.number().min(0).max(86_400);

/** How Backend.AI asks a model service: https://docs.backend.ai, model-definition.yaml. Its other fields are its own. */
const asked = z.object({
  enable: z.boolean().optional(),
  path: httpPath.optional(),
  interval: seconds.optional(),
  max_retries: z.int().min(1).max(100).optional(),
  max_wait_time: seconds.optional(),
  expected_status_code: z.int().min(200).max(399).optional(),
  initial_delay: seconds.optional(),
});

const definition = z.object({
  models: z
    .array(
      z.object({
        service: z
          .object({ port: z.int().min(1).max(65_535).optional(), health_check: asked.optional() })
          .optional(),
      }),
    )
    .min(1),
});

/**
 * What a model-definition.yaml says of how its model is asked whether it serves, as fields of a health check. What it
 * leaves out is left out.
 */
export function readModelDefinition(
  file: SourceFile,
): { readonly healthCheck: HealthCheck } | { readonly problems: readonly Problem[] } {
  const read = readDataFile(file, definition);
  if ('problems' in read) return read;
  const [model, ...others] = read.value.models;
  if (others.length > 0) return { problems: located([several(others.length + 1)], read.place) };
  const { port, health_check: check } = model?.service ?? {};
  if (check && check.enable !== false && check.path === undefined) {
    return { problems: located([pathless()], read.place) };
  }
  const declared = { ...(port !== undefined && { port }), ...(check && fieldsOf(check)) };
  return { healthCheck: declared };
}

type Asked = z.output<typeof asked>;

/** What each field of ours is made from; undefined where theirs is left out. */
const FIELDS: {
  readonly [F in Exclude<keyof HealthCheck, 'port' | 'healthyThreshold'>]: (check: Asked) => HealthCheck[F];
} = {
  enabled: ({ enable }) => enable,
  path: ({ path }) => path,
  interval: ({ interval }) => duration(interval, 1),
  timeout: ({ max_wait_time: wait }) => duration(wait, 1),
  initialDelay: ({ initial_delay: delay }) => duration(delay, 0),
  unhealthyThreshold: ({ max_retries: retries }) => retries,
  expectedStatuses: ({ expected_status_code: code }) => (code === undefined ? undefined : [code]),
};

function fieldsOf(check: Asked): HealthCheck {
  const given = Object.entries(FIELDS).map(([field, read]) => [field, read(check)]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function several(count: number): Finding {
  return {
    code: 'many-models',
    path: ['models', 1],
    what: `the definition is of ${count} models, and a deployment serves one`,
    hint: 'Keep the one that it serves',
  };
}

function pathless(): Finding {
  return {
    code: 'missing-field',
    path: ['models', 0, 'service', 'health_check', 'path'],
    what: "the field 'path' is missing",
    hint: "Write the path that answers, or 'enable: false'",
  };
}

/** Kubernetes asks in whole seconds. */
function duration(value: number | undefined, least: number): string | undefined {
  return value === undefined ? undefined : `${Math.max(least, Math.ceil(value))}s`;
}
