import { type Locate, type Resource, resourceIdOf } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import type { Diagnostic } from '../base/diagnostic';
import { readModelDefinition } from '../engine/model-definition';
import type { SourceFile } from '../manifest/source-file';

/** A model definition file, and the position that refers to it. */
export interface ReferencedDefinition {
  readonly where: string;
  readonly file: SourceFile;
}

/** The field of a deployment that refers to its model definition. */
export const MODEL_DEFINITION_PATH = ['spec', 'template', 'spec', 'modelDefinition'] as const;

interface DefinedResources {
  readonly resources: readonly Resource[];
  readonly problems: readonly Diagnostic[];
  readonly notes: readonly string[];
}

/**
 * Adds the health checks of model definitions to deployments. Fields that a deployment declares itself take
 * precedence.
 */
export function applyModelDefinitions(
  resources: readonly Resource[],
  definitions: readonly ReferencedDefinition[],
  locate: Locate,
): DefinedResources {
  if (definitions.length === 0) return { resources, problems: [], notes: [] };
  const files = new Map(definitions.map(({ where, file }) => [where, file]));
  const problems = new Map<string, readonly Diagnostic[]>();
  const notes: string[] = [];
  const defined = resources.map((resource): Resource => {
    if (!refersToDefinition(resource)) return resource;
    const file = files.get(locate(resource, MODEL_DEFINITION_PATH));
    if (!file) return resource;
    const read = readModelDefinition(file);
    if ('problems' in read) {
      const subject = resourceIdOf(resource);
      problems.set(
        `${subject} ${file.path}`,
        read.problems.map((one) => ({ ...one, subject })),
      );
      return resource;
    }
    notes.push(...noteRuntimeOverride(resource));
    return withHealthCheck(resource, read.healthCheck);
  });
  return { resources: defined, problems: [...problems.values()].flat(), notes };
}

/** Whether a resource is a deployment that names a model definition. */
export function refersToDefinition(resource: Resource): resource is ModelDeployment {
  return resource.kind === 'ModelDeployment' && resource.spec.template.spec.modelDefinition !== undefined;
}

function withHealthCheck(
  deployment: ModelDeployment,
  defined: ModelDeployment['spec']['template']['spec']['healthCheck'],
): ModelDeployment {
  const { spec } = deployment;
  const healthCheck = { ...defined, ...spec.template.spec.healthCheck };
  const template = { ...spec.template, spec: { ...spec.template.spec, healthCheck } };
  return { ...deployment, spec: { ...spec, template } };
}

/** Removes the reference to a model definition, whose values the deployment contains already. */
export function withoutDefinition(resource: Resource): Resource {
  if (resource.kind !== 'ModelDeployment') return resource;
  const { spec } = resource;
  const inner = { ...spec.template.spec, modelDefinition: undefined };
  return { ...resource, spec: { ...spec, template: { ...spec.template, spec: inner } } };
}

function noteRuntimeOverride(deployment: ModelDeployment): string[] {
  const named = deployment.spec.template.spec.engines.flatMap(({ runtime }) => runtime ?? []);
  const runtime = named.find((one) => one !== 'Custom');
  if (runtime === undefined) return [];
  return [
    `${resourceIdOf(deployment)} has runtime ${runtime} and a model definition: the health checks of the model definition override those of the runtime.`,
  ];
}
