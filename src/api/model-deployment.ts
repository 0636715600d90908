import { z } from 'zod';
import { errorAt } from '../base/diagnostic';
import { copyBoundsOf } from './engine-copies';
import { isDynamo } from './engine-phases';
import { enginesComplete, modelAnswersAlone } from './deployment-engines';
import { completeDynamoGraph, dynamoGraphFits } from './dynamo-engines';
import { type Engine, engines } from './engine';
import { healthCheck } from './health-check';
import { networkPolicy } from './network-policy';
import { placement } from './placement';
import { BOTH_GROUPS, type ResourceOf } from './resource';
import { rollout } from './rollout';
import { externalEndpoints } from './routing/traffic-policy';
import { fields, type MovedFields, withDefault } from './schema/fields';
import { defineKind } from './schema/kind';
import { userLabels } from './schema/label-map';
import { clusterSelector } from './schema/label-selector';
import { namedList } from './schema/list';
import { integer } from './schema/quantity';
import { rules, type SchemaRule } from './schema/rules';
import { dnsLabel, nonEmptyText, referencedName } from './schema/string-formats';
import { tolerations } from './schema/taints-and-tolerations';
import { servedModel } from './served-model';
import { IN_DEPLOYMENT, IN_REPLICA_TEMPLATE } from './kubernetes-spellings';

const MOVED_TEMPLATE = 'spec.template.spec';
const MOVED_MEMBERS = `${MOVED_TEMPLATE}.engines[].members[]`;
const MOVED_DEVICES = `Move it to ${MOVED_MEMBERS}.nodeSelector`;
const MOVED_ENGINE = `Use 'engines', a list, at ${MOVED_TEMPLATE}. Move image, command and args of each to members[].template.spec.containers[0], and the name of a model to spec.model`;
const MOVED_PHASES = `Declare an engine with 'phase' at ${MOVED_TEMPLATE}.engines, and set '${MOVED_TEMPLATE}.serving.mode: PrefillDecode'`;

/** Fields, at any level, that a ModelDeployment had before engines had members. */
const OLDER_FIELDS: MovedFields = {
  nodeSelector: MOVED_DEVICES,
  deviceRequests: MOVED_DEVICES,
  deviceSelector: MOVED_DEVICES,
  workers: `Use ${MOVED_MEMBERS}.worker.nodes for the nodes of a gang and ${MOVED_TEMPLATE}.engines[].copies for the number of gangs`,
  topology: `Use ${MOVED_MEMBERS}.worker.nodes, and set the parallelism in the args of the engine`,
  caches: `Set ${MOVED_TEMPLATE}.modelCacheRef to the name of one cache`,
  prefill: MOVED_PHASES,
  decode: MOVED_PHASES,
  engine: MOVED_ENGINE,
};

/** Fields that users expect, or that the alias group once had, in the spec of a ModelDeployment. */
const MOVED_IN_SPEC: MovedFields = {
  ...IN_DEPLOYMENT,
  ...OLDER_FIELDS,
  ...Object.fromEntries(
    ['clusterSelector', 'modelCacheRef', 'serving', 'tolerations', 'engines'].map((field) => [
      field,
      `Move it to ${MOVED_TEMPLATE}.${field}`,
    ]),
  ),
};

/** Fields that users expect, or that the alias group once had, in the template of a ModelDeployment. */
const MOVED_IN_TEMPLATE: MovedFields = {
  ...IN_REPLICA_TEMPLATE,
  ...OLDER_FIELDS,
  model: 'Move it to spec.model, or set it in the args of the engine',
  replicas: 'Move it to spec.replicas',
  members: `Move it to ${MOVED_TEMPLATE}.engines[].members`,
  containers: `Move it to ${MOVED_MEMBERS}.template.spec.containers`,
};

/** The same next to the spec of the template, where that of a Deployment of Kubernetes has a pod. */
const MOVED_BESIDE_SPEC: MovedFields = { ...MOVED_IN_TEMPLATE, labels: 'Move it to spec.template.metadata.labels' };

interface Serving {
  readonly serving: { readonly mode: string };
  readonly engines: readonly Engine[];
}

const PHASES = ['Prefill', 'Decode'] as const;

const phasesFit: SchemaRule<Serving> = function* ({ serving, engines: all }) {
  const pair = all.length === 2 && PHASES.every((phase) => all.some((engine) => engine.phase === phase));
  if (serving.mode !== 'PrefillDecode' || pair || all.length === 0 || all.some(isDynamo)) return;
  const what = 'serving mode PrefillDecode needs two engines, one with phase Prefill and one with phase Decode';
  yield errorAt('bad-phases', ['engines'], what, "Set 'phase' on each of the two");
};

const noPhaseElsewhere: SchemaRule<Serving> = function* ({ serving, engines: all }) {
  if (serving.mode === 'PrefillDecode') return;
  for (const [index, engine] of all.entries()) {
    const { phase } = engine;
    if (!phase || isDynamo(engine)) continue;
    if (phase === 'Frontend') {
      const what = 'only Dynamo has frontends';
      yield errorAt('bad-phases', ['engines', index, 'phase'], what, "Remove it, or set 'runtime: Dynamo'");
      continue;
    }
    const what = `serving mode ${serving.mode} takes no field 'phase'`;
    yield errorAt('bad-phases', ['engines', index, 'phase'], what, "Remove it, or set 'serving.mode: PrefillDecode'");
  }
};

