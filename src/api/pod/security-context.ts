import { z } from 'zod';
import { errorAt } from '../../base/diagnostic';
import { fields } from '../schema/fields';
import { integer } from '../schema/quantity';
import { rules, type SchemaRule } from '../schema/rules';
import { relativePath, stringFormat } from '../schema/string-formats';

const id = integer(0, 2_147_483_647).optional();

const profileOfNode: SchemaRule<{ type: string; localhostProfile?: string | undefined }> = function* ({
  type,
  localhostProfile,
}) {
  if ((type === 'Localhost') === (localhostProfile !== undefined)) return;
  yield errorAt(
    'not-exactly-one',
    ['localhostProfile'],
    type === 'Localhost'
      ? 'a profile of type Localhost needs the path of its file'
      : `a profile of type ${type} has no file`,
    type === 'Localhost' ? 'Set localhostProfile' : "Remove it, or set 'type: Localhost'",
  );
};

const seccompProfile = fields({
  type: z.enum(['RuntimeDefault', 'Localhost', 'Unconfined']).describe('Which profile.'),
  localhostProfile: relativePath.optional().describe('For type Localhost: its file on the node.'),
})
  .check(rules(profileOfNode))
  .optional();

/** The user and group of processes, for one container or for the whole pod. */
const IDENTITY = {
  runAsUser: id.describe('The user. Default: that of the image.'),
  runAsGroup: id.describe('The group. Default: that of the image.'),
  runAsNonRoot: z.boolean().optional().describe('Whether a container that would run as root is not started.'),
};

const capability = stringFormat({
  noun: 'a capability',
  code: 'bad-name',
  pattern: /^[A-Z][A-Z0-9_]*$/,
  max: 63,
  hint: "Write it in capitals and without CAP_, as in 'IPC_LOCK'",
});

const capabilities = z.array(capability).max(64).optional();

const privilegedEscalates: SchemaRule<{
  privileged?: boolean | undefined;
  allowPrivilegeEscalation?: boolean | undefined;
}> = function* (context) {
  if (!context.privileged || context.allowPrivilegeEscalation !== false) return;
  const what = 'a privileged container can always escalate';
  yield errorAt('contradiction', ['allowPrivilegeEscalation'], what, 'Remove one of the two');
};

/** The schema of the security context of a container. `docs/pods.md` lists the values of omitted fields. */
export const containerSecurity = fields({
  ...IDENTITY,
  readOnlyRootFilesystem: z.boolean().optional().describe('Whether only volumes can be written. Default: false.'),
  allowPrivilegeEscalation: z
    .boolean()
    .optional()
    .describe('Whether a process can gain more privileges. Default: false.'),
  privileged: z.boolean().optional().describe('Whether it has all privileges of the node. Default: false.'),
  capabilities: fields({
    add: capabilities.describe('Linux capabilities that it gets in addition: IPC_LOCK.'),
    drop: capabilities.describe('Linux capabilities that it loses. Default: ALL.'),
  })
    .optional()
    .describe('Changes of the Linux capabilities.'),
  seccompProfile: seccompProfile.describe('System calls that it may make. Default: that of the pod.'),
}).check(rules(privilegedEscalates));

/** The schema of the security context of a pod. Containers can override it. */
export const podSecurity = fields({
  ...IDENTITY,
  fsGroup: id.describe('The group that owns the volumes.'),
  fsGroupChangePolicy: z
    .enum(['OnRootMismatch', 'Always'])
    .optional()
    .describe('When the owner of volumes is changed. Default: Always, which takes long on large ones.'),
  supplementalGroups: z
    .array(integer(0, 2_147_483_647))
    .max(32)
    .optional()
    .describe('Further groups of every process.'),
  seccompProfile: seccompProfile.describe('System calls that its containers may make. Default: RuntimeDefault.'),
});
