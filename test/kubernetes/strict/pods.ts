import { type Doc, type KubeObject } from '../harness/client';

/** A template of pods, as workloads of all kinds have it. */
interface Template {
  readonly metadata?: Doc;
  readonly spec: Doc;
}

/**
 * The pods that the templates of an object would become, whatever its kind is: a Deployment, a Job, the Job of a
 * CronJob. Those of gangs are not looked for: they are tried as the sets that their controller would make.
 */
export function podsOf({ kind, metadata, spec }: KubeObject): KubeObject[] {
  if (kind === 'LeaderWorkerSet') return [];
  return templatesIn(spec).map((template, i) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...template.metadata, name: `${metadata.name}-${i}`, namespace: metadata.namespace },
    spec: template.spec,
  }));
}

function templatesIn(value: unknown): Template[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    /template$/i.test(key) && isTemplate(inner) ? [inner] : templatesIn(inner),
  );
}

function isTemplate(value: unknown): value is Template {
  const spec = (value as Partial<Template> | null)?.spec;
  return Array.isArray(spec?.['containers']);
}
