/** A real VS Code window with the packed extension, for benchmarks of the visible results. */
import type { Browser, Page } from 'playwright-core';

/** The harness's driver; each benchmark types the parts that it uses. */
export interface PackedWindow<W> {
  readonly browser: Browser;
  readonly window: W;
  /** The server's folder, whose settings can be rewritten. */
  readonly dir: string;
  /** The path of a fresh copy of the sample workspace. */
  copyWorkspace(): string;
  /** Creates a new temporary folder and returns its absolute path. */
  tempDir(name: string): string;
  stop(): Promise<void>;
}

/** The VSIX of the extension: the file in `ACP_HOST_BENCH_VSIX` (another version, for comparison), or this tree's, packed now. */
async function packed(): Promise<string> {
  const given = process.env.ACP_HOST_BENCH_VSIX;
  if (given) {
    return given;
  }
  const { packageExtension } = (await import('../harness/lib/bundle.mjs' as string)) as { packageExtension(): Promise<void> };
  const { vsix } = (await import('../harness/lib/paths.mjs' as string)) as { vsix: string };
  await packageExtension();
  return vsix;
}

/** @param extensions packages to install in addition to ours */
export async function openPackedWindow<W extends { page: Page }>(
  settings: object = {},
  extensions: readonly string[] = [],
): Promise<PackedWindow<W>> {
  const at = (name: string): string => `../harness/lib/${name}.mjs`;
  const { launchBrowser, openWindow } = (await import(at('driver'))) as {
    launchBrowser(): Promise<Browser>;
    openWindow(browser: Browser, url: string): Promise<W>;
  };
  const { copyWorkspace, tempDir } = (await import(at('temp'))) as { copyWorkspace(): string; tempDir(name: string): string };
  const { endAll } = (await import(at('proc'))) as { endAll(): Promise<void> };
  const vscode = (await import(at('vscode'))) as {
    currentVersion: string;
    ensureVSCode(version: string): Promise<object>;
    installExtension(install: object, dir: string, vsix: string): Promise<void>;
    startServer(install: object, options: { dir: string; settings: object }): Promise<{ url: string; stop(): Promise<void> }>;
  };
  const install = await vscode.ensureVSCode(vscode.currentVersion);
  const dir = tempDir('server');
  for (const vsix of [await packed(), ...extensions]) {
    await vscode.installExtension(install, dir, vsix);
  }
  const server = await vscode.startServer(install, { dir, settings });
  const browser = await launchBrowser();
  const window = await openWindow(browser, server.url);
  // esbuild names functions with a helper that pages do not have.
  await window.page.context().addInitScript('globalThis.__name = (target) => target');
  return {
    browser,
    window,
    dir,
    copyWorkspace,
    tempDir,
    stop: async () => {
      await browser.close();
      await server.stop();
      await endAll();
    },
  };
}
