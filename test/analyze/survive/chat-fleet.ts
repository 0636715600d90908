import type { Resource } from '../../../src/api/kinds';
import type { Doc } from '../../api/build';
import { aDoor, aModel, aSite, aSplit } from '../../routing/build';

/** Clusters for replicas. */
export const [east, west] = [aSite('east'), aSite('west')];

/** A gateway, and the cluster without nodes that it stands on. */
export const door = aDoor(['door']);
export const entrance = aSite('door', { pools: {} });

/** Replicas over the named clusters, one of each label in turn. */
export const model = (name: string, replicas: number, on: string[], more: Doc = {}): Resource =>
  aModel(`ml/${name}`, { replicas, on, replicaLabels: { app: name }, ...more });

/** A service of some entries. */
export const chat = (...entries: Doc[]): Resource => aSplit('ml/chat', entries);
