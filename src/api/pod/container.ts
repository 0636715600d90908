import { z } from 'zod';
import { errorAt } from '../../base/diagnostic';
import { fields, sameHint } from '../schema/fields';
import { checkDistinct, namedList } from '../schema/list';
import { amount, quantity } from '../schema/quantity';
import { LEAST_MEMORY } from '../schema/quantity-faults';
import { requireExactlyOne, rules, type SchemaRule } from '../schema/rules';
import { dnsLabel, nonEmptyText, referencedName, stringFormat } from '../schema/string-formats';
import { lifecycle, portNumber, readinessProbe, restartingProbe } from './probe';
import { containerSecurity } from './security-context';
import { volumeMount } from './volume';

const optionalKey = z.boolean().optional().describe('Whether pods can start without it. Default: false.');

function keyReference(kind: string) {
  return fields({
    name: referencedName.describe(`The name of the ${kind}.`),
    key: nonEmptyText(253).describe(`The key in the ${kind}.`),
    optional: optionalKey,
  })
    .optional()
    .describe(`A key of a ${kind} in the namespace of the deployment, on each cluster.`);
}

const valueFrom = fields({
  secretKeyRef: keyReference('Secret'),
  configMapKeyRef: keyReference('ConfigMap'),
  fieldRef: fields({
    fieldPath: nonEmptyText(253).describe('A field of the pod: status.podIP.'),
    apiVersion: nonEmptyText(63).optional().describe('The version of the pod API. Default: v1.'),
  })
    .optional()
    .describe('A field of the pod.'),
}).check(rules(requireExactlyOne('the source of a variable', ['secretKeyRef', 'configMapKeyRef', 'fieldRef'])));

const valueOrSource: SchemaRule<{ value?: unknown; valueFrom?: unknown }> = function* (variable) {
  if (variable.value === undefined || variable.valueFrom === undefined) return;
  yield errorAt('not-exactly-one', ['valueFrom'], 'the variable has both value and valueFrom', 'Keep one of the two');
};

/** Findings do not quote the name, because users can append the value to it by mistake. */
const goodName: SchemaRule<string> = function* (name) {
  if (/^[ -<>-~]*$/.test(name)) return;
  const what = 'this is not a name for an environment variable';
  yield errorAt('bad-name', [], what, "Use printable ASCII characters except '='");
};

const variable = fields({
  name: nonEmptyText(253).check(rules(goodName)).describe('The name of the variable.'),
  value: z.string().optional().describe('Its value. $(NAME) refers to an earlier variable.'),
  valueFrom: valueFrom.optional().describe('The source of its value.'),
}).check(rules(valueOrSource));

/** The schema of the environment of a container. The order counts: a variable can refer to earlier ones. */
const environment = namedList(variable).default([]).describe('The environment.');

const DEVICES = 'Request devices at members[].nodeSelector.devices';

const MOVED_FROM_AMOUNTS = {
  ...sameHint(['nvidia.com/gpu', 'amd.com/gpu', 'gpu.intel.com/xe'], DEVICES),
  ...sameHint(
    ['ephemeral-storage', 'hugepages-2Mi', 'hugepages-1Gi'],
    'Remove it: the plan does not count it, so a pod that requests it may fit no node',
  ),
};

const amounts = fields(
  {
    cpu: amount.optional().describe('CPU: 16, or 500m.'),
    memory: quantity(32, LEAST_MEMORY).optional().describe('Memory: 200Gi.'),
  },
  MOVED_FROM_AMOUNTS,
).default({});

const resources = fields(
  {
    requests: amounts.describe(
      'The amounts to reserve for the container. Default: a fraction of 90 % of the node, the same as of its devices, or a minimum if the node is not known.',
    ),
    limits: amounts.describe('Limits of the container. Default: no limit.'),
  },
  { claims: DEVICES },
);

const fromObject = fields({
  name: referencedName.describe('The name of the object, in the namespace of the deployment.'),
  optional: optionalKey,
});

const variablePrefix = stringFormat({
  noun: 'the beginning of the name of a variable',
  code: 'bad-name',
  pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
  max: 253,
  hint: "Use letters, digits and '_', not starting with a digit",
});

const envFrom = z
  .array(
    fields({
      prefix: variablePrefix.optional().describe('A prefix for the name of each variable.'),
      configMapRef: fromObject.optional().describe('All keys of a ConfigMap.'),
      secretRef: fromObject.optional().describe('All keys of a Secret.'),
    }).check(rules(requireExactlyOne('the source of variables', ['configMapRef', 'secretRef']))),
  )
  .max(64)
  .optional()
  .describe('Variables from all keys of an object. Those of env take precedence.');

