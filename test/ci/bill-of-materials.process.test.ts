import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface Component {
  readonly name: string;
  readonly version: string;
}

test('the bill of materials names the package, and all that the command line installs', () => {
  const { name, version, dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Component & {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const { metadata, components } = JSON.parse(
    execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8' }),
  ) as { readonly metadata: { readonly component: Component }; readonly components: readonly Component[] };
  expect(metadata.component).toMatchObject({ name, version });
  expect(components.map((one) => one.name).toSorted()).toEqual(Object.keys(dependencies));
});
