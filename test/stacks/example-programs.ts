/** The Pulumi programs among the examples, with what is set for them. */
export const PROGRAMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  existing: { 'existing:kubeconfig': 'token: abc' },
  gke: { 'gcp:project': 'models' },
  eks: {},
  'two-clouds': { 'gcp:project': 'models' },
  'front-door': { 'gcp:project': 'models' },
  gitops: {},
};
