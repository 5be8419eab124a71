/** Runs the gate's linter on code from a test. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(__dirname, '../..');

/** One finding. `rule` is its name without the plugin, `line` counts from 1. */
export interface Finding {
  file: string;
  line: number;
  rule: string;
  message: string;
}

/**
 * The result of `npm run lint` on a project of only these files, each a path in the repository and its text. All of them are linted by one
 * process.
 */
export async function lintPlanted(files: Readonly<Record<string, string>>): Promise<{ failed: boolean; findings: Finding[] }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lint-'));
  try {
    for (const name of ['oxlint.config.mjs', 'build/eslintRules.mjs']) {
      await cp(path.join(root, name), path.join(folder, name));
    }
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    const compilerOptions = { strict: true, jsx: 'preserve', allowJs: true };
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src', 'webview', 'test'] }));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), text);
    }
    const args = [
      '-c',
      'oxlint.config.mjs',
      '--deny-warnings',
      '-f',
      'json',
      ...new Set(Object.keys(files).map((name) => name.split('/')[0]!)),
    ];
    const run = promisify(execFile)(process.execPath, [path.join(root, 'node_modules/oxlint/bin/oxlint'), ...args], {
      cwd: folder,
      maxBuffer: 64 << 20,
    });
    const { code, stdout } = (await run.catch((error: unknown) => error)) as { code?: number; stdout: string };
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { filename: string; code: string; message: string; labels: { span: { line: number } }[] }[];
    };
    const findings = diagnostics.map(({ filename, code: rule, message, labels }) => ({
      file: filename.replaceAll('\\', '/'),
      line: labels[0]?.span.line ?? 0,
      rule: /\(([\w-]+)\)$/.exec(rule)?.[1] ?? rule,
      message,
    }));
    return { failed: code === 1, findings };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
