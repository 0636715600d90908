import { z } from 'zod';
import { IN_HEALTH_CHECK } from './engine-spellings';
import { fields } from './schema/fields';
import { duration, integer } from './schema/quantity';
import { httpPath } from './schema/string-formats';

const threshold = integer(1, 100);

/** The schema of the health check of a deployment's engines. Omitted fields default to those of the runtime. */
export const healthCheck = fields(
  {
    enabled: z
      .boolean()
      .optional()
      .describe('Whether health is checked. If not, a pod is ready as soon as its container runs. Default: true.'),
    path: httpPath.optional().describe('The path to request. Default: that of the runtime.'),
    port: integer(1, 65_535).optional().describe('The port to request. Default: the port on which the engine serves.'),
    interval: duration.optional().describe('The time between two checks. Default: 10s.'),
    timeout: duration.optional().describe('The time limit of an answer. Default: that of the runtime.'),
    initialDelay: duration.optional().describe('The time before the first check. Default: 0s.'),
    healthyThreshold: threshold
      .optional()
      .describe('Successful checks in a row before a pod gets requests. Default: 1.'),
    unhealthyThreshold: threshold
      .optional()
      .describe('Failed checks in a row before a pod gets no more requests. Default: 3.'),
    expectedStatuses: z
      .array(integer(200, 399))
      .min(1)
      .max(32)
      .optional()
      .describe('The status codes that gateways accept; probes of pods accept 200 to 399. Default: 200.'),
  },
  IN_HEALTH_CHECK,
);

export type EngineHealthCheck = z.output<typeof healthCheck>;
