import { z } from 'zod';
import { IPV4_OCTET } from '../base/ip-address';
import { errorAt } from '../base/diagnostic';
import { fields, withDefault } from './schema/fields';
import { verbatimSelector } from './schema/label-selector';
import { rules, type SchemaRule } from './schema/rules';
import { stringFormat } from './schema/string-formats';

const cidr = stringFormat({
  noun: 'a range of addresses',
  code: 'bad-address',
  pattern: new RegExp(
    `^(?:${IPV4_OCTET}(?:\\.${IPV4_OCTET}){3}/(?:3[0-2]|[12]?\\d)|(?=[0-9a-fA-F]*:)[0-9a-fA-F:]+/\\d{1,3})$`,
  ),
  max: 49,
  hint: "Write it as in '10.0.0.0/8'",
});

const peer = fields({
  namespaceSelector: verbatimSelector.optional().describe('Namespaces. Default: that of the deployment.'),
  podSelector: verbatimSelector.optional().describe('Pods in them. Default: all.'),
  ipBlock: fields({ cidr: cidr.describe('The range: 10.0.0.0/8.') })
    .optional()
    .describe('Addresses outside the cluster.'),
});

const podsOrAddresses: SchemaRule<z.output<typeof peer>> = function* ({ namespaceSelector, podSelector, ipBlock }) {
  const selects = namespaceSelector !== undefined || podSelector !== undefined;
  if (selects !== (ipBlock !== undefined)) return;
  const hint = 'Set namespaceSelector, podSelector or both, or else ipBlock';
  yield errorAt('not-exactly-one', [], selects ? 'the peer has both pods and addresses' : 'the peer is empty', hint);
};

const peers = z.array(peer.check(rules(podsOrAddresses))).max(64);

/** The schema of the peers that may connect to the pods of a replica, and that these may connect to. */
export const networkPolicy = fields({
  enabled: withDefault(z.boolean(), true, 'Whether each replica has a NetworkPolicy.'),
  from: peers
    .default([])
    .describe(
      'Peers that may send requests, in addition to gateways and endpoint pickers in fleetwright-system and Prometheus. Default: none.',
    ),
  to: peers
    .optional()
    .describe('Peers that engines may connect to, in addition to their replica and DNS. Default: all.'),
});
