import { z } from 'zod';
import { errorAt } from '../base/diagnostic';
import { BACKEND_TYPES, type BackendType, KSERVE } from '../catalog/backends';
import { fields, withDefault } from './schema/fields';
import { rules, type SchemaRule } from './schema/rules';
import { dnsLabel, stringFormat } from './schema/string-formats';

interface Declared {
  readonly type: BackendType;
  readonly version?: string | undefined;
  readonly sharedNamespaces: readonly string[];
}

const availableType: SchemaRule<Declared> = function* ({ type }) {
  if (type !== 'Dynamo') return;
  const what = 'objects of NVIDIA Dynamo are not rendered yet: deployments cannot declare its frontend and its workers';
  yield errorAt('unavailable-backend', ['type'], what, "Set 'type: Native' or 'type: KServe', or bring a renderer");
};

const fieldsFitType: SchemaRule<Declared> = function* ({ type, version, sharedNamespaces }) {
  if (type !== 'Native') return;
  for (const [field, isSet] of [
    ['version', version !== undefined],
    ['sharedNamespaces', sharedNamespaces.length > 0],
  ] as const) {
    const what = 'Deployments and LeaderWorkerSets need no other software to run them';
    if (isSet) yield errorAt('contradiction', [field], what, "Remove it, or set 'type: KServe'");
  }
};

const knownVersion: SchemaRule<Declared> = function* ({ type, version }) {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  if (type !== 'KServe' || major !== '0' || Number(minor) >= KSERVE.since) return;
  const what = `KServe ${version} does not serve ${KSERVE.apiVersion}`;
  yield errorAt('bad-version', ['version'], what, `Upgrade to 0.${KSERVE.since} or later, or set 'type: Native'`);
};

/** The schema of what turns objects into pods on a cluster. */
export const clusterBackend = fields({
  type: withDefault(
    z.enum(BACKEND_TYPES),
    'Native',
    'Native: Deployments and LeaderWorkerSets. KServe: LLMInferenceServices, from which KServe makes these.',
  ),
  version: stringFormat({
    noun: 'a version',
    code: 'bad-version',
    pattern: /^v?\d+\.\d+(\.\d+)?([-+][0-9A-Za-z.-]+)?$/,
    max: 32,
    hint: `Write it in quotes, as "${KSERVE.version}"`,
  })
    .optional()
    .describe(`The version of KServe on the cluster, as "${KSERVE.version}". Default: ${KSERVE.version}.`),
  sharedNamespaces: z
    .array(dnsLabel)
    .max(256)
    .default([])
    .describe(
      'Namespaces that also have LLMInferenceServices of other teams. Engines of one pod are not placed there, because they need presets of KServe that apply to a whole namespace. Default: - every service of a namespace is made by Fleetwright.',
    ),
}).check(rules(availableType, fieldsFitType, knownVersion));
