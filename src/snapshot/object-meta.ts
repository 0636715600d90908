import { z } from 'zod';

/** What is read of the metadata of a recorded object. Unlike in a manifest, other fields are passed over. */
export const objectMeta = z.object({
  name: z.string().min(1),
  namespace: z.string().optional(),
  labels: z.record(z.string(), z.string()).default({}),
  deletionTimestamp: z.string().optional(),
});
