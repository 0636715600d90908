import { z } from 'zod';
import { aboveMaximum } from './reading/common-findings';
import { fields } from './reading/fields';
import { type Rule, rules } from './reading/rule';
import { namedList } from './shared/list';
import { dnsLabel, text } from './shared/names';

const deviceRequest = fields({
  name: dnsLabel.describe('The name of the request within the claim.'),
  count: z.int().min(1).max(64).default(1).describe('Devices of one node that each pod needs. Default: 1.'),
  selectors: z
    .array(fields({ cel: text(10_240).describe('A CEL expression over one device, as in a DeviceClass.') }))
    .min(1)
    .max(8)
    .describe('What a device must be, all of it.'),
});

/** Devices of one kind that each pod of a member needs. */
export type DeviceRequest = z.output<typeof deviceRequest>;

/** Kubernetes' limit for the devices of one claim. */
const MOST_DEVICES = 32;

const fitsOneClaim: Rule<readonly DeviceRequest[]> = function* (requests) {
  const total = requests.reduce((sum, { count }) => sum + count, 0);
  if (total <= MOST_DEVICES) return;
  yield aboveMaximum([], `a claim of ${total} devices`, MOST_DEVICES, 'Ask for fewer devices a pod');
};

/** What each pod of a member needs from its node. */
export const deviceRequests = namedList(deviceRequest, { min: 1, max: 16 })
  .check(rules(fitsOneClaim))
  .describe('The devices that each pod claims.');
