import { backendTypeOf } from '../../api/kubernetes-features';
import type { ReleaseDefinition } from './release';

/**
 * The release of NVIDIA Dynamo: its operator, and what its parts find each other by. It is installed only on request,
 * because a cluster has one operator for all teams. Grove, which runs gangs, is a chart of its own.
 */
export const DYNAMO_RELEASES: readonly ReleaseDefinition[] = [
  {
    key: 'dynamo',
    name: 'dynamo-platform',
    namespace: 'dynamo-system',
    chart: 'dynamo-platform',
    repository: 'https://helm.ngc.nvidia.com/nvidia/ai-dynamo',
    version: '1.3.0',
    optIn: true,
    needed: ({ cluster }) => backendTypeOf(cluster) === 'Dynamo',
    imageValues: (mirror) => ({
      'dynamo-operator': {
        controllerManager: { manager: { image: { repository: `${mirror}/nvidia/ai-dynamo/kubernetes-operator` } } },
      },
    }),
  },
];
