import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, anEngine, byPath, type Doc } from '../api/build';

const H100 = aClass('h100');

const LLAMA_PANELS =
  'Requests per second, Use of the KV cache, Time to first token, Inter-token latency, End-to-end latency';

const rows: Record<string, { monitoring?: Doc; runtimes: string[]; want: string[] }> = {
  'nothing, where the engine measures all': { monitoring: { dashboards: {} }, runtimes: ['vLLM'], want: [] },
  'nothing, where monitoring is off': { runtimes: ['LlamaCpp'], want: [] },
  'nothing, where there are no rules': {
    monitoring: { rules: false, dashboards: {} },
    runtimes: ['LlamaCpp'],
    want: [],
  },
  'the alert and the panels, once for all deployments with the runtime': {
    monitoring: { dashboards: {} },
    runtimes: ['LlamaCpp', 'vLLM', 'LlamaCpp'],
    want: [
      `Engines with runtime llama.cpp lack metrics: they have no alert FleetwrightKvCacheFull, and dashboards show nothing of them as ${LLAMA_PANELS}.`,
    ],
  },
  'the alerts only, where there are no dashboards': {
    monitoring: {},
    runtimes: ['Ollama'],
    want: [
      'Engines with runtime Ollama lack metrics: they have no alert FleetwrightQueueGrowing and FleetwrightKvCacheFull.',
    ],
  },
  'the panels only, where each alert has its metric': {
    monitoring: { dashboards: {} },
    runtimes: ['LMDeploy'],
    want: ['Engines with runtime LMDeploy lack metrics: dashboards show nothing of them as Tokens out per second.'],
  },
};

test.each(Object.entries(rows))('a plan notes of missing metrics %s', (_, { monitoring, runtimes, want }) => {
  const cluster = aCluster('us', { pools: { h100: 8 }, ...(monitoring && { monitoring }) });
  const deployments = runtimes.map((runtime, i) =>
    aDeployment(`ml/q${i}`, { engines: [anEngine('main', { runtime })] }),
  );
  const { plan } = decide(assemble([H100, cluster, ...deployments]), byPath, EMPTY_LOCK);
  expect(plan.notes.filter((note) => note.includes('lack metrics'))).toEqual(want);
});
