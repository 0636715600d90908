import { z } from 'zod';
import { quantity } from '../api/shared/quantity';
import { objectMeta } from './object-meta';

const resources = z.object({ requests: z.record(z.string(), quantity(64)).default({}) }).prefault({});

const container = z.object({ resources, restartPolicy: z.string().optional() });

/** A `Pod`: where it is and what it asks for. */
export const pod = z.object({
  metadata: objectMeta,
  spec: z.object({
    nodeName: z.string().optional(),
    containers: z.array(container),
    initContainers: z.array(container).default([]),
    overhead: z.record(z.string(), quantity(64)).default({}),
    resources,
    resourceClaims: z.array(z.unknown()).default([]),
  }),
  status: z.object({ phase: z.string().optional() }).prefault({}),
});

/** A recorded `Pod`. */
export type Pod = z.output<typeof pod>;
