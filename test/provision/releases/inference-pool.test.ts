import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { INFERENCE_POOL_CRD } from '../../../src/provision/releases/inference-pool';

const FILE = join(__dirname, '../../crds/inferencepools.inference.networking.k8s.io.yaml');
const APPROVED = 'api-approved.kubernetes.io';

test('the definition of InferencePool is that of the inference extension, schema for schema', () => {
  const theirs = parse(readFileSync(FILE, 'utf8'));
  const { apiVersion, kind, metadata, spec } = INFERENCE_POOL_CRD;
  expect({ apiVersion, kind, spec }).toEqual({
    apiVersion: theirs.apiVersion,
    kind: theirs.kind,
    spec: theirs.spec,
  });
  expect(metadata.name).toBe(theirs.metadata.name);
  expect(metadata.annotations).toEqual({ [APPROVED]: theirs.metadata.annotations[APPROVED] });
});
