import { describeEngineMemory } from '../../src/analyze/explain/engine-memory-views';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, aMember, byPath, gpus, request } from '../api/build';

const ANY = 'device.driver == "gpu.nvidia.com"';
const DENSE = 'Qwen/Qwen3-8B';
const MIXTURE = 'Qwen/Qwen3-30B-A3B';

const cases: Record<string, [args: string[], gpus: number, want: string]> = {
  'a model without experts has none to distribute': [[DENSE, '-tp=8'], 8, 'TP 8'],
  'data ranks of a model without experts share none': [[DENSE, '-tp=4', '-dp=2'], 8, 'TP 4 x DP 2'],
  'TP divides the experts of a mixture': [[MIXTURE, '-tp=4'], 4, 'TP 4'],
  'a switch distributes whole experts': [[MIXTURE, '-tp=4', '--enable-expert-parallel'], 4, 'TP 4, EP 4'],
  'data ranks share the experts of a mixture': [[MIXTURE, '-dp=4'], 4, 'DP 4, EP 4'],
};

test.each(Object.entries(cases))('the layout that explain shows: %s', (_, [args, count, want]) => {
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: [...args, '--max-model-len=8192'] };
  const member = aMember({ devices: [request('gpu', count, ANY)], template: { spec: { containers: [container] } } });
  const fleet = assemble([
    aClass('h200', { devices: [gpus(8, { memory: '143771Mi' })] }),
    aCluster('a', { pools: { h200: 1 } }),
    aDeployment('ml/chat', { engines: [{ name: 'main', members: [member] }] }),
  ]);
  const views = describeEngineMemory(decide(fleet, byPath, EMPTY_LOCK), 'ml/chat').get('main') ?? [];
  expect(views.map(({ layout }) => layout)).toEqual([want]);
});
