import { listMonitoredDeployments } from '../../../src/render/monitoring/monitored-engines';
import { aDeployment, aMember } from '../../api/build';
import { aReplica } from '../build';

/** A replica with an engine of a name. */
const withEngine = (name: string, index: number) =>
  aReplica(aDeployment('ml/q', { engines: [{ name, members: [aMember({ gpus: 1 })] }] }), { index });

test('engines of an earlier declaration are monitored as long as their replicas run', () => {
  const former = { ...withEngine('sglang', 0), former: true as const };
  const found = listMonitoredDeployments([former, withEngine('vllm', 1)]);
  const engines = found.flatMap((one) => one.engines);
  expect(engines.map(({ labels, workloads }) => [labels.engine, workloads.length])).toEqual([
    ['vllm', 1],
    ['sglang', 1],
  ]);
});

test('those of the same name are one', () => {
  const former = { ...withEngine('vllm', 0), former: true as const };
  const [found] = listMonitoredDeployments([former, withEngine('vllm', 1)]);
  expect(found?.engines.map(({ workloads }) => workloads.length)).toEqual([2]);
});
