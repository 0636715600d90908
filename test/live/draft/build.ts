import { parseAllDocuments } from 'yaml';
import { draftCluster } from '../../../src/live/draft/draft-cluster';
import { loadManifests } from '../../../src/manifest/load-manifests';
import { node, slice } from '../../snapshot/build';
import { type Json, listing } from '../doctor/build';

/** What a cluster shows: two nodes with eight H100 each, but for what a row says. */
export interface Options {
  nodes?: Json[];
  slices?: Json[];
  pods?: Json[] | 'forbidden';
  deviceClasses?: Json[];
  storageClasses?: Json[];
  /** Default: they may not be listed. */
  claims?: Json[];
  /** LLMInferenceServices. Default: the cluster does not serve the kind. */
  services?: Json[];
  version?: string;
}

/** A device as the driver publishes it. */
export const H100 = {
  attributes: {
    type: { string: 'gpu' },
    productName: { string: 'NVIDIA H100 80GB HBM3' },
    architecture: { string: 'Hopper' },
    cudaComputeCapability: { version: '9.0.0' },
    uuid: { string: 'GPU-0' },
  },
  capacity: { memory: { value: '81559Mi' } },
};

/** The slice of a node with H100s. */
export function h100(name: string, count = 8): Json {
  return slice(name, { count, device: H100 });
}

/** A node with these labels alone. */
export function labelled(name: string, labels: Json, more: Parameters<typeof node>[1] = {}): Json {
  return node(name, { ...more, labels });
}

/** The draft, which loads. */
export function drafted({
  nodes,
  slices,
  pods = [],
  deviceClasses,
  storageClasses = [],
  claims,
  services,
  version = 'v1.36.2',
}: Options) {
  const draft = draftCluster({
    name: 'lab',
    context: 'lab-context',
    version,
    lists: {
      nodes: listing(...(nodes ?? [node('n0'), node('n1')])),
      slices: listing(...(slices ?? [h100('n0'), h100('n1')])),
      pods: pods === 'forbidden' ? { missing: pods, why: 'no' } : listing(...pods),
      deviceClasses: listing(...(deviceClasses ?? [{ metadata: { name: 'gpu.nvidia.com' } }])),
      storageClasses: listing(...storageClasses),
      claims: claims ? listing(...claims) : { missing: 'forbidden', why: 'no' },
      services: services ? listing(...services) : { missing: 'unserved', why: 'no' },
    },
  });
  if ('why' in draft) return { why: draft.why, documents: [], notes: [], text: '' };
  expect(loadManifests([{ path: 'x.yaml', text: draft.text }]).problems).toEqual([]);
  const documents = parseAllDocuments(draft.text).map((one) => one.toJS() as Json);
  return { why: '', documents, notes: draft.notes, text: draft.text };
}
