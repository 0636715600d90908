import { terminalLines } from '../../../src/report/document/write-terminal';
import { formatShortfall } from '../../../src/report/plan/shortfall-text';
import { ask, cluster, deployment, device, engine, nodeClass, nodeClassWith, run } from '../../scheduler/build';

test('a pod with more CPU than any node is no mismatch of devices, and a smaller request is the way out', () => {
  const engines = [engine('main', [ask('gpu', 1)], { resources: { requests: { cpu: '4' } } })];
  const box = nodeClassWith('box', { allocatable: { cpu: '3.92', memory: '64Gi' } });
  const [short] = run([box, cluster('eu', { a: 'box x 1' }), deployment('ml/q', { engines })]).shortfalls;
  const lines = terminalLines([formatShortfall({ ...short!, accepted: false })]).join('\n');
  expect(lines).toContain('(0 of 1 cluster fits: 1 with nodes that have too little CPU or memory)');
  expect(lines).toContain('More nodes do not help: request less CPU or memory than a node has');
});

test('advice on compute capabilities names their number formats, which a request may have instead', () => {
  const attributes = { cudaComputeCapability: { version: '9.0.0' } };
  const asking = engine('main', [{ ...ask('gpu', 1), where: { supports: 'FP4' } }]);
  const hopper = nodeClass('h100', device('gpu', { attributes }));
  const resources = [hopper, cluster('eu', { a: 'h100 x 1' }), deployment('ml/q', { engines: [asking] })];
  const [short] = run(resources).shortfalls;
  const lines = terminalLines([formatShortfall({ ...short!, accepted: false })]).join('\n');
  expect(lines).toContain('require 9.0.0 (supports: FP8) instead of 10.0.0 (supports: FP4) in where of gpu, on eu / a');
});
