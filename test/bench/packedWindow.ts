/** A window of the real VS Code with the packed extension, for the benchmarks that measure what a user sees. */
import type { Browser, Page } from 'playwright-core';

/** What the harness's driver gives; each benchmark says which of it it uses. */
export interface PackedWindow<W> {
  readonly browser: Browser;
  readonly window: W;
  /** The server's folder, whose settings can be written anew. */
  readonly dir: string;
  /** The path of a fresh copy of the sample workspace. */
  copyWorkspace(): string;
  /** Absolute path of a new temporary folder. */
  tempDir(name: string): string;
  stop(): Promise<void>;
}

/** The extension's package: what `ACP_HOST_BENCH_VSIX` names (of another version, to compare with), else this tree's, packed now. */
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

/** @param extensions packages to install beside ours */
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
  // The compiler names functions by a helper that pages do not have.
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
