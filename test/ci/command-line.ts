import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { runCommandLine } from '../../src/cli/run';

/** A shell command that runs the command line in this process, while `withCommandLine` works. */
export const COMMAND = `bash ${join(__dirname, 'command-line.sh')}`;

/** Runs what scripts ask for with `COMMAND`. They find this process by the variables that `work` gets. */
export async function withCommandLine<T>(work: (env: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
  const server = createServer((socket) => {
    socket.once('data', (line) => void answer(String(line).trim(), socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await work({ FLEETWRIGHT_PORT: String((server.address() as AddressInfo).port) });
  } finally {
    server.close();
  }
}

/** Runs the command of a folder of `command-line.sh`, and answers with its exit code. */
async function answer(folder: string, socket: Socket): Promise<void> {
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const list = (name: string): string[] => read(name).split('\0').slice(0, -1);
  const [cwd = '', ...args] = list('args');
  const env = list('env').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
  let [out, err] = ['', ''];
  const io = {
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
    terminal: false,
    env: Object.fromEntries(env) as Record<string, string>,
    stdin: () => read('stdin'),
  };
  const before = process.cwd();
  process.chdir(cwd);
  const code = await runCommandLine(args, io, '0.0.0');
  process.chdir(before);
  writeFileSync(join(folder, 'out'), out);
  writeFileSync(join(folder, 'err'), err);
  socket.end(`${code}\n`);
}
