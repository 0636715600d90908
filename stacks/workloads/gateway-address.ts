import { CustomResource as Custom, type CustomResourceArgs } from '@pulumi/kubernetes/apiextensions/customResource';
import type { Output } from '@pulumi/pulumi';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import type { ClusterResourceOptions } from '../cloud/cluster';
import { addAnnotations } from './kubernetes-objects';

/** The status of a Gateway after its controller has assigned an address. */
interface GatewayStatus {
  readonly addresses?: readonly { readonly value: string }[];
}

/** The time limit for an address. Cloud load balancers take one to three minutes. */
const ADDRESS_TIMEOUT = '15m';

/**
 * Annotates a Gateway so that the provider waits for its address: the controller creates the Service, and its load
 * balancer the address.
 */
export function awaitAddress(gateway: Manifest): Manifest {
  return addAnnotations(gateway, { 'pulumi.com/waitFor': 'jsonpath={.status.addresses[0].value}' });
}

/** A Gateway whose creation waits for an address. */
export class AddressedGateway extends Custom {
  declare readonly status: Output<GatewayStatus | undefined>;

  /** @param args the arguments from `awaitAddress` */
  constructor(name: string, args: CustomResourceArgs, opts: ClusterResourceOptions) {
    // A declared field is an output, which is unknown while the Gateway does not exist.
    super(
      name,
      { ...args, status: undefined },
      { ...opts, customTimeouts: { create: ADDRESS_TIMEOUT, update: ADDRESS_TIMEOUT } },
    );
  }

  /** Its first address: an IP address or a host name. */
  get address(): Output<string> {
    return this.status.apply((status) => {
      const [first] = status?.addresses ?? [];
      if (!first) throw new Error('the Gateway has no address');
      return first.value;
    });
  }
}
