// The user's installed VS Code, opened with temporary folders so that nothing of the user's is touched.
import { join } from 'node:path';
import { mustRun, run } from './proc.mjs';
import { tempDir } from './temp.mjs';

const windows = process.platform === 'win32';

/** The installed `code` if it is 1.100 or newer and can show a window; otherwise undefined. */
export async function findCode() {
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return undefined;
  // In a terminal of VS Code Remote, `code` is another program: it opens windows elsewhere and does not accept our folders.
  if (process.env.VSCODE_IPC_HOOK_CLI) return undefined;
  for (const command of ['code', 'code-insiders']) {
    const { code, tail } = await run(command, ['--version'], { timeoutMs: 20_000, shell: windows });
    const found = /^(\d+)\.(\d+)\.\d+/m.exec(tail);
    if (code === 0 && found && (Number(found[1]) > 1 || Number(found[2]) >= 100)) return { command, version: found[0] };
  }
  return undefined;
}

/** Installs the VSIX and opens the folder; resolves when the window is closed. False when the window did not open. */
export async function openCode(code, vsixFile, folder) {
  const home = tempDir('code');
  const folders = ['--user-data-dir', join(home, 'data'), '--extensions-dir', join(home, 'extensions')];
  if (process.platform === 'linux' && process.getuid?.() === 0) folders.push('--no-sandbox');
  try {
    await mustRun(code.command, [...folders, '--install-extension', vsixFile, '--force'], { timeoutMs: 120_000, shell: windows });
  } catch {
    return false;
  }
  const args = [...folders, '--new-window', '--wait', '--disable-workspace-trust', '--skip-welcome', '--skip-release-notes', folder];
  const end = await run(code.command, args, { timeoutMs: 2 ** 31 - 1, shell: windows });
  return end.code === 0;
}
