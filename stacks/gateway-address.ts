import {
  CustomResource as Custom,
  type CustomResourceArgs,
} from '@pulumi/kubernetes/apiextensions/customResource';
import type { Output } from '@pulumi/pulumi';
import type { Manifest } from '../src/manifest/kubernetes/manifest';
import type { ClusterResourceOptions } from './cluster';
import { addAnnotations } from './kubernetes-objects';

/** What a Gateway says of itself once its controller has an address for it. */
interface GatewayStatus {
  readonly addresses?: readonly { readonly value: string }[];
}

/** Load balancers of clouds take a minute or three. */
const ADDRESS_TIMEOUT = '15m';

/** A Gateway for which the provider waits: the controller makes the Service, and its load balancer the address. */
export function awaitAddress(gateway: Manifest): Manifest {
  return addAnnotations(gateway, { 'pulumi.com/waitFor': 'jsonpath={.status.addresses[0].value}' });
}

/** A Gateway that is waited for until it has an address. */
export class AddressedGateway extends Custom {
  declare readonly status: Output<GatewayStatus | undefined>;

  /** @param args as `awaitingAddress` makes them */
  constructor(name: string, args: CustomResourceArgs, opts: ClusterResourceOptions) {
    // Naming the field makes it an output from the start, unknown while the Gateway is not there.
    super(
      name,
      { ...args, status: undefined },
      { ...opts, customTimeouts: { create: ADDRESS_TIMEOUT, update: ADDRESS_TIMEOUT } },
    );
  }

  /** Its first address: a number or a name. */
  get address(): Output<string> {
    return this.status.apply((status) => {
      const [first] = status?.addresses ?? [];
      if (!first) throw new Error('the Gateway has no address');
      return first.value;
    });
  }
}
