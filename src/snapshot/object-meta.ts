import { z } from 'zod';

/** The metadata fields of a recorded object that are read. Other fields are ignored, unlike in a manifest. */
export const objectMetaSchema = z.object({
  name: z.string().min(1),
  namespace: z.string().optional(),
  labels: z.record(z.string(), z.string()).default({}),
  annotations: z.record(z.string(), z.string()).default({}),
  deletionTimestamp: z.string().optional(),
});
