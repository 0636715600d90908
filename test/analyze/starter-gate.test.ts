import { Workspace } from '../cli/cli';

test.each([
  ['', '--no-waves'],
  [' --gitops flux', '--no-waves'],
  [' --gitops argocd', '--independent-clusters'],
])('init%s: the check of pull requests counts what serves with that tool: %s', (flags, want) => {
  for (const [ci, path] of [
    ['github', '.github/workflows/fleet.yaml'],
    ['gitlab', '.gitlab-ci.yml'],
  ] as const) {
    const space = new Workspace();
    const { code, err } = space.run(`init ./new --yes --clouds existing --gpus h100 --ci ${ci}${flags}`);
    expect([code, err]).toEqual([0, '']);
    const text = space.read(`new/${path}`);
    expect(text.match(/--gate( --[a-z-]+)?/)?.[1]?.trim()).toBe(want);
  }
});

test.each([
  ['github', '.github/workflows/fleet.yaml', "contains(github.event.pull_request.labels.*.name, 'accept-removals')"],
  ['gitlab', '.gitlab-ci.yml', 'case ",$CI_MERGE_REQUEST_LABELS," in *,accept-removals,*)'],
])('the check of %s accepts removals of a change with a label, and of no other', (ci, path, condition) => {
  const space = new Workspace();
  space.run(`init ./new --yes --clouds existing --gpus h100 --ci ${ci}`);
  const lines = space.read(`new/${path}`).split('\n');
  expect(lines.filter((line) => line.includes(condition))).toEqual([expect.stringContaining('--accept-removals')]);
  const plan = lines.find((line) => line.includes(' plan fleet '));
  expect(plan).toMatch(/ --gate --no-waves \$ACCEPT\b/);
});

test.each([
  ['github', '.github/workflows/fleet.yaml'],
  ['gitlab', '.gitlab-ci.yml'],
])('with GitOps, the check of %s writes the manifests and fails where git has others', (ci, path) => {
  const space = new Workspace();
  space.run(`init ./new --yes --clouds existing --gpus h100 --gitops argocd --ci ${ci}`);
  expect(space.read(`new/${path}`)).toMatch(
    /fleetwright synth fleet --out manifests\n.*test -z "\$\(git status --porcelain manifests\)" \|\| \{.*exit 1; \}/,
  );
});