const aloneFromZero: SchemaRule<Serving> = function* ({ engines: all }) {
  if (all.length < 2) return;
  for (const [index, engine] of all.entries()) {
    if (engine.phase || copyBoundsOf(engine).min > 0) continue;
    const what = 'a waiting request starts only one engine, and this deployment has several';
    yield errorAt('scale-to-zero', ['engines', index, 'copies', 'min'], what, 'Set it to 1 or more');
  }
};

const enoughReplicas: SchemaRule<{ replicas: number; minAvailable?: number | undefined }> = function* (spec) {
  const { replicas, minAvailable } = spec;
  if (replicas === 0 || minAvailable === undefined || minAvailable <= replicas) return;
  const what = `${replicas} replicas are fewer than minAvailable: ${minAvailable}`;
  const hint = `Set replicas to at least ${minAvailable}, or lower minAvailable`;
  yield errorAt('contradiction', ['minAvailable'], what, hint);
};

const template = fields(
  {
    metadata: fields({ labels: userLabels.describe('Labels of replicas and their endpoints, for services to select.') })
      .prefault({})
      .describe('Metadata of replicas.'),
    spec: fields(
      {
        clusterSelector: clusterSelector
          .prefault({})
          .describe(
            'The clusters that replicas may run on, by their labels: those of its metadata, fleetwright.dev/cluster (its name), fleetwright.dev/provider (its source: EKS) and topology.kubernetes.io/region (that of its source). Default: all.',
          ),
        modelCacheRef: fields({ name: referencedName.describe('The name of a ModelCache in the same namespace.') })
          .optional()
          .describe('The weights to mount.'),
        loraAdapters: namedList(
          fields({
            name: dnsLabel.describe('The name by which requests choose the adapter as their model.'),
            modelCacheRef: fields({
              name: referencedName.describe('The name of a ModelCache in the same namespace.'),
            }).describe('The ModelCache with content LoRA that holds it.'),
          }),
          { max: 32 },
        )
          .default([])
          .describe('Adapters that engines load in addition to the model. Mounted at /mnt/adapters/NAME.'),
        serving: fields({
          mode: withDefault(
            z.enum(['Unified', 'PrefillDecode']),
            'Unified',
            'PrefillDecode: one engine reads prompts, another generates the answers.',
          ),
        })
          .prefault({})
          .describe('How requests reach the engines.'),
        tolerations: tolerations.describe('Taints of clusters that replicas tolerate.'),
        healthCheck: healthCheck
          .prefault({})
          .describe('Health checks of its engines. Default: those of their runtime.'),
        networkPolicy: networkPolicy.prefault({}).describe('The peers that may connect to the pods of a replica.'),
        modelDefinition: nonEmptyText(1024)
          .optional()
          .describe(
            'A model-definition.yaml whose service defines the health check. Fields of healthCheck override it. Relative to this manifest. Default: none.',
          ),
        engines: engines.default([]).transform(completeDynamoGraph),
      },
      MOVED_IN_TEMPLATE,
    )
      .check(rules(phasesFit, noPhaseElsewhere, aloneFromZero, dynamoGraphFits))
      .prefault({})
      .describe('The engines of each replica, and where it may run.'),
  },
  MOVED_BESIDE_SPEC,
)
  .prefault({})
  .describe('The template of each replica.');

const spec = fields(
  {
    replicas: integer(0, 1000).describe('The number of replicas, each on one cluster.'),
    priority: withDefault(integer(-1_000_000, 1_000_000), 0, 'Deployments of higher priority are placed first.'),
    allowPartial: withDefault(z.boolean(), false, 'Whether a plan may place fewer replicas than requested.'),
    minAvailable: integer(1, 1000)
      .optional()
      .describe(
        'The fewest replicas that must serve: during a change, for plan --gate, and after the loss of any one cluster, for survive. Default: none.',
      ),
    paused: withDefault(z.boolean(), false, 'Whether its replicas are frozen: none are added, moved or removed.'),
    rollout: rollout.describe('How pods are replaced when their template changes. Default: Rolling.'),
    placement: placement.prefault({}).describe('Which clusters are preferred, and how replicas spread.'),
    externalEndpoints: externalEndpoints.describe(
      'Forbidden: services that send requests to this deployment send none outside the fleet. Default: Allowed.',
    ),
    model: servedModel
      .optional()
      .describe(
        'A model for which Fleetwright chooses the engine and its GPUs, on hardware that holds it. Fields of template win. Default: none, you declare engines.',
      ),
    template,
  },
  MOVED_IN_SPEC,
).check(rules(enoughReplicas), rules(enginesComplete, modelAnswersAlone));

export const modelDeployment = defineKind({
  kind: 'ModelDeployment',
  scope: 'Namespaced',
  groups: BOTH_GROUPS,
  nameIsLabel: true,
  description: 'A model to serve: how many replicas, which devices they need, and the engines that run on them.',
  spec,
});

/** A model to serve, with its replicas, their devices and their engines. */
export type ModelDeployment = ResourceOf<'ModelDeployment', z.output<typeof spec>>;

export type ModelDeploymentInput = z.input<typeof spec>;
