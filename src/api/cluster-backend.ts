import { z } from 'zod';
import { errorAt } from '../base/diagnostic';
import { BACKEND_TYPES, BACKEND_VERSIONS, type BackendType, DYNAMO, KSERVE } from '../catalog/backends';
import { fields, withDefault } from './schema/fields';
import { rules, type SchemaRule } from './schema/rules';
import { dnsLabel, stringFormat } from './schema/string-formats';

interface Declared {
  readonly type: BackendType;
  readonly version?: string | undefined;
  readonly sharedNamespaces: readonly string[];
}

const fieldsFitType: SchemaRule<Declared> = function* ({ type, version, sharedNamespaces }) {
  if (type === 'KServe') return;
  if (type === 'Native' && version !== undefined) {
    const what = 'the type is Native, which installs nothing and has no version';
    yield errorAt('contradiction', ['version'], what, "Remove it, or set 'type: KServe'");
  }
  if (sharedNamespaces.length > 0) {
    const what = `the type is ${type}, which affects no other workloads of a namespace`;
    yield errorAt('contradiction', ['sharedNamespaces'], what, "Remove it, or set 'type: KServe'");
  }
};

/** What the earliest versions lack. */
const REQUIRED_API = {
  KServe: `does not serve ${KSERVE.apiVersion}`,
  Dynamo: `is earlier than the first version for which manifests in ${DYNAMO.apiVersion} are made`,
};

const knownVersion: SchemaRule<Declared> = function* ({ type, version }) {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  if (type === 'Native' || major === undefined) return;
  const first = BACKEND_VERSIONS[type];
  const isEarlier = Number(major) === first.major ? Number(minor) < first.since : Number(major) < first.major;
  if (!isEarlier) return;
  const what = `${type} ${version} ${REQUIRED_API[type]}`;
  const hint = `Upgrade to ${first.major}.${first.since} or later, or set 'type: Native'`;
  yield errorAt('bad-version', ['version'], what, hint);
};

/** The schema of what turns objects into pods on a cluster. */
export const clusterBackend = fields({
  type: withDefault(
    z.enum(BACKEND_TYPES),
    'Native',
    'Native: Deployments and LeaderWorkerSets. KServe: LLMInferenceServices, from which KServe makes these. Dynamo: DynamoGraphDeployments, for engines with runtime Dynamo.',
  ),
  version: stringFormat({
    noun: 'a version',
    code: 'bad-version',
    pattern: /^v?\d+\.\d+(\.\d+)?([-+][0-9A-Za-z.-]+)?$/,
    max: 32,
    hint: `Write it in quotes, as "${KSERVE.version}"`,
  })
    .optional()
    .describe(
      `The version of KServe or Dynamo on the cluster, as "${KSERVE.version}". Default: ${KSERVE.version} of KServe, ${DYNAMO.version} of Dynamo.`,
    ),
  sharedNamespaces: z
    .array(dnsLabel)
    .max(256)
    .default([])
    .describe(
      'Namespaces that also have LLMInferenceServices of other teams. The plan places no engines of one pod there, because they need presets of KServe that apply to a whole namespace. Default: none.',
    ),
}).check(rules(fieldsFitType, knownVersion));
