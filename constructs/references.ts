import type { Kind } from './declared';

/** The kinds whose constructs stand for their name in props of others. */
export type Referable = 'InferenceClass' | 'InferenceCluster' | 'ModelCache';

/** Where props take a construct or its name, by kind: the path of the prop, and what it refers to. */
export const REFERENCES: Partial<Record<Kind, Readonly<Record<string, Referable>>>> = {
  InferenceCluster: { 'nodePools[].className': 'InferenceClass' },
  InferenceGateway: { 'clusters[]': 'InferenceCluster' },
  ModelDeployment: { modelCacheRef: 'ModelCache', 'loraAdapters[].modelCacheRef.name': 'ModelCache' },
};
