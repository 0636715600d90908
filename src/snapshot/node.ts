import { z } from 'zod';
import { quantity } from '../api/shared/quantity';
import { NODE_EFFECTS } from '../api/shared/taint';
import { objectMeta } from './object-meta';

const taint = z.object({ key: z.string(), value: z.string().optional(), effect: z.enum(NODE_EFFECTS) });

/** A `Node` as a cluster reports it. */
export const node = z.object({
  metadata: objectMeta,
  spec: z
    .object({ unschedulable: z.boolean().default(false), taints: z.array(taint).default([]) })
    .prefault({}),
  status: z
    .object({
      allocatable: z.record(z.string(), quantity(64)).default({}),
      conditions: z.array(z.object({ type: z.string(), status: z.string() })).default([]),
    })
    .prefault({}),
});

/** A recorded `Node`. */
export type Node = z.output<typeof node>;
