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
    type === 'Localhost' ? 'a profile of type Localhost needs a file' : `a profile of type ${type} cannot have a file`,
    type === 'Localhost' ? 'Set localhostProfile' : "Remove it, or set 'type: Localhost'",
  );
};

const seccompProfile = fields({
  type: z.enum(['RuntimeDefault', 'Localhost', 'Unconfined']).describe('The type of the profile.'),
  localhostProfile: relativePath.optional().describe('For type Localhost: its file on the node.'),
})
  .check(rules(profileOfNode))
  .optional();

/** The user and group of processes, for one container or for the whole pod. */
const IDENTITY = {
  runAsUser: id.describe('The user. Default: that of the image.'),
  runAsGroup: id.describe('The group. Default: that of the image.'),
  runAsNonRoot: z
    .boolean()
    .optional()
    .describe('Whether Kubernetes refuses to start a container that would run as root.'),
};

const capability = stringFormat({
  noun: 'a capability',
  code: 'bad-name',
  pattern: /^[A-Z][A-Z0-9_]*$/,
  max: 63,
  hint: "Use uppercase without CAP_, as in 'IPC_LOCK'",
});

const capabilities = z.array(capability).max(64).optional();

const privilegedEscalates: SchemaRule<{
  privileged?: boolean | undefined;
  allowPrivilegeEscalation?: boolean | undefined;
}> = function* (context) {
  if (!context.privileged || context.allowPrivilegeEscalation !== false) return;
  const what = 'a privileged container can always escalate its privileges';
  yield errorAt('contradiction', ['allowPrivilegeEscalation'], what, 'Remove one of the two');
};

/** The schema of the security context of a container. `docs/pods.md` lists the values of omitted fields. */
export const containerSecurity = fields({
  ...IDENTITY,
  readOnlyRootFilesystem: z
    .boolean()
    .optional()
    .describe('Whether the file system of the container is read-only, except for volumes. Default: false.'),
  allowPrivilegeEscalation: z
    .boolean()
    .optional()
    .describe('Whether a process can gain more privileges. Default: false.'),
  privileged: z.boolean().optional().describe('Whether it runs with all privileges of the node. Default: false.'),
  capabilities: fields({
    add: capabilities.describe('Linux capabilities to add: IPC_LOCK.'),
    drop: capabilities.describe('Linux capabilities to drop. Default: ALL.'),
  })
    .optional()
    .describe('Changes to the Linux capabilities.'),
  seccompProfile: seccompProfile.describe(
    'The seccomp profile, which limits its system calls. Default: that of the pod.',
  ),
}).check(rules(privilegedEscalates));

/** The schema of the security context of a pod. Containers can override it. */
export const podSecurity = fields({
  ...IDENTITY,
  fsGroup: id.describe('The group that owns the volumes.'),
  fsGroupChangePolicy: z
    .enum(['OnRootMismatch', 'Always'])
    .optional()
    .describe('When to change the owner of volumes. Default: Always, which takes long for large volumes.'),
  supplementalGroups: z
    .array(integer(0, 2_147_483_647))
    .max(32)
    .optional()
    .describe('Further groups of every process.'),
  seccompProfile: seccompProfile.describe(
    'The seccomp profile, which limits the system calls of its containers. Default: RuntimeDefault.',
  ),
});
