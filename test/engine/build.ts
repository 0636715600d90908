import type { Engine } from '../../src/api/engine';
import type { ModelDeployment } from '../../src/api/model-deployment';
import { aDeployment, aMember, type Doc } from '../api/build';

/** A container of the image of vLLM, or of what the row says. */
export function container(fields: Doc = {}): Doc {
  return { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', ...fields };
}

/** A deployment of one engine with one pod. */
export function serving(fields: Doc = {}, engine: Doc = {}, options: Doc = {}): ModelDeployment {
  const members = [
    aMember({ gpus: options['gpus'] ?? 1, template: { spec: { containers: [container(fields)] } } }),
  ];
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
