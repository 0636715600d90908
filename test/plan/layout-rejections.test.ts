import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { formatRejectionKind } from '../../src/plan/rejection-messages';
import { aClass, aCluster, aDeployment, byPath, gpus } from '../api/build';

test('a pool on which a model has a layout is full, not of another class, and names the layout', () => {
  const { spec, ...rest } = aDeployment('ml/chat', { replicas: 9 });
  const model = { repository: 'Qwen/Qwen3-32B', context: 16_384, concurrency: 8, engine: 'vLLM' as const };
  const fleet = assemble([
    aClass('h100', { devices: [gpus(8)] }),
    aClass('l4', { devices: [gpus(8, { memory: '23034Mi', architecture: 'Ada Lovelace' })] }),
    aCluster('a', { pools: { h100: { nodeCount: 1 }, l4: { nodeCount: 1 } } }),
    { ...rest, spec: { ...spec, model, template: { ...spec.template, spec: { ...spec.template.spec, engines: [] } } } },
  ]);
  const { schedule, model: compiled } = decide(fleet, byPath, EMPTY_LOCK);
  expect(compiled.deployments[0]?.variants).toHaveLength(2);
  const reasons = schedule.shortfalls.flatMap(({ rejections }) =>
    rejections.map(({ pool, reason }) => `${pool}: ${reason.filter}`),
  );
  expect(reasons.sort()).toEqual(['h100: capacity', 'l4: capacity']);
  const texts = schedule.shortfalls.flatMap(({ rejections }) => rejections.map(formatRejectionKind));
  expect(texts[0]).toContain('needs 2 gpu on one node (spec.model: 2 x A100-80GB, TP 2); ');
  expect(texts[1]).toContain('needs 8 gpu on one node (spec.model: 8 x L4, TP 8); ');
});
