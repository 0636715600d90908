import { cacheReferencesOf } from '../../src/api/cache/cache-references';
import type { Engine } from '../../src/api/engine';
import { locateAll } from '../../src/api/kinds';
import type { ModelDeployment } from '../../src/api/model-deployment';
import { formatDiagnostic } from '../../src/base/diagnostic';
import { checkEngines, listEngineWarnings } from '../../src/engine/checks/check-engines';
import { assemble } from '../../src/fleet/fleet';
import { aCache, aDeployment, aMember, byPath, type Doc } from '../api/build';

/** Where messages say the first engine of `serving` is, and its container. */
export const ENGINE = 'ModelDeployment ml/qwen3 spec.template.spec.engines.0';
export const CONTAINER = `${ENGINE}.members.0.template.spec.containers.0`;

/** A container of the image of vLLM, or of what the row says. */
export function container(fields: Doc = {}): Doc {
  return { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', ...fields };
}

/** A deployment of one engine with one pod. */
export function serving(fields: Doc = {}, engine: Doc = {}, options: Doc = {}): ModelDeployment {
  const members = [aMember({ gpus: options['gpus'] ?? 1, template: { spec: { containers: [container(fields)] } } })];
  const { gpus: _, ...more } = options;
  return aDeployment('ml/qwen3', { engines: [{ name: 'main', members, ...engine }], ...more });
}

/** The first engine of a deployment. */
export function firstEngine({ spec }: ModelDeployment): Engine {
  return spec.template.spec.engines[0]!;
}

/** The container of the first member of the first engine. */
export function firstContainer(deployment: ModelDeployment) {
  return firstEngine(deployment).members[0]!.template.spec.containers[0];
}

/** A container that starts its engine from a script. */
export function script(text: string, more: Doc = {}): Doc {
  return { command: ['sh', '-c'], args: [text], ...more };
}

/** What is reported of a deployment: errors, then warnings. */
export function reported(deployment: ModelDeployment): string[] {
  const caches = cacheReferencesOf(deployment).map(({ name }) => aCache(`${deployment.metadata.namespace}/${name}`));
  const fleet = assemble([deployment, ...caches]);
  const errors = locateAll([...checkEngines(fleet)], byPath).map(formatDiagnostic);
  const warnings = locateAll(listEngineWarnings(fleet), byPath).map((one) => `warning: ${formatDiagnostic(one)}`);
  return [...errors, ...warnings];
}
