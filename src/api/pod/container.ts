import { z } from 'zod';
import { errorAt } from '../../base/diagnostic';
import { fields, sameHint } from '../schema/fields';
import { checkDistinct, namedList } from '../schema/list';
import { quantity } from '../schema/quantity';
import { LEAST_MEMORY } from '../schema/quantity-faults';
import { requireExactlyOne, rules, type SchemaRule } from '../schema/rules';
import { dnsLabel, nonEmptyText, referencedName, stringFormat } from '../schema/string-formats';
import { lifecycle, portNumber, readinessProbe, restartingProbe } from './probe';
import { containerSecurity } from './security-context';
import { volumeMount } from './volume';

const optionalKey = z.boolean().optional().describe('Whether pods start without it. Default: false.');

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
  const what = 'this is not the name of an environment variable';
  yield errorAt('bad-name', [], what, "Use printable ASCII characters except '='");
};

const variable = fields({
  name: nonEmptyText(253).check(rules(goodName)).describe('The name of the variable.'),
  value: z.string().optional().describe('Its value. $(NAME) refers to an earlier variable.'),
  valueFrom: valueFrom.optional().describe('Where its value comes from.'),
}).check(rules(valueOrSource));

/** The schema of the environment of a container. The order counts: a variable can refer to earlier ones. */
const environment = namedList(variable).default([]).describe('The environment.');

const DEVICES = 'Ask for devices at members[].nodeSelector.devices';

const MOVED_FROM_AMOUNTS = {
  ...sameHint(['nvidia.com/gpu', 'amd.com/gpu', 'gpu.intel.com/xe'], DEVICES),
  ...sameHint(
    ['ephemeral-storage', 'hugepages-2Mi', 'hugepages-1Gi'],
    'Remove it: the plan does not count it, so a pod that asks for it may find no node',
  ),
};

const amounts = fields(
  {
    cpu: quantity(32).optional().describe('CPU: 16, or 500m.'),
    memory: quantity(32, LEAST_MEMORY).optional().describe('Memory: 200Gi.'),
  },
  MOVED_FROM_AMOUNTS,
).default({});

const resources = fields(
  {
    requests: amounts.describe(
      'Amounts that are reserved for the container. Default: its share of the node, by its devices, or a floor where the node is not known.',
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
  hint: "Use letters, digits and '_', with no digit in front",
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
  .describe('Variables from all keys of an object. Those of env win.');

export const pullPolicy = z
  .enum(['Always', 'IfNotPresent', 'Never'])
  .optional()
  .describe('When the image is pulled. Default: Always with the tag latest, else IfNotPresent.');

const workingDir = nonEmptyText(4096).optional().describe('The folder in which it starts. Default: that of the image.');

const mounts = z
  .array(volumeMount)
  .max(64)
  .check(checkDistinct(({ mountPath }: { mountPath: string }) => mountPath, 'the path', 'mountPath'))
  .optional()
  .describe('Where it sees volumes of the pod.');

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

const HOST_PORT = { hostPort: 'Remove it: pods with a port of their node cannot share it, which the plan counts on' };

export const engineContainer = fields(
  {
    name: z.literal('engine').describe("The name of the engine's container: 'engine'."),
    ...COMMON,
    image: z.string().default('').describe('The container image. Default: - derived from spec.model.'),
    args: z
      .array(z.string())
      .optional()
      .describe('Arguments of the entrypoint. Parallelism and the model are set here.'),
    resources: resources.prefault({}).describe('CPU and memory. Devices are claimed by nodeSelector.'),
    startupProbe: COMMON.startupProbe.describe(
      'No other probe runs before it succeeds. Default: the probe of the runtime, if the pod serves.',
    ),
    readinessProbe: COMMON.readinessProbe.describe(
      'Whether it gets requests. Default: the probe of the runtime, if the pod serves.',
    ),
    livenessProbe: COMMON.livenessProbe.describe(
      'Whether it is restarted. Default: none, because a restart of a busy engine would lose its loaded weights.',
    ),
  },
  { ports: 'Remove it: the port of an engine is known from its runtime and arguments' },
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
    .describe('Ports on which it answers.'),
  resources: fields(
    {
      requests: amounts.describe('Amounts that are reserved for the container. The plan counts it. Default: nothing.'),
      limits: amounts.describe('Limits of the container. Default: no limit.'),
    },
    { claims: DEVICES },
  )
    .prefault({})
    .describe('CPU and memory.'),
  startupProbe: COMMON.startupProbe.describe('No other probe runs before it succeeds.'),
  readinessProbe: COMMON.readinessProbe.describe('Whether the pod gets requests.'),
  livenessProbe: COMMON.livenessProbe.describe('Whether it is restarted.'),
};

export const helperContainer = fields(HELPER);

const initContainer = fields({
  ...HELPER,
  restartPolicy: z
    .enum(['Always'])
    .optional()
    .describe('Always: a sidecar, which starts before the engine and ends after it. Default: it ends first.'),
});

export const initContainers = namedList(initContainer, { max: 16 });

export type HelperContainer = z.output<typeof helperContainer>;

/** An init container of an engine pod: it ends before the engine starts or, as a sidecar, keeps running. */
export type InitContainer = z.output<typeof initContainer>;

export type EngineContainerSpec = z.output<typeof engineContainer>;
