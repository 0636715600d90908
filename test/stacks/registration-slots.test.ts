import * as pulumi from '@pulumi/pulumi';
import { ClusterWorkloads, ExistingCluster } from '../../stacks/index';
import { anObject } from './build';

/** Registers objects of a cluster on an engine that is slow, and returns what it had at the same time at most. */
async function register(names: readonly string[], isSlow: (name: string) => boolean) {
  let [now, most] = [0, 0];
  const order: string[] = [];
  await pulumi.runtime.setMocks({
    async newResource({ name, inputs }) {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, isSlow(name) ? 300 : 1));
      now--;
      order.push(name);
      return { id: name, state: inputs };
    },
    call: () => ({}),
  });
  const manifests = names.map((name) => anObject(name.includes('/') ? 'ConfigMap' : 'Namespace', name));
  await pulumi.runtime.runInPulumiStack(async () => {
    const cluster = new ExistingCluster('us', { kubeconfig: 'token: abc' });
    new ClusterWorkloads('us', { cluster, manifests });
  });
  await pulumi.runtime.disconnect();
  return { most, order };
}

test('the engine gets all objects of a large cluster, and few of them at the same time', async () => {
  const names = Array.from({ length: 200 }, (_, i) => `ml/c${i}`);
  const { most, order } = await register(['ml', ...names], () => false);
  expect(order.filter((name) => name.includes('ConfigMap'))).toHaveLength(200);
  expect(most).toBeLessThan(50);
});

test('objects that wait for another keep back no object that does not', async () => {
  const waiting = Array.from({ length: 100 }, (_, i) => `a-slow/c${i}`);
  const { order } = await register(['a-slow', ...waiting, 'fast', 'fast/c'], (name) => name === 'us/Namespace.a-slow');
  expect(order.indexOf('us/ConfigMap.fast.c')).toBeLessThan(order.indexOf('us/Namespace.a-slow'));
});
