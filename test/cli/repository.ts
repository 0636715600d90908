import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { SMALL, Workspace } from './cli';
import { type KeptFiles, keepFiles, writeKept } from './kept-files';

/** `SMALL`, where `ml/q` asks for four GPUs instead of eight. */
export const HALF = SMALL.replace(
  'count: 8\n                    selectors',
  'count: 4\n                    selectors',
).replace('-tp=8', '-tp=4');

export const withEnv = (text: string, env: string): string =>
  text.replace('image: "vllm/vllm-openai:v0.23.0"', `image: "vllm/vllm-openai:v0.23.0", ${env}`);

export const paused = (text: string): string => text.replace('replicas: 1\n', 'replicas: 1\n  paused: true\n');

/** What new repositories begin with, by its name. */
const STARTS = new Map<string, KeptFiles>();

/** A workspace that is a git repository. */
export class Repository extends Workspace {
  git(...args: string[]): void {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'maintenance.auto=false'];
    execFileSync('git', ['-C', this.root, ...identity, ...args], { stdio: 'ignore' });
  }

  init(): void {
    this.git('init', '-q', '-b', 'main', '--template=');
  }

  commit(): void {
    this.git('add', '.');
    this.git('commit', '-qm', 'x');
  }

  /** A fleet that was locked and committed. */
  locked(text: string): void {
    this.start(text, () => {
      this.write({ 'fleet.yaml': text });
      this.init();
      expect(this.run('lock ./')).toMatchObject({ code: 0 });
      this.commit();
    });
  }

  /** Does what makes the start of a test. Where the repository is new, it is done once for each name, and copied. */
  start(name: string, make: () => void): void {
    if (readdirSync(this.root).length > 0) return make();
    const kept = STARTS.get(name);
    if (kept) return writeKept(this, kept);
    make();
    STARTS.set(name, keepFiles(this));
  }

  /** The objects that `synth` writes, by kind and name, as text. */
  objects(): Map<string, string> {
    expect(this.run('synth ./ --out ./out')).toMatchObject({ code: 0, err: '' });
    const files = Object.entries(this.files()).filter(([path]) => /^out\/.*\.yaml$/.test(path));
    const all = files.flatMap(([, text]) => parseAllDocuments(text).map((document) => document.toJS() as Named));
    return new Map(all.map((object) => [`${object.kind} ${object.metadata.name}`, JSON.stringify(object)]));
  }
}

interface Named {
  kind: string;
  metadata: { name: string };
}
