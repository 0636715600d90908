import type { z } from 'zod';
import { fields } from './schema/fields';
import { imageRegistry, stringFormat } from './schema/string-formats';

const chartRepository = stringFormat({
  noun: 'a repository of charts',
  code: 'bad-registry',
  pattern: /^(oci|https):\/\/[a-z0-9][a-z0-9.:-]*(\/[A-Za-z0-9._-]+)*$/,
  max: 253,
  hint: "Use its address without a slash at the end, as in 'oci://registry.example.com/charts'",
});

const endpoint = stringFormat({
  noun: 'an endpoint',
  code: 'bad-url',
  pattern: /^https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[A-Za-z0-9._~/-]*)?$/,
  max: 2048,
  hint: "Use scheme and host, as in 'https://hub.example.com'",
});

/** The schema of the mirrors that a cluster without internet access uses. */
export const mirror = fields({
  images: imageRegistry
    .optional()
    .describe('Replaces the registries of the images of all pods and of servingStack: registry.example.com/mirror.'),
  charts: chartRepository
    .optional()
    .describe('A repository with all charts of servingStack under their own names: oci://registry.example.com/charts.'),
  huggingFace: endpoint
    .optional()
    .describe(
      'A server with the API of huggingface.co. Engines and caches get it as HF_ENDPOINT: https://hub.example.com.',
    ),
});

export type Mirror = z.output<typeof mirror>;
