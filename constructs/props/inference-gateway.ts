// Written by `npm run props` from the schemas in src/api. Changes made here are lost.
import type { InferenceCluster } from '../inference-cluster';

/** Properties of an `InferenceGateway`. The address at which users reach the services of the fleet. */
export interface InferenceGatewayProps {
  /**
   * The name, unique among resources of this kind and namespace.
   *
   * @default the id of the construct
   */
  readonly name?: string | undefined;

  /**
   * Labels, for selectors.
   *
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;

  /**
   * Annotations. Nothing is decided by them.
   *
   * @default - none
   */
  readonly annotations?: Readonly<Record<string, string>> | undefined;

  /**
   * The clusters that the front door stands on.
   *
   * @default - none
   */
  readonly clusters?: readonly (InferenceCluster | string)[] | undefined;

  /**
   * Read and not used: Envoy Gateway serves. Required by modelplane.ai.
   *
   * @default - none
   */
  readonly backend?: 'Traefik' | undefined;

  /**
   * Read and not used.
   *
   * @default - none
   */
  readonly traefik?:
    | {
        /** The version of the chart. */
        readonly version: string;

        /**
         * What gives the gateway its address.
         *
         * @default - none
         */
        readonly loadBalancer?: 'MetalLB' | undefined;

        /**
         * For load balancer MetalLB.
         *
         * @default - none
         */
        readonly metallb?:
          | {
              /** Addresses to give out: 172.18.255.200-172.18.255.250. */
              readonly addressPool: string;
            }
          | undefined;
      }
    | undefined;
}
