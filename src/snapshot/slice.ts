import { z } from 'zod';
import { quantity } from '../api/shared/quantity';
import { text } from '../api/shared/names';
import { objectMeta } from './object-meta';

/** Forms of a value. One that this release does not know is passed over, and then no form is there. */
const attribute = z.object({
  string: z.string().optional(),
  version: z.string().optional(),
  bool: z.boolean().optional(),
  int: z.union([z.number(), z.bigint()]).optional(),
});

const device = z.object({
  name: text(253),
  attributes: z.record(z.string(), attribute).default({}),
  capacity: z.record(z.string(), z.object({ value: quantity(64) })).default({}),
  taints: z.array(z.object({ effect: z.string() })).default([]),
});

/** A `ResourceSlice`: devices that a driver publishes, of one node or of none in particular. */
export const slice = z.object({
  metadata: objectMeta,
  spec: z.object({
    driver: text(253),
    nodeName: text(253).optional(),
    pool: z.object({
      name: text(253),
      generation: z.int().min(0),
      resourceSliceCount: z.int().min(1),
    }),
    devices: z.array(device).default([]),
  }),
});

/** A recorded `ResourceSlice`. */
export type Slice = z.output<typeof slice>;

/** A device of a recorded `ResourceSlice`. */
export type PublishedDevice = Slice['spec']['devices'][number];
