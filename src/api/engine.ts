import { z } from 'zod';
import { errorAt } from '../base/diagnostic';
import { BACKEND_TYPES } from '../catalog/backends';
import { RUNTIMES } from '../catalog/engines/runtimes';
import { nodeSelector } from './device-request';
import { podTemplate } from './pod/pod-template';
import { hooksEndWithinGrace } from './pod/termination-grace';
import { copies, scaling, scalingFitsCopies, startsFromZero } from './scaling';
import { fields, withDefault } from './schema/fields';
import { namedList } from './schema/list';
import { duration, integer } from './schema/quantity';
import { rules, type SchemaRule } from './schema/rules';
import { dnsLabel } from './schema/string-formats';
import { IN_WORKER } from './engine-spellings';
import { IN_ENGINE, IN_MEMBER } from './kubernetes-spellings';

type Role = 'Standalone' | 'Leader' | 'Worker';

const workerOnWorker: SchemaRule<{ role: Role; worker?: unknown }> = function* ({ role, worker }) {
  if (worker === undefined || role === 'Worker') return;
  const what = `a member with role ${role} takes no field 'worker'`;
  yield errorAt('bad-roles', ['worker'], what, "Remove it, or set 'role: Worker'");
};

const member = fields(
  {
    role: withDefault(
      z.enum(['Standalone', 'Leader', 'Worker']),
      'Standalone',
      'Standalone: a single pod. Leader and Worker: a gang over several nodes.',
    ),
    nodeSelector: nodeSelector
      .optional()
      .describe('The devices that each pod claims. None: the pod claims no devices and runs where its engine does.'),
    worker: fields(
      { nodes: withDefault(integer(1, 63), 1, 'Worker pods in addition to the leader, each on its own node.') },
      IN_WORKER,
    )
      .optional()
      .describe('For role Worker.'),
    template: podTemplate,
  },
  IN_MEMBER,
).check(rules(workerOnWorker));

/** The pods of an engine that share a role and a template. */
export type EngineMember = z.output<typeof member>;

/** The valid combinations of the roles of an engine's members, sorted. */
const ROLE_SETS: ReadonlySet<string> = new Set(['Standalone', 'Leader+Worker']);

const rolesFit: SchemaRule<{ members: readonly EngineMember[] }> = function* ({ members }) {
  const roles = members.map(({ role }) => role).sort();
  const shape = roles.join('+');
  if (members.length === 0 || ROLE_SETS.has(shape)) return;
  const what =
    roles.length === 1
      ? `a ${shape} alone does not form an engine`
      : `members with the roles ${roles.join(', ')} do not form an engine`;
  yield errorAt('bad-roles', ['members'], what, 'Use one Standalone member, or one Leader and one Worker');
};

const gangForBootstrap: SchemaRule<{ bootstrap: 'Auto' | 'None'; members: readonly EngineMember[] }> = function* ({
  bootstrap,
  members,
}) {
  if (bootstrap === 'None' || members.length !== 1) return;
  const what = 'an engine of one pod needs no bootstrap';
  yield errorAt('bad-roles', ['bootstrap'], what, "Remove 'bootstrap', or declare a Leader and a Worker");
};

/** The schema of an engine. */
export const engine = fields(
  {
    name: dnsLabel.describe('The name of the engine within the deployment.'),
    copies,
    scaling: scaling
      .optional()
      .describe('The signals by which KEDA chooses the copies, and its pace. For copies with bounds.'),
    runtime: z
      .enum(RUNTIMES)
      .optional()
      .describe(
        'The program that serves. Dynamo: a worker or the frontend of NVIDIA Dynamo, never detected. Default: detected from command and image; Custom where neither is known.',
      ),
    bootstrap: withDefault(
      z.enum(['Auto', 'None']),
      'None',
      'Auto: adds the arguments with which the nodes of a gang find each other; a Worker without command and args starts like its Leader.',
    ),
    startup: fields({
      budget: duration
        .optional()
        .describe(
          'How long the engine may load before its pod is restarted. Default: depends on the size of its cache.',
        ),
    })
      .prefault({})
      .describe('Settings of its start.'),
    drain: fields({
      grace: duration.optional().describe('How long responses in progress may take to finish. Default: 10m.'),
    })
      .prefault({})
      .describe('Settings of its shutdown.'),
    phase: z
      .enum(['Prefill', 'Decode', 'Frontend'])
      .optional()
      .describe('For serving mode PrefillDecode, and for runtime Dynamo. Frontend: accepts requests for Dynamo.'),
    requires: fields({
      backend: z
        .enum(BACKEND_TYPES)
        .optional()
        .describe(
          'The spec.backend.type of clusters that the replica may run on. Default: each type; Dynamo for runtime Dynamo.',
        ),
    })
      .prefault({})
      .describe('What clusters need for the engine, in addition to devices.'),
    members: z
      .array(member)
      .max(2)
      .meta({ minItems: 1 })
      .default([])
      .describe(
        'One Standalone member, or one Leader and one Worker. Default: derived from spec.model, or the frontend of Dynamo in the image of its worker.',
      ),
  },
  {
    ...IN_ENGINE,
    nodeSelector: 'Move it to members[].nodeSelector of this engine',
    template: 'Move it to members[].template of this engine',
    workers: 'Use members[].worker.nodes and copies of this engine',
  },
).check(rules(rolesFit, gangForBootstrap), rules(scalingFitsCopies, startsFromZero), rules(hooksEndWithinGrace));

/** A serving unit of a replica: a standalone pod, or a gang of a leader and workers. */
export type Engine = z.output<typeof engine>;

export const engines = namedList(engine, { max: 16 })
  .meta({ minItems: 1 })
  .describe('The serving units of a replica. Default: derived from spec.model.');
