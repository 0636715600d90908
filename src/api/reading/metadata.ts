import { z } from 'zod';
import { canonicalLabels } from '../labels';
import type { Metadata } from '../resource';
import { annotationMap, labelMap } from '../shared/label-map';
import { dnsLabel, dnsSubdomain } from '../shared/names';
import { fields } from './fields';
import type { Scope } from './kind';

/** Fields that only a running cluster writes. Exported objects carry them; they are read and dropped. */
const WRITTEN_BY_KUBERNETES = [
  'uid',
  'resourceVersion',
  'generation',
  'generateName',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'finalizers',
  'ownerReferences',
  'selfLink',
];

const ignored = z.unknown().optional().describe('Ignored: written by Kubernetes.');

const common = {
  name: dnsSubdomain.describe('The name, unique among resources of this kind and namespace.'),
  labels: labelMap().default({}).describe('Labels, for selectors.').transform(canonicalLabels),
  annotations: annotationMap().default({}).describe('Annotations. Nothing is decided by them.'),
  ...Object.fromEntries(WRITTEN_BY_KUBERNETES.map((name) => [name, ignored])),
};

const ofCluster = fields(common, {
  namespace: 'Remove it: resources of this kind are in no namespace',
}).transform(({ name, labels, annotations }): Metadata => ({ name, labels, annotations }));

const ofNamespace = fields({
  ...common,
  namespace: dnsLabel.default('default').describe('The namespace. Default: default.'),
}).transform(
  ({ name, namespace, labels, annotations }): Metadata => ({ name, namespace, labels, annotations }),
);

/** The metadata of a document of a kind with this scope. */
export function metadata(scope: Scope): z.ZodType<Metadata> {
  return scope === 'Cluster' ? ofCluster : ofNamespace;
}
