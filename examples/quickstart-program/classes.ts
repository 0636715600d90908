import { type Fleet, InferenceClass } from 'fleetwright/constructs';
import { gpus } from './gpus';

/** What a node of each kind has. */
export function declareClasses(fleet: Fleet) {
  return {
    gkeL4: new InferenceClass(fleet, 'gke-l4', {
      description: 'Two L4 on GKE',
      provisioning: gke('g2-standard-24', 'nvidia-l4', 2),
      devices: gpus('l4', 2),
    }),
    gkeH200: new InferenceClass(fleet, 'gke-h200', {
      description: 'Eight H200 on GKE',
      provisioning: gke('a3-ultragpu-8g', 'nvidia-h200-141gb', 8),
      devices: gpus('h200', 8),
    }),
    eksH200: new InferenceClass(fleet, 'eks-h200', {
      description: 'Eight H200 on EKS',
      provisioning: eks('p5en.48xlarge', 'nvidia-h200', 8),
      devices: gpus('h200', 8),
    }),
    eksL4: new InferenceClass(fleet, 'eks-l4', {
      description: 'Four L4 on EKS',
      provisioning: eks('g6.12xlarge', 'nvidia-l4', 4),
      devices: gpus('l4', 4),
    }),
    l40s: new InferenceClass(fleet, 'onprem-l40s', {
      description: 'Four L40S in our own racks',
      devices: gpus('l40s', 4),
    }),
  };
}

const gke = (machineType: string, type: string, count: number) =>
  ({ provider: 'GKE', gke: { machineType, accelerator: { type, count } } }) as const;

const eks = (instanceType: string, type: string, count: number) =>
  ({ provider: 'EKS', eks: { instanceType, accelerator: { type, count } } }) as const;