export const pullPolicy = z
  .enum(['Always', 'IfNotPresent', 'Never'])
  .optional()
  .describe('When the image is pulled. Default: Always with the tag latest, else IfNotPresent.');

const workingDir = nonEmptyText(4096).optional().describe('The working directory. Default: that of the image.');

const mounts = z
  .array(volumeMount)
  .max(64)
  .check(checkDistinct(({ mountPath }: { mountPath: string }) => mountPath, 'the path', 'mountPath'))
  .optional()
  .describe('Where volumes of the pod are mounted.');

const COMMON = {
  image: z.string().min(1).describe('The container image.'),
  imagePullPolicy: pullPolicy,
  command: z.array(z.string()).optional().describe("Replaces the image's entrypoint."),
  workingDir,
  env: environment,
  envFrom,
  volumeMounts: mounts,
  startupProbe: restartingProbe.optional(),
  readinessProbe: readinessProbe.optional(),
  livenessProbe: restartingProbe.optional(),
  lifecycle: lifecycle.optional().describe('Hooks at its start and before its end.'),
  securityContext: containerSecurity.optional().describe('The security context of its processes.'),
};

const portName = stringFormat({
  noun: 'the name of a port',
  code: 'bad-name',
  pattern: /^(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
  max: 15,
  hint: "Use lowercase letters, digits and single '-', with a letter among them",
});

const HOST_PORT = {
  hostPort: 'Remove it: the plan expects that pods share nodes, and pods with the same host port cannot',
};

export const engineContainer = fields(
  {
    name: z.literal('engine').describe("The name of the engine's container: 'engine'."),
    ...COMMON,
    image: z.string().default('').describe('The container image. Default: derived from spec.model.'),
    args: z
      .array(z.string())
      .optional()
      .describe('Arguments of the entrypoint. Parallelism and the model are set here.'),
    resources: resources.prefault({}).describe('CPU and memory. Devices are claimed by nodeSelector.'),
    startupProbe: COMMON.startupProbe.describe(
      'Other probes start only after it succeeds. Default: the probe of the runtime, if the pod serves.',
    ),
    readinessProbe: COMMON.readinessProbe.describe(
      'Whether the pod gets requests. Default: the probe of the runtime, if the pod serves.',
    ),
    livenessProbe: COMMON.livenessProbe.describe(
      'Whether the container is restarted. Default: none, because a restart of a busy engine would lose its loaded weights.',
    ),
  },
  { ports: 'Remove it: the port of an engine follows from its runtime and arguments' },
);

const HELPER = {
  name: dnsLabel.describe('The name of the container.'),
  ...COMMON,
  args: z.array(z.string()).optional().describe('Arguments of the entrypoint.'),
  ports: z
    .array(
      fields(
        {
          name: portName.optional().describe('The name of the port.'),
          containerPort: portNumber.describe('The port.'),
          protocol: z.enum(['TCP', 'UDP', 'SCTP']).optional().describe('Default: TCP.'),
        },
        HOST_PORT,
      ),
    )
    .max(32)
    .optional()
    .describe('The ports of the container.'),
  resources: fields(
    {
      requests: amounts.describe('The amounts to reserve for the container. The plan counts them. Default: none.'),
      limits: amounts.describe('Limits of the container. Default: no limit.'),
    },
    { claims: DEVICES },
  )
    .prefault({})
    .describe('CPU and memory.'),
  startupProbe: COMMON.startupProbe.describe('Other probes start only after it succeeds.'),
  readinessProbe: COMMON.readinessProbe.describe('Whether the pod gets requests.'),
  livenessProbe: COMMON.livenessProbe.describe('Whether it is restarted.'),
};

export const helperContainer = fields(HELPER);

const initContainer = fields({
  ...HELPER,
  restartPolicy: z
    .enum(['Always'])
    .optional()
    .describe(
      'Always: a sidecar, which starts before the engine and ends after it. Default: the container ends before the engine starts.',
    ),
});

export const initContainers = namedList(initContainer, { max: 16 });

export type HelperContainer = z.output<typeof helperContainer>;

/** An init container of an engine pod: it ends before the engine starts or, as a sidecar, keeps running. */
export type InitContainer = z.output<typeof initContainer>;

export type EngineContainerSpec = z.output<typeof engineContainer>;
