import { CustomResource as Custom } from '@pulumi/kubernetes/apiextensions/customResource';
import type { CustomResourceOptions, Output } from '@pulumi/pulumi';
import type { Manifest } from '../src/render/manifest';
import { annotated } from './without-waiting';

/** What a Gateway says of itself once its controller has an address for it. */
interface GatewayStatus {
  readonly addresses?: readonly { readonly value: string }[];
}

/** Load balancers of clouds take a minute or three. */
const TIMEOUT = '15m';

/** The provider waits for it: the controller makes the Service, and its load balancer the address. */
const WAITING = { 'pulumi.com/waitFor': 'jsonpath={.status.addresses[0].value}' };

/** A Gateway that is waited for until it has an address. */
export class AddressedGateway extends Custom {
  declare readonly status: Output<GatewayStatus | undefined>;

  constructor(name: string, manifest: Manifest, opts: CustomResourceOptions) {
    // Naming the field makes it an output from the start, unknown while the Gateway is not there.
    const args = { ...annotated(manifest, WAITING), status: undefined };
    super(name, args, { ...opts, customTimeouts: { create: TIMEOUT, update: TIMEOUT } });
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
