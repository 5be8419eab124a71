// The module that VS Code loads as `extensionTestsPath`: runs every bundled *.test.js beside this file. Desktop and server harness both
// call it, with the results folder in the environment.
import type Mocha from 'mocha';
import { appendFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';

/** Resolves when all tests passed. Rejects when one failed, none ran, or a file did not load. */
export async function run(): Promise<void> {
  const output = process.env['ACP_HOST_MOCHA_OUTPUT'];
  const print = (text: string): void => {
    if (output) {
      appendFileSync(output, `${text}\n`);
    } else {
      console.log(text);
    }
  };
  if (output) {
    mkdirSync(join(output, '..'), { recursive: true });
  }
  try {
    if (output && existsSync(output)) {
      throw new Error('the window was reloaded in the middle of the tests');
    }
    print(`extension host ${process.pid}`);
    const failures = await runMocha(print);
    if (failures > 0) {
      throw new Error(`${failures} failed`);
    }
  } catch (error) {
    print(error instanceof Error ? (error.stack ?? error.message) : String(error));
    throw error;
  }
}

async function runMocha(print: (text: string) => void): Promise<number> {
  const { default: MochaRunner } = await import('mocha');
  // The extension host's console goes to the window's output, with much noise.
  (MochaRunner.reporters.Base as unknown as { consoleLog: (...args: unknown[]) => void }).consoleLog = (...args) => print(format(...args));
  const reporterPath = process.env['ACP_HOST_MOCHA_REPORTER'];
  const grep = process.env['ACP_HOST_MOCHA_GREP'];
  const mocha = new MochaRunner({
    ui: 'bdd',
    color: false,
    timeout: 20_000,
    // The window sends its state to the extension host with a delay, so one retry is allowed.
    retries: 1,
    forbidOnly: Boolean(process.env['CI']),
    reporter: reporterPath ? (require(reporterPath) as Mocha.ReporterConstructor) : 'spec',
    ...(grep ? { grep } : {}),
  });
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.js'));
  for (const file of files.sort()) {
    const path = join(__dirname, file);
    // Mocha's own loader would use import(), which bypasses the extension host's patched require that knows `vscode`.
    mocha.suite.emit('pre-require', globalThis, path, mocha);
    mocha.suite.emit('require', require(path), path, mocha);
    mocha.suite.emit('post-require', globalThis, path, mocha);
  }
  if (mocha.suite.total() === 0) {
    throw new Error('no tests');
  }
  return new Promise((resolve) => mocha.run(resolve));
}
