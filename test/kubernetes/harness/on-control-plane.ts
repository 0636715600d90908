import type { Client } from './client';
import { startControlPlane } from './control-plane';
import type { Features } from './files';
import { Kubelet } from './kubelet';

/** Makes a trial on a control plane of its own, where pods run. A control plane that fails ends it. */
export async function onControlPlane<T>(
  trial: (client: Client, kubelet: Kubelet) => Promise<T>,
  features?: Features,
): Promise<T> {
  const plane = await startControlPlane({ features });
  const kubelet = new Kubelet(plane.client);
  try {
    await kubelet.start();
    return await Promise.race([plane.failure, trial(plane.client, kubelet)]);
  } finally {
    kubelet.stop();
    await plane.stop();
  }
}
