import type { Resource } from '../../src/api/kinds';
import type { ModelDeployment } from '../../src/api/model-deployment';
import { aClass, aMember } from '../api/build';
import { aModel, aSite } from '../routing/build';

export const priced = aClass('h100', { price: { perHour: 10 } });
export const site = (name: string, nodeCount: number): Resource => aSite(name, { pools: { h100: { nodeCount } } });
export const container = (tag: string): object => ({
  template: { spec: { containers: [{ name: 'engine', image: `vllm/vllm-openai:${tag}`, args: ['Qwen/Qwen3-8B'] }] } },
});
export const model = (gpus: number, tag = 'v0.23.0', name = 'ml/q', replicas = 1): ModelDeployment =>
  aModel(name, {
    replicas,
    engines: [{ name: 'main', members: [aMember({ gpus, ...container(tag) })] }],
  });

export const usAndEu = (us: number, eu: number): Resource[] => [priced, site('us', us), site('eu', eu)];
