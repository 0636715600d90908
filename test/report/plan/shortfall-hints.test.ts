import { terminalLines } from '../../../src/report/document/write-terminal';
import { formatShortfall } from '../../../src/report/plan/shortfall-text';
import { ask, cluster, deployment, engine, nodeClassWith, run } from '../../scheduler/build';

test('a pod with more CPU than any node is no mismatch of devices, and a smaller request is the way out', () => {
  const engines = [engine('main', [ask('gpu', 1)], { resources: { requests: { cpu: '4' } } })];
  const box = nodeClassWith('box', { allocatable: { cpu: '3.92', memory: '64Gi' } });
  const [short] = run([box, cluster('eu', { a: 'box x 1' }), deployment('ml/q', { engines })]).shortfalls;
  const lines = terminalLines([formatShortfall({ ...short!, accepted: false })]).join('\n');
  expect(lines).toContain('(0 of 1 cluster fits: 1 with nodes that have too little CPU or memory)');
  expect(lines).toContain('More nodes do not help: request less CPU or memory than a node has');
});
