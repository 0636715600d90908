import type { InferenceCluster } from '../../../src/api/inference-cluster';
import type { ModelDeployment } from '../../../src/api/model-deployment';
import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { aCluster, aDeployment, aMember, type Doc } from '../../api/build';
import { manifestsOf, ofKind, renamed, withContainer } from '../build';

/** A GKE cluster that runs KServe. */
export function kserveCluster(version = '0.21', more: Doc = {}): InferenceCluster {
  return aCluster('gke', { source: 'GKE', pools: { h100: 4 }, backend: { type: 'KServe', version }, ...more });
}

/** A member with these arguments, and what else the row says. */
export function withArgs(args: readonly string[], { metadata, ...more }: Doc = {}): Doc {
  const containers = [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0', ...(args.length > 0 && { args }) }];
  return aMember({ gpus: 8, template: { spec: { containers }, ...(metadata !== undefined && { metadata }) }, ...more });
}

/** An engine of a leader and some workers with these arguments. */
export function aGang(name: string, args: readonly string[], { workers = 1, gpus = 8, ...engine }: Doc = {}): Doc {
  const members = [
    withArgs(args, { role: 'Leader', gpus }),
    withArgs([], { role: 'Worker', worker: { nodes: workers }, gpus }),
  ];
  return { name, bootstrap: 'Auto', members, ...engine };
}

const TRANSFER = '--kv-transfer-config={"kv_connector":"NixlConnector","kv_role":"kv_both"}';

function phaseEngine(name: string, phase: string, own: Doc): Doc {
  return { name, phase, members: [withArgs(['Qwen/Qwen3-8B', TRANSFER])], ...own };
}

/** A deployment of one prefill and one decode engine. */
export function aPair(prefill: Doc = {}, decode: Doc = {}, more: Doc = {}): ModelDeployment {
  const engines = [phaseEngine('prefill', 'Prefill', prefill), phaseEngine('decode', 'Decode', decode)];
  return aDeployment('ml/pair', { serving: { mode: 'PrefillDecode' }, engines, ...more });
}

export const ON = kserveCluster();
export const PIPELINE = ['Qwen/Qwen3-235B', '--tensor-parallel-size=8', '--pipeline-parallel-size=2'];
export const DATA = ['Qwen/Qwen3-235B', '--tensor-parallel-size=4', '--data-parallel-size=4'];
export const GANG = aDeployment('ml/gang', { engines: [aGang('main', PIPELINE)] });
export const RANKS = aDeployment('ml/ranks', { engines: [aGang('main', DATA)] });
export const POD = withContainer({ image: 'vllm/vllm-openai:v0.23.0', args: ['Qwen/Qwen3-8B'] });
export const PAIR = aPair();
export const GANGS = aPair(aGang('prefill', PIPELINE), aGang('decode', PIPELINE));
export const CACHED = withContainer(
  {},
  { cache: 'weights', loraAdapters: [{ name: 'sql', modelCacheRef: { name: 'sql' } }] },
);

export const ALL = [POD, renamed(CACHED, 'cached'), GANG, RANKS, PAIR, renamed(GANGS, 'gangs')];

/** The object of a replica of a deployment. */
export function serviceOf(deployment: ModelDeployment, cluster: InferenceCluster = ON): Manifest {
  return ofKind(manifestsOf(deployment, { cluster }), 'LLMInferenceService')[0]!;
}
