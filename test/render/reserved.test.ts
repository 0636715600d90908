import { isReservedVolume, RESERVED_CONTAINERS, RESERVED_PORTS } from '../../src/api/pod/reserved-names';
import { ENGINE_LABEL } from '../../src/api/labels';
import { findPodSpecs } from '../../src/manifest/kubernetes/manifest';
import { aDeployment, anEngine, type Doc } from '../api/build';
import { manifestsOf } from './build';

const deployment = aDeployment('ml/pair', {
  cache: 'weights',
  loraAdapters: [{ name: 'sql', modelCacheRef: { name: 'sql' } }],
  serving: { mode: 'PrefillDecode' },
  engines: [anEngine('p', { phase: 'Prefill' }), anEngine('d', { phase: 'Decode' })],
});

/** Everything that we put into pods besides the engine: names that users may not take. */
test('every name that we give in a pod is refused to users', () => {
  const engines = manifestsOf(deployment).filter(({ metadata }) => metadata.labels?.[ENGINE_LABEL] !== undefined);
  const pods = findPodSpecs(engines) as unknown as { [field: string]: Doc[] }[];
  const names = (field: string): string[] => pods.flatMap((pod) => (pod[field] ?? []).map(({ name }) => String(name)));
  const ports = pods.flatMap((pod) =>
    [...pod.containers!, ...(pod.initContainers ?? [])].flatMap((one) => (one.ports ?? []) as Doc[]),
  );
  expect([...new Set(names('initContainers'))].sort()).toEqual([...RESERVED_CONTAINERS].sort());
  expect(names('volumes').filter((name) => !isReservedVolume(name))).toEqual([]);
  expect(names('volumes')).toEqual(expect.arrayContaining(['shared-memory', 'model-cache', 'adapter-0']));
  expect(new Set(ports.map(({ name }) => name))).toEqual(RESERVED_PORTS);
});
