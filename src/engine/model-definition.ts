import { z } from 'zod';
import type { EngineHealthCheck } from '../api/health-check';
import type { Path } from '../api/resource';
import { httpPath } from '../api/schema/string-formats';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { locateInFile, readDataFile } from '../manifest/data-file';
import type { SourceFile } from '../manifest/source-file';

const secondsSchema = z.number().min(0).max(86_400);

/** The health check of a model service in Backend.AI (https://docs.backend.ai). Other fields are ignored. */
const healthCheckSchema = z.object({
  enable: z.boolean().optional(),
  path: httpPath.optional(),
  interval: secondsSchema.optional(),
  max_retries: z.int().min(1).max(100).optional(),
  max_wait_time: secondsSchema.optional(),
  expected_status_code: z.int().min(200).max(399).optional(),
  initial_delay: secondsSchema.optional(),
});

const portSchema = z.int().min(1).max(65_535);
const serviceSchema = z.object({ port: portSchema.optional(), health_check: healthCheckSchema.optional() });
const definitionSchema = z.object({ models: z.array(z.object({ service: serviceSchema.optional() })).min(1) });

/** Reads the health check of the model in a model-definition.yaml. Fields that the file omits stay absent. */
export function readModelDefinition(
  file: SourceFile,
): { readonly healthCheck: EngineHealthCheck } | { readonly problems: readonly Diagnostic[] } {
  const read = readDataFile(file, definitionSchema);
  if ('problems' in read) return read;
  const { models } = read.value;
  const { port, health_check: check } = models[0]?.service ?? {};
  const mistake = findMistake(models.length, check);
  if (mistake) return { problems: locateInFile([mistake], read.place) };
  const declared = { ...(port !== undefined && { port }), ...(check && toHealthCheck(check)) };
  return { healthCheck: declared };
}

type BackendAiHealthCheck = z.output<typeof healthCheckSchema>;

/** How each field of a health check follows from the definition; undefined if the definition omits it. */
const FIELDS: {
  readonly [F in Exclude<keyof EngineHealthCheck, 'port' | 'healthyThreshold'>]: (
    check: BackendAiHealthCheck,
  ) => EngineHealthCheck[F];
} = {
  enabled: ({ enable }) => enable,
  path: ({ path }) => path,
  interval: ({ interval }) => toDuration(interval, 1),
  timeout: ({ max_wait_time: wait }) => toDuration(wait, 1),
  initialDelay: ({ initial_delay: delay }) => toDuration(delay, 0),
  unhealthyThreshold: ({ max_retries: retries }) => retries,
  expectedStatuses: ({ expected_status_code: code }) => (code === undefined ? undefined : [code]),
};

function toHealthCheck(check: BackendAiHealthCheck): EngineHealthCheck {
  const given = Object.entries(FIELDS).map(([field, read]) => [field, read(check)]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function findMistake(models: number, check: BackendAiHealthCheck | undefined): Diagnostic<Path> | undefined {
  if (models > 1) {
    const what = `the definition has ${models} models, and a deployment serves one`;
    return errorAt('many-models', ['models', 1], what, 'Keep the one that it serves');
  }
  if (!check || check.enable === false || check.path !== undefined) return undefined;
  const at = ['models', 0, 'service', 'health_check', 'path'];
  return errorAt('missing-field', at, "the field 'path' is missing", "Set the path, or set 'enable: false'");
}

/** Kubernetes probes use whole seconds. */
function toDuration(value: number | undefined, least: number): string | undefined {
  return value === undefined ? undefined : `${Math.max(least, Math.ceil(value))}s`;
}
