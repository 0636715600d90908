import type { Moved } from './reading/fields';

const TEMPLATE = 'spec.template.spec';
const MEMBERS = `${TEMPLATE}.engines[].members[]`;

const DEVICES = `Write it at ${MEMBERS}.nodeSelector`;
const ENGINE = `Write image, command and args at ${MEMBERS}.template.spec.containers[0]`;
const PHASES = `Write an engine with 'phase' at ${TEMPLATE}.engines, and '${TEMPLATE}.serving.mode: PrefillDecode'`;

/** Fields that a ModelDeployment had before engines had members, wherever they stood. */
const OLDER: Moved = {
  nodeSelector: DEVICES,
  deviceRequests: DEVICES,
  deviceSelector: DEVICES,
  workers: `Write ${MEMBERS}.worker.nodes for the nodes of a gang and ${TEMPLATE}.engines[].copies for their number`,
  topology: `Write ${MEMBERS}.worker.nodes, and parallelism in the args of the engine`,
  caches: `Write the name of one cache at ${TEMPLATE}.modelCacheRef`,
  prefill: PHASES,
  decode: PHASES,
  engine: ENGINE,
  model: `Write the model in the args of the engine, and its cache at ${TEMPLATE}.modelCacheRef`,
};

/** What users expect, or the alias group once had, in the spec of a ModelDeployment. */
export const MOVED_IN_SPEC: Moved = {
  ...OLDER,
  ...Object.fromEntries(
    ['clusterSelector', 'modelCacheRef', 'serving', 'tolerations', 'engines'].map((field) => [
      field,
      `Write it at ${TEMPLATE}.${field}`,
    ]),
  ),
};

/** What users expect, or the alias group once had, in the template of a ModelDeployment. */
export const MOVED_IN_TEMPLATE: Moved = {
  ...OLDER,
  replicas: 'Write it at spec.replicas',
  members: `Write it at ${TEMPLATE}.engines[].members`,
  containers: `Write it at ${MEMBERS}.template.spec.containers`,
};
