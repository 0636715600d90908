import { z } from 'zod';
import { environment } from './environment';
import { fields } from './reading/fields';
import { annotationMap } from './shared/label-map';
import { objectName } from './shared/names';
import { quantity } from './shared/quantity';
import { userLabels } from './user-labels';

const amounts = fields({
  cpu: quantity(32).optional().describe('CPU: 16, or 500m.'),
  memory: quantity(32).optional().describe('Memory: 200Gi.'),
}).default({});

const container = fields({
  name: z.literal('engine').describe("The name of the one container: 'engine'."),
  image: z.string().min(1).describe('The container image.'),
  command: z.array(z.string()).optional().describe("Replaces the image's entrypoint."),
  args: z
    .array(z.string())
    .optional()
    .describe('Arguments of the entrypoint. Parallelism and the model are set here.'),
  env: environment,
  resources: fields({
    requests: amounts.describe(
      'What the container is sure to get. Default: its share of the node, by its devices.',
    ),
    limits: amounts.describe('What the container may not exceed. Default: no limit.'),
  })
    .prefault({})
    .describe('CPU and memory. Devices are claimed by nodeSelector.'),
});

/** The limit of the alias group, far below that of Kubernetes. */
const LONGEST_ANNOTATION = 8192;

/** The pods of a member: what of a pod template may be set. */
export const podTemplate = fields({
  metadata: fields({
    labels: userLabels.describe('Labels of the pods.'),
    annotations: annotationMap(32, LONGEST_ANNOTATION).default({}).describe('Annotations of the pods.'),
  })
    .prefault({})
    .describe('Labels and annotations of the pods.'),
  spec: fields({
    containers: z.tuple([container]).describe('Exactly one container.'),
    imagePullSecrets: z
      .array(
        fields({ name: objectName.describe('The name of the Secret, in the namespace of the deployment.') }),
      )
      .default([])
      .describe('Secrets for the registry of the image.'),
  }).describe('The one container of the pods.'),
}).describe('The pods of the member.');

/** The pods of a member. */
export type PodTemplate = z.output<typeof podTemplate>;
